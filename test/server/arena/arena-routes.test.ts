/** Every route of a season: described, closed to whom it is not for, and strict about what it is sent. */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, describe, expect, it } from 'vitest'
import { z } from 'zod'
import { startArena, type Arena } from '../../../src/server/arena/arena.ts'
import { arenaRoutes } from '../../../src/server/arena/arena-routes.ts'
import { Faults } from '../../../src/server/faults/faults.ts'
import { servedRoutes } from '../../../src/server/served-routes.ts'
import type { Route } from '../../../src/server/service/route.ts'
import { noWorlds } from '../rig/no-worlds.ts'

const TOKEN = 'the-token-of-the-operator-of-a-season'
const SEASON = { name: 'Winter', start: '2100-01-07T09:00:00Z', end: '2100-01-07T10:00:00Z', agents: false }

const folder = mkdtempSync(join(tmpdir(), 'arena-routes-'))
const where = { where: 'season.json', season: { ...SEASON, credits: { USD: '100' } } }
const begin = (name: string): Promise<Arena> =>
  startArena({ ...where, journal: join(folder, `${name}.journal`), adminToken: TOKEN })
const arena = await begin('open')
// Ten wrong tokens of an address close it for a minute, also to the right one.
const closed = await begin('closed')
afterAll(async () => {
  await Promise.all([arena.close(), closed.close()])
  rmSync(folder, { recursive: true })
})

const measured = (): never => {
  throw new Error('nobody asks')
}
const PARTS = { faults: new Faults([]), time: undefined, worlds: noWorlds, measured }
const SERVED = servedRoutes({ ...PARTS, routes: arenaRoutes(arena.host) })
const ROUTES = [...SERVED]
  .filter(([prefix]) => prefix !== '/v1')
  .flatMap(([prefix, routes]) => routes.map((route) => ({ route, path: prefix + route.path })))
const CONTROL = ROUTES.filter(({ route }) => route.access === 'emulator')
const isOfArena = ({ route }: { readonly route: Route }): boolean => route.tag === 'Arena'

/** What each route with a body asks for, as one may send it. */
const BODIES: Readonly<Record<string, object>> = {
  invitePlayers: { count: 2 },
  resetPlayer: { name: 'Ann' },
  joinSeason: { code: 'code', name: 'Ann' },
  pauseMarket: { reason: 'a test' },
}

interface Sent {
  readonly to?: Arena
  readonly token?: string
  readonly body?: string
}

async function send(
  method: string,
  path: string,
  { token, body, to = arena }: Sent = {},
): Promise<{ status: number; text: string }> {
  const headers = {
    ...(token === undefined ? {} : { authorization: `Bearer ${token}` }),
    ...(body === undefined ? {} : { 'content-type': 'application/json' }),
  }
  const url = to.url + path.replace('{symbol}', 'BTC_USD').replace('{code}', 'code')
  const response = await fetch(url, { method, headers, ...(body === undefined ? {} : { body }) })
  return { status: response.status, text: await response.text() }
}

/** The message of a refusal. */
const messageOf = (text: string): string =>
  z.object({ error: z.object({ message: z.string() }) }).parse(JSON.parse(text)).error.message

it('has no route by which its operator could give money, keys or another past', () => {
  const names = CONTROL.map(({ route }) => route.operationId).sort()
  expect(names).toEqual([
    ...['getAudit', 'getBook', 'getDescription', 'getMetrics', 'invitePlayers', 'listMarketStates'],
    ...['pauseMarket', 'resetPlayer', 'resumeMarket'],
  ])
})

it('describes every route but pages and documents', async () => {
  const { text } = await send('GET', '/emulator/openapi.json', { token: TOKEN })
  const { paths } = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) }).parse(JSON.parse(text))
  const described = Object.entries(paths).flatMap(([path, at]) =>
    Object.keys(at).map((method) => `${method.toUpperCase()} ${path}`),
  )
  const served = ROUTES.filter(
    ({ route: { contentType = 'application/json' } }) => !/html|script|css/.test(contentType),
  )
  const documents = ['GET /emulator/openapi.json', 'GET /']
  const expected = served
    .map(({ route, path }) => `${route.method} ${path}`)
    .filter((name) => !documents.includes(name))
  expect(new Set(described)).toEqual(new Set(expected))
})

describe.each(CONTROL.map(({ route, path }) => [`${route.method} ${path}`, route, path] as const))(
  '%s',
  (_, route, path) => {
    const body = BODIES[route.operationId]
    const sent = body === undefined ? {} : { body: JSON.stringify(body) }

    it('is closed without the token, and with a wrong one', async () => {
      expect((await send(route.method, path, { ...sent, to: closed })).status).toBe(401)
      expect((await send(route.method, path, { ...sent, to: closed, token: `${TOKEN}x` })).status).toBe(401)
    })

    it('is open with the token', async () => {
      const { status } = await send(route.method, path, { ...sent, token: TOKEN })
      // Ann has not joined.
      expect(status).toBe(route.operationId === 'resetPlayer' ? 400 : route.status)
    })
  },
)

describe.each(ROUTES.filter(({ route }) => route.body !== undefined).map(({ route, path }) => [path, route] as const))(
  'the body of %s',
  (path, { method, operationId }) => {
    const body = BODIES[operationId] ?? {}
    const token = TOKEN

    it.each(['[]', 'null', '"text"', '{', ''])('is an object, not %s', async (text) => {
      expect((await send(method, path, { token, body: text })).status).toBe(400)
    })

    it('has no field of another name', async () => {
      const { status, text } = await send(method, path, { token, body: JSON.stringify({ ...body, balance: '1' }) })
      expect([status, messageOf(text)]).toEqual([400, expect.stringContaining('balance')])
    })

    it.each(Object.keys(body))('names the field %s of another type', async (field) => {
      for (const value of [{}, [], true, null]) {
        const { status, text } = await send(method, path, { token, body: JSON.stringify({ ...body, [field]: value }) })
        expect([status, messageOf(text)]).toEqual([400, expect.stringMatching(new RegExp(`^${field}: `))])
      }
    })
  },
)

it.each(
  ROUTES.filter(isOfArena)
    .filter(({ route }) => route.access === 'open' && route.method === 'GET')
    .map(({ route, path }) => [path, route] as const),
)('anyone may see %s, and what it answers has the shape that is described', async (path, route) => {
  const { status, text } = await send('GET', path)
  if (route.operationId === 'getJournal') {
    expect([status, messageOf(text)]).toEqual([403, expect.stringContaining('public from 2100-01-07T10:00:00.000Z on')])
    return
  }
  expect(status).toBe(route.status)
  if (route.contentType === undefined) expect(route.answer.safeParse(JSON.parse(text)).error).toBeUndefined()
})
