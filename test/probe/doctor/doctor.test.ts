import { once } from 'node:events'
import { createServer, type RequestListener, type Server } from 'node:http'
import { createServer as createTcpServer, type AddressInfo, type Socket } from 'node:net'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { WebSocketServer } from 'ws'
import { doctor, type DoctorReport } from '../../../src/probe/doctor/doctor.ts'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { breakingProxy, type Bend } from '../conformance/breaking-proxy.ts'

/** Nothing listens there, so that no one waits for a trade. */
const NO_STREAM = 'ws://127.0.0.1:1/v1/ws'

let emulator: Emulator
let key: string
const admin = async (path: string, body: object, method = 'POST'): Promise<unknown> => {
  const headers = { 'content-type': 'application/json' }
  const response = await fetch(emulator.emulatorUrl + path, { method, headers, body: JSON.stringify(body) })
  return response.json()
}
beforeAll(async () => {
  emulator = await startEmulator({
    config: {
      agents: false,
      limits: { general: 100_000, mutations: 100_000, windowSeconds: 60 },
      users: [{ email: 'a@example.com', verified: true, credits: { USD: '1000' }, keys: [{ scopes: [...SCOPES] }] }],
    },
  })
  key = emulator.users[0]?.keys[0] ?? ''
})
afterAll(() => emulator.close())

const opened: (() => Promise<unknown>)[] = []
afterEach(async () => {
  for (const close of opened.splice(0)) await close()
})

async function serving(listener: RequestListener): Promise<string> {
  const server: Server = createServer(listener).listen(0, '127.0.0.1')
  await once(server, 'listening')
  opened.push(async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  })
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`
}

const examine = (baseUrl: string, more: object = {}): Promise<DoctorReport> =>
  doctor({ baseUrl, streamUrl: NO_STREAM, key, timeoutMs: 500, ...more })
async function through(bend: Bend, more: object = {}): Promise<DoctorReport & { readonly asked: readonly string[] }> {
  const proxy = await breakingProxy(emulator.baseUrl, bend)
  opened.push(() => proxy.close())
  return { ...(await examine(proxy.baseUrl, { timeoutMs: 5_000, ...more })), asked: proxy.asked }
}
const checkOf = ({ checks }: DoctorReport, name: string): string => {
  const found = checks.find((check) => check.name === name)
  return found === undefined ? 'none' : `${found.verdict}: ${found.says}`
}
const faultsOf = ({ checks }: DoctorReport): readonly string[] =>
  checks.flatMap(({ name, verdict }) => (verdict === 'fault' ? [name] : []))

describe('a service that can be used', () => {
  it('has no fault, and nothing is ordered', async () => {
    const report = await through({}, { streamUrl: emulator.streamUrl })
    expect([report.canStart, faultsOf(report)]).toEqual([true, []])
    expect(report.asked.filter((each) => !each.startsWith('GET '))).toEqual([
      'POST /orders',
      'DELETE /orders/papertape-doctor-no-such-order',
    ])
    expect(checkOf(report, 'stream')).toMatch(/^ok: ws:.* accepts subscriptions/)
    expect(checkOf(report, 'limits')).toMatch(/^ok: general: \d+ of 100000 left in 60 s, mutations/)
    expect(checkOf(report, 'funds')).toBe('ok: available: USD 1000')
    const orders = await fetch(`${emulator.baseUrl}/orders`, { headers: { 'x-api-key': key } })
    expect(await orders.json()).toEqual([])
  })

  it('sends a creation without a body', async () => {
    const bodies: string[] = []
    await through({ request: ({ method, body }) => method === 'POST' && bodies.push(body) })
    expect(bodies).toEqual([''])
  })

  it('works without stream, rate headers and Date, and says what that costs', async () => {
    const report = await through({
      answer: ({ headers }) => (delete headers.ratelimit, delete headers['ratelimit-policy']),
    })
    expect(report.canStart).toBe(true)
    expect(checkOf(report, 'stream')).toMatch(/^warning: .*nothing is listening there; trades are polled/)
    expect(checkOf(report, 'limits')).toMatch(/^warning: the responses have no rate-limit headers/)
  })

  it('reports a subscription that is answered without its stream', async () => {
    const server = new WebSocketServer({ host: '127.0.0.1', port: 0 })
    server.on('connection', (socket) => {
      socket.on('message', () => socket.send('{"op":"subscribed","streams":[],"id":1}'))
    })
    await once(server, 'listening')
    opened.push(async () => {
      server.close()
      await once(server, 'close')
    })
    const streamUrl = `ws://127.0.0.1:${(server.address() as AddressInfo).port}`
    expect(checkOf(await through({}, { streamUrl }), 'stream')).toMatch(
      /^warning: .*the subscription was refused: it is missing from the streams that the service confirmed; trades are polled/,
    )
  })

  it.each([
    [-10_000, /^warning: this machine is (?:9|10)\.\d s ahead of the service/],
    [10_000, /^warning: this machine is (?:8|9|10)\.\d s behind the service/],
    [0, /^ok: within/],
  ])('a clock that is %i ms off', async (ms, says) => {
    const report = await through({
      answer: ({ headers }) => (headers.date = new Date(Date.parse(headers.date ?? '') + ms).toUTCString()),
    })
    expect(checkOf(report, 'clock')).toMatch(says)
  })

  it('a page of orders that is capped is a warning, one that does not turn a fault', async () => {
    const all = Array.from({ length: 20 }, (_none, id) => ({ id: String(id) }))
    const paged = (rows: number, turns: boolean): Bend => ({
      answer: (answer, { path }) => {
        if (!path.startsWith('/orders?')) return
        const page = turns ? Number(/page=(\d+)/.exec(path)?.[1] ?? 1) : 1
        answer.json = all.slice((page - 1) * rows, page * rows)
      },
    })
    expect(checkOf(await through(paged(7, true)), 'pages')).toMatch(
      /^warning: a page of GET \/orders has 7 rows; 500 were requested/,
    )
    expect(checkOf(await through(paged(20, true)), 'pages')).toMatch(/^ok: all 20 orders are on one page/)
    const stuck = await through(paged(7, false))
    expect([stuck.canStart, checkOf(stuck, 'pages')]).toEqual([false, expect.stringMatching(/ignores page/)])
  })
})

describe('a key', () => {
  it.each([
    ['none', undefined, /^fault: missing: set PAPERTAPE_API_KEY/],
    ['one that is not known', 'pt_secretid_verysecretpart', /^fault: the service answers 401 INVALID_API_KEY: put/],
  ])('%s is a fault, and its text is nowhere', async (_what, given, says) => {
    const report = await through({}, { key: given })
    expect([report.canStart, faultsOf(report), checkOf(report, 'key')]).toEqual([
      false,
      ['key'],
      expect.stringMatching(says),
    ])
    expect(JSON.stringify(report)).not.toMatch(/secret/)
  })

  it.each(SCOPES)('that lacks %s is a fault of that name alone', async (scope) => {
    const scopes = SCOPES.filter((each) => each !== scope)
    const { key: lesser } = (await admin('/users/user-1/keys', { scopes })) as { key: string }
    const report = await through({}, { key: lesser })
    expect(faultsOf(report)).toEqual([scope])
    expect(checkOf(report, scope)).toBe('fault: the key lacks this scope: create a key that has it')
  })

  it('of an account that is not verified is a fault that says so', async () => {
    await admin('/users/user-1', { verified: false }, 'PATCH')
    const report = await through({})
    await admin('/users/user-1', { verified: true }, 'PATCH')
    expect(faultsOf(report)).toEqual(['ORDER_CREATE', 'ORDER_CANCEL'])
    expect(checkOf(report, 'ORDER_CREATE')).toMatch(/verify its e-mail/)
  })

  it('that a service repeats is not shown, not even in part', async () => {
    const report = await through({
      answer: (answer) => {
        if (answer.status < 400) return
        answer.json = { error: { code: `BAD_${key}`, message: key }, requestId: 'x' }
      },
    })
    expect(report.canStart).toBe(false)
    // Shorter ones are in any text.
    const pieces = Array.from({ length: key.length - 7 }, (_, at) => key.slice(at, at + 8)).slice(key.indexOf('_') + 1)
    expect(pieces.length).toBeGreaterThan(10)
    for (const piece of pieces) expect(JSON.stringify(report)).not.toContain(piece)
  })

  it('a service that takes an order without a body is not to be traded with', async () => {
    const report = await through({ answer: (answer, { method }) => method === 'POST' && (answer.status = 201) })
    expect(checkOf(report, 'ORDER_CREATE')).toMatch(/^fault: .*do not trade on this service/)
  })
})

describe('a service that cannot be used', () => {
  const html: RequestListener = (_request, response) =>
    response.setHeader('content-type', 'text/html').end('<html>hello')
  const redirect: RequestListener = (_request, response) =>
    response.writeHead(301, { location: 'https://a.example/v1' }).end()
  const silent: RequestListener = () => undefined
  const long: RequestListener = (_request, response) => response.end(Buffer.alloc(2_000_000, 0x20))
  const noMarket: RequestListener = (_request, response) => response.end('{"data":[]}')
  const half: RequestListener = (_request, response) => response.end('{"data":[{"symbol":"A_B"}]}')
  const cut: RequestListener = (request) => request.socket.destroy()
  const busy: RequestListener = (_request, response) =>
    response.writeHead(503).end('{"error":{"code":"SERVICE_UNAVAILABLE","message":"x"},"requestId":"x"}')

  it.each([
    ['a web page', html, /with a web page, not JSON: is this the base URL/],
    ['a redirect', redirect, /redirects to https:\/\/a\.example\/v1, and redirects are not followed/],
    ['silence', silent, /in time/],
    ['two megabytes', long, /longer than 1048576 bytes/],
    ['no market', noMarket, /lists no market/],
    ['half a market', half, /not as specified: .*/],
    ['a cut connection', cut, /the connection was cut/],
    ['503', busy, /answers 503 SERVICE_UNAVAILABLE/],
  ])('%s: reported in a sentence, and the rest is not asked', async (_what, listener, says) => {
    const report = await examine(await serving(listener))
    expect([report.canStart, faultsOf(report)]).toEqual([false, ['service']])
    expect(checkOf(report, 'service')).toMatch(says)
  })

  it('that speaks no HTTP, or no TLS, or is not there', async () => {
    const sockets: Socket[] = []
    const server = createTcpServer((socket) => {
      socket.on('error', () => undefined)
      socket.write('SSH-2.0-OpenSSH\r\n')
      sockets.push(socket)
    }).listen(0, '127.0.0.1')
    await once(server, 'listening')
    opened.push(async () => {
      for (const socket of sockets) socket.destroy()
      server.close()
      await once(server, 'close')
    })
    const { port } = server.address() as AddressInfo
    expect(checkOf(await examine(`http://127.0.0.1:${port}/v1`), 'service')).toMatch(/is not HTTP/)
    expect(checkOf(await examine(`https://127.0.0.1:${port}/v1`), 'service')).toMatch(/does not speak TLS/)
    expect(checkOf(await examine('http://127.0.0.1:1/v1'), 'service')).toMatch(/nothing is listening there/)
    expect(checkOf(await examine('http://no-such-host.invalid/v1', { key: undefined }), 'key')).toMatch(
      /^fault: missing/,
    )
  })

  it('a path without /v1 is reported', async () => {
    const report = await examine(new URL(emulator.baseUrl).origin)
    expect(checkOf(report, 'service')).toMatch(/answers 404 VALIDATION_ERROR: is this the base URL of the service\?/)
    expect(checkOf(report, 'version')).toMatch(/^warning/)
  })
})
