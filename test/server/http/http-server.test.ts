/**
 * What the suite of the service cannot ask of any service: errors from inside, the token of the emulator's surface,
 * clients that go.
 */
import type { IncomingHttpHeaders as HttpHeaders } from 'node:http'
import { connect } from 'node:net'
import { afterEach, describe, expect, it } from 'vitest'
import { InvariantError } from '../../../src/domain/errors.ts'
import { createExchange } from '../../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../../src/exchange/exchange.ts'
import { seededSecrets } from '../../../src/server/service/secrets.ts'
import { serve, type ServeOptions } from '../../../src/server/serve.ts'
import { VirtualClock } from '../../../src/simulation/clocks/virtual-clock.ts'
import { EventQueue } from '../../../src/simulation/event-queue.ts'
import { IdealLiquidity } from '../../../src/simulation/liquidity/ideal.ts'
import { SimulatedMarkets } from '../../../src/simulation/simulated-markets.ts'
import { EMULATOR_ROUTES, routeName } from '../../contract/service/service-routes.ts'
import { ServiceStage } from '../../contract/service/service-stage.ts'
import { ROOMY_CONFIG, START } from '../../contract/service/service-subject.ts'
import { KEEP_ALL } from '../../exchange/rig/configs.ts'

const SECRET = 'the ledger of user-1 is at /home/papertape'
const ORDER = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '1', qty: '1' }

let opened: ServiceStage[] = []
afterEach(async () => {
  await Promise.all(opened.map((stage) => stage.close()))
  opened = []
})

async function open(
  options: ServeOptions = {},
  change: (exchange: Exchange) => void = () => undefined,
): Promise<ServiceStage> {
  const { markets, quoteAsset, limits } = ROOMY_CONFIG
  const exchange = createExchange({ markets, quoteAsset, history: KEEP_ALL })
  change(exchange)
  const simulated = new SimulatedMarkets(exchange, new EventQueue(START), () => new IdealLiquidity())
  const clock = new VirtualClock(START)
  const server = await serve(simulated, { clock, secrets: seededSecrets(1), limits, ...options })
  const stage = new ServiceStage({ ...server, adminToken: options.adminToken, close: () => server.close() })
  opened.push(stage)
  return stage
}

describe('decision 27: an error inside', () => {
  it('that is none of the engine is 503 SERVICE_UNAVAILABLE, without a word of it, and reported to onError with the id', async () => {
    const reported: unknown[][] = []
    const onError = (...each: unknown[]): void => void reported.push(each)
    const service = await open({ onError }, (exchange) => {
      exchange.balances = () => {
        throw new TypeError(SECRET)
      }
    })
    const user = await service.user()
    const answer = await user.get('/balances')
    expect([answer.status, answer.code]).toEqual([503, 'SERVICE_UNAVAILABLE'])
    expect(answer.text + JSON.stringify(answer.headers)).not.toContain('ledger')
    expect(reported).toMatchObject([[{ message: SECRET }, answer.headers['x-request-id']]])
    expect((await user.get('/orders')).status).toBe(200)
  })

  it('of the engine is 503 ENGINE_UNAVAILABLE from then on, PORTFOLIO_UNAVAILABLE of the portfolio, with every header', async () => {
    const service = await open({}, (exchange) => {
      exchange.order = () => {
        throw new InvariantError(SECRET)
      }
    })
    const user = await service.user({ credits: { USD: '1000' } })
    const outcome = async (method: string, path: string, body?: unknown): Promise<unknown[]> => {
      const { status, code, text } = await user.ask(method, path, { body })
      expect(text).not.toContain('ledger')
      return [status, code]
    }
    expect(await outcome('GET', '/orders/1')).toEqual([503, 'ENGINE_UNAVAILABLE'])
    for (const [method, path] of [
      ['POST', '/orders'],
      ['DELETE', '/orders/1'],
      ['GET', '/orders'],
      ['GET', '/markets/tickers'],
      ['GET', '/balances'],
    ] as const) {
      expect(await outcome(method, path, ORDER), path).toEqual([503, 'ENGINE_UNAVAILABLE'])
    }
    expect(await outcome('GET', '/portfolio')).toEqual([503, 'PORTFOLIO_UNAVAILABLE'])
    // What needs no engine is answered as ever.
    expect(await outcome('GET', '/nothing')).toEqual([404, 'VALIDATION_ERROR'])
    expect(await outcome('GET', '/markets/%ZZ/ticker')).toEqual([400, 'VALIDATION_ERROR'])
  })

  it('of the engine in the portfolio itself is 503 PORTFOLIO_UNAVAILABLE', async () => {
    const service = await open({}, (exchange) => {
      exchange.portfolio = () => {
        throw new InvariantError(SECRET)
      }
    })
    const user = await service.user()
    expect((await user.get('/portfolio')).code).toBe('PORTFOLIO_UNAVAILABLE')
    expect((await user.get('/balances')).code).toBe('ENGINE_UNAVAILABLE')
  })
})

describe('the emulator surface with a token', () => {
  const PATHS: Readonly<Record<string, string>> = { '{id}': 'user-1', '{symbol}': 'BTC_USD' }
  it.each(EMULATOR_ROUTES.map((route) => [routeName(route), route] as const))('%s', async (_name, route) => {
    const service = await open({ adminToken: 'token' })
    await service.user()
    const path = `/emulator${route.path.replaceAll(/\{\w+\}/g, (name) => PATHS[name] ?? '')}`
    for (const authorization of [
      '',
      'token',
      'Bearer',
      'Bearer ',
      'Bearer toke',
      'Bearer token2',
      'Bearer token token',
      'Basic token',
    ]) {
      const { status, code } = await service.ask(route.method, path, { body: {}, headers: { authorization } })
      expect([authorization, status, code]).toEqual([authorization, 401, 'AUTHENTICATION_REQUIRED'])
    }
    expect((await service.ask(route.method, path, { body: {} })).status).not.toBe(401)
    const headers = { authorization: 'bearer  token' }
    expect((await service.ask(route.method, path, { body: {}, headers })).status).not.toBe(401)
  })

  it('opens nothing of the service', async () => {
    const service = await open({ adminToken: 'token' })
    const { status, code } = await service.ask('GET', '/balances', { headers: { authorization: 'Bearer token' } })
    expect([status, code]).toEqual([401, 'AUTHENTICATION_REQUIRED'])
  })
})

describe('pages of another origin', () => {
  const ORIGIN = 'http://localhost:3000'
  const asked = async (
    cors: string | undefined,
    origin: string,
    path: string,
    method = 'GET',
  ): Promise<HttpHeaders> => {
    const service = await open({ cors })
    const headers = { origin, 'access-control-request-method': 'POST' }
    const answer = await service.ask(method, path, { headers })
    expect(answer.status).not.toBe(500)
    return answer.headers
  }

  it('read nothing, unless theirs is allowed', async () => {
    expect((await asked(undefined, ORIGIN, '/markets'))['access-control-allow-origin']).toBeUndefined()
    expect((await asked(ORIGIN, 'http://localhost:3001', '/markets'))['access-control-allow-origin']).toBeUndefined()
    expect(await asked(ORIGIN, ORIGIN, '/markets')).toMatchObject({
      'access-control-allow-origin': ORIGIN,
      vary: 'origin',
    })
    expect((await asked('*', ORIGIN, '/markets'))['access-control-allow-origin']).toBe('*')
  })

  it('read errors and headers too, and may ask beforehand', async () => {
    const refused = await asked(ORIGIN, ORIGIN, '/orders')
    expect(refused['access-control-expose-headers']).toContain('x-request-id')
    expect(refused['access-control-allow-origin']).toBe(ORIGIN)
    expect((await asked(ORIGIN, ORIGIN, '/nothing'))['access-control-allow-origin']).toBe(ORIGIN)
    const before = await asked(ORIGIN, ORIGIN, '/orders', 'OPTIONS')
    expect(before['access-control-allow-headers']).toContain('x-api-key')
    expect(before['access-control-allow-methods']).toContain('POST')
    expect((await asked(undefined, ORIGIN, '/orders', 'OPTIONS'))['access-control-allow-methods']).toBeUndefined()
  })
})

describe('the emulator surface without a token', () => {
  it.each`
    host                     | status | why
    ${'evil.example'}        | ${403} | ${'a page whose name leads to this machine'}
    ${'127.0.0.1.evil.test'} | ${403} | ${'a name that begins like an address'}
    ${'localhost'}           | ${200} | ${'this machine by its name'}
    ${'LocalHost:80'}        | ${200} | ${'any port of it'}
    ${'[::1]:80'}            | ${200} | ${'its address of six'}
  `('answers $host with $status: $why', async ({ host, status }: { host: string; status: number }) => {
    const service = await open()
    const { port } = new URL(service.addresses.baseUrl)
    const answer = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(`GET /emulator/audit HTTP/1.1\r\nhost: ${host}\r\nconnection: close\r\n\r\n`)
      })
      let text = ''
      socket.on('data', (data) => (text += String(data)))
      socket.on('end', () => {
        resolve(text)
      })
      socket.on('error', reject)
    })
    expect(answer).toContain(`HTTP/1.1 ${status} `)
  })
})

it('the virtual clock goes to the end of the year 9999 and no further', async () => {
  const service = await open({ clock: new VirtualClock(Date.parse('9999-12-31T23:59:59.000Z')) })
  expect((await service.ask('POST', '/emulator/clock', { body: { advanceMs: 1_000 } })).code).toBe('VALIDATION_ERROR')
  expect((await service.ask('POST', '/emulator/clock', { body: { advanceMs: 999 } })).status).toBe(200)
})

describe('a client that goes', () => {
  it('in the middle of its body leaves no order and no error of ours', async () => {
    const reported: unknown[] = []
    const service = await open({ onError: (error) => void reported.push(error) })
    const user = await service.user({ credits: { USD: '1000' } })
    const { port } = new URL(service.addresses.baseUrl)
    await new Promise<void>((resolve) => {
      const socket = connect(Number(port), '127.0.0.1', () => {
        socket.write(
          `POST /v1/orders HTTP/1.1\r\nhost: x\r\nx-api-key: ${user.key}\r\ncontent-type: application/json\r\ncontent-length: 90\r\n\r\n{"symbol"`,
          () => socket.destroy(),
        )
      })
      socket.on('close', () => resolve())
    })
    for (let turn = 0; turn < 20; turn += 1) await user.get('/balances')
    expect((await user.get('/orders')).json).toEqual([])
    expect(reported).toEqual([])
  })
})
