/** The lines of the audit log: who they name, and that a stranger cannot cause any number of them. */
import { afterEach, expect, it } from 'vitest'
import { z } from 'zod'
import { ServiceError } from '../../../src/server/envelope/service-error.ts'
import type { AuditEvent } from '../../../src/server/http/audit-event.ts'
import type { ServeOptions } from '../../../src/server/serve.ts'
import { emulatorRoutes, type EmulatorParts } from '../../../src/server/served-routes.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { tokenHash } from '../../../src/server/http/token-proof.ts'
import { connectTo } from '../rig/raw-connection.ts'
import { serveMarket, type ServedMarket } from '../rig/served-market.ts'

let served: ServedMarket
let events: AuditEvent[] = []

afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

async function start(options: ServeOptions): Promise<void> {
  events = []
  served = await serveMarket({ audit: (event) => void events.push(event), ...options })
}

/** Status of a request with these header lines. @param target  under `/emulator` */
async function statusOf(method: string, target: string, lines: readonly string[]): Promise<number | undefined> {
  const connection = await connectTo(served.port)
  const all = ['host: localhost', 'connection: close', ...lines].map((line) => `${line}\r\n`)
  connection.write(`${method} /emulator${target} HTTP/1.1\r\n${all.join('')}\r\n`)
  const [answer] = await connection.answers([method])
  connection.destroy()
  return answer?.status
}

const LOCKED: Route = {
  method: 'DELETE',
  path: '/locked',
  operationId: 'deleteLocked',
  tag: 'Server',
  summary: 'refuses also the admin',
  access: 'emulator',
  status: 204,
  answer: z.undefined(),
  handle: () => {
    throw new ServiceError('FORBIDDEN', 'not now')
  },
}

const TOKEN = 'authorization: Bearer token'

it('names the admin for what the token was proven for, and for nothing else', async () => {
  const routes = { control: (parts: EmulatorParts) => [...emulatorRoutes(parts), LOCKED], open: [], pages: [] }
  await start({ adminToken: 'token', routes })
  expect(await statusOf('DELETE', `/faults?${'x'.repeat(9_000)}`, [])).toBe(414)
  expect(await statusOf('DELETE', '/faults', ['host: other', TOKEN])).toBe(400)
  expect(await statusOf('DELETE', '/faults', [])).toBe(401)
  expect(events).toEqual([])
  expect(await statusOf('DELETE', '/faults', ['authorization: Bearer guess'])).toBe(401)
  expect(await statusOf('DELETE', '/faults', [TOKEN])).toBe(204)
  expect(await statusOf('DELETE', '/locked', [TOKEN])).toBe(403)
  expect(events).toMatchObject([
    { event: 'wrong-token', role: 'none', status: 401 },
    { event: 'change', role: 'admin', status: 204 },
    { event: 'change', role: 'admin', status: 403 },
  ])
})

it('names this machine without a token, but no page of another origin', async () => {
  await start({})
  expect(await statusOf('DELETE', '/faults', ['origin: http://evil.example'])).toBe(403)
  expect(await statusOf('DELETE', '/faults', [])).toBe(204)
  expect(events).toMatchObject([{ event: 'change', role: 'local', status: 204 }])
})

it('counts every authorization that is not the token as a guess', async () => {
  await start({ adminToken: 'token' })
  const statuses = []
  for (let guess = 0; guess < 12; guess += 1) {
    const text = ['Basic dG9rZW46', 'Bearer', 'Bearer a b', 'token'][guess % 4] ?? ''
    statuses.push(await statusOf('GET', '/users', [`authorization: ${text}`]))
  }
  expect(statuses).toEqual([...Array<number>(10).fill(401), 429, 429])
  expect(events.map(({ event }) => event)).toEqual(Array(10).fill('wrong-token'))
})

it('records a guess whose client leaves while it is proven, by its address', async () => {
  await start({ adminToken: await tokenHash('token') })
  for (let guess = 0; guess < 2; guess += 1) {
    const connection = await connectTo(served.port)
    const lines = 'host: localhost\r\nauthorization: Bearer guess\r\nexpect: 100-continue\r\n'
    connection.write(`DELETE /emulator/faults HTTP/1.1\r\n${lines}\r\n`)
    // Node says so when it hands the request on.
    while (!connection.received.includes('100 Continue')) await new Promise(setImmediate)
    connection.destroy()
  }
  const line = { event: 'wrong-token', role: 'none', address: '127.0.0.1' }
  await expect.poll(() => events, { timeout: 30_000 }).toMatchObject([line, line])
})
