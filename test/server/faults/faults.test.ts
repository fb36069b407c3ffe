import { afterEach, beforeEach, describe, expect, it } from 'vitest'
import { FAULT_KINDS } from '../../../src/server/faults/faults.ts'
import { errorSchema, orderSchema } from '../../../src/wire/schemas.ts'
import { connectTo } from '../rig/raw-connection.ts'
import { LIMIT_BUY, serveMarket, type Answer, type ServedMarket, type ServedUser } from '../rig/served-market.ts'
import { listenTo } from '../rig/stream-listener.ts'

let served: ServedMarket
let user: ServedUser
beforeEach(async () => {
  served = await serveMarket()
  user = await served.user({ USD: '1000000' })
})
afterEach(async () => {
  await served.server.close()
  expect(served.errors).toEqual([])
})

const place = (): Promise<Answer> => served.call('POST', '/v1/orders', { key: user.key, body: LIMIT_BUY })
const orderCount = async (): Promise<number> => {
  const { body } = await served.call('GET', '/v1/orders/open', { key: user.key })
  return (body as unknown[]).length
}
const once = (fault: string, route: string, more: object = {}): Promise<Answer> =>
  served.fault({ fault, route, count: 1, ...more })

interface StruckOrder {
  readonly fault: string
  readonly status: number
  readonly code: string
  /** That exist afterwards. */
  readonly orders: number
}

describe('a fault that is an answer', () => {
  it.each`
    fault                      | status | code                       | orders
    ${'engine-timeout-before'} | ${504} | ${'ENGINE_TIMEOUT'}        | ${0}
    ${'engine-timeout-after'}  | ${504} | ${'ENGINE_TIMEOUT'}        | ${1}
    ${'engine-unavailable'}    | ${503} | ${'ENGINE_UNAVAILABLE'}    | ${0}
    ${'service-unavailable'}   | ${503} | ${'SERVICE_UNAVAILABLE'}   | ${0}
    ${'portfolio-unavailable'} | ${503} | ${'PORTFOLIO_UNAVAILABLE'} | ${0}
    ${'rate-limited'}          | ${429} | ${'RATE_LIMITED'}          | ${0}
  `('$fault: $status $code, and $orders orders', async ({ fault, status, code, orders }: StruckOrder) => {
    expect(await once(fault, 'POST /orders')).toMatchObject({ status: 201, body: { id: 'fault-1' } })
    const answer = await place()
    expect(answer.status).toBe(status)
    const { error, requestId } = errorSchema.parse(answer.body)
    expect(error.code).toBe(code)
    expect(answer.headers.get('x-request-id')).toBe(requestId)
    expect(answer.headers.get('ratelimit')).toMatch(/"general".*"mutations"/)
    expect(answer.headers.has('retry-after')).toBe(code === 'RATE_LIMITED')
    expect(await orderCount()).toBe(orders)
    expect((await place()).status).toBe(201)
    expect(await orderCount()).toBe(orders + 1)
  })

  it.each([
    [1, '1'],
    [1_000, '1'],
    [1_001, '2'],
    [7_000, '7'],
  ])('rate-limited asks to wait %i ms as Retry-After: %s', async (ms, seconds) => {
    await once('rate-limited', 'GET /portfolio', { ms })
    const { status, headers } = await served.call('GET', '/v1/portfolio', { key: user.key })
    expect([status, headers.get('retry-after')]).toEqual([429, seconds])
  })
})

describe('a fault that ends the connection', () => {
  it.each([
    ['reset-before', 0],
    ['reset-after', 1],
  ])('%s: no answer, and %i orders', async (fault, orders) => {
    await once(fault, 'POST /orders')
    await expect(place()).rejects.toThrow(/fetch failed/)
    expect(await orderCount()).toBe(orders)
  })

  it('reset is one, and no byte of an answer comes before it', async () => {
    await once('reset-before', 'GET /markets')
    const connection = await connectTo(served.port)
    const reset = new Promise((resolve) => connection.socket.once('error', resolve))
    connection.write('GET /v1/markets HTTP/1.1\r\nHost: x\r\n\r\n')
    expect(await reset).toMatchObject({ code: 'ECONNRESET' })
    expect(connection.received).toBe('')
  })

  it('truncated-body: headers of the whole answer, half of its body, and the order exists', async () => {
    await once('truncated-body', 'POST /orders')
    const connection = await connectTo(served.port)
    const body = JSON.stringify(LIMIT_BUY)
    connection.write(
      `POST /v1/orders HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\nX-Api-Key: ${user.key}\r\nContent-Length: ${body.length}\r\n\r\n${body}`,
    )
    await connection.ended
    const [head = '', sent = ''] = connection.received.split('\r\n\r\n')
    expect(head).toMatch(/^HTTP\/1\.1 201 /)
    expect(head).toMatch(/\r\nx-request-id: [0-9a-f-]{36}/)
    expect(head).toMatch(/\r\nratelimit: "general"/)
    const length = Number(/\r\ncontent-length: (\d+)/.exec(head)?.[1])
    expect(sent.length).toBe(Math.floor(length / 2))
    const { body: orders } = await served.call('GET', '/v1/orders', { key: user.key })
    expect(JSON.stringify((orders as unknown[])[0])).toMatch(new RegExp(`^${sent.replaceAll(/[[{.\\]/g, '\\$&')}`))
    await once('truncated-body', 'GET /markets')
    await expect(served.call('GET', '/v1/markets')).rejects.toThrow()
  })

  it('stream-drop: every stream, in place of the next event', async () => {
    const streams = [await listenTo(served.server.streamUrl), await listenTo(served.server.streamUrl)]
    await streams[0]?.subscribe('trade:BTC_USD')
    await once('stream-drop', 'GET /ws')
    served.print('BTC_USD', 10_000)
    for (const stream of streams) {
      expect(await stream.closed).toEqual([1006, ''])
      expect(stream.of('trade:BTC_USD')).toEqual([])
    }
    const again = await listenTo(served.server.streamUrl)
    await again.subscribe('trade:BTC_USD')
    served.print('BTC_USD', 10_001)
    await again.until(() => again.of('trade:BTC_USD').length === 1)
  })
})

describe('a delay', () => {
  it('holds the answer back, and what is done is done after it', async () => {
    await once('delay', 'POST /orders', { ms: 100 })
    const start = performance.now()
    const answer = place()
    expect(await orderCount()).toBe(0)
    expect(orderSchema.parse((await answer).body).id).toBe('1')
    // A timer may end a little early.
    expect(performance.now() - start).toBeGreaterThan(95)
  })

  it('comes together with the fault behind it', async () => {
    await once('delay', '*', { ms: 50 })
    await once('service-unavailable', '*')
    const start = performance.now()
    expect((await place()).status).toBe(503)
    expect(performance.now() - start).toBeGreaterThan(45)
    expect((await place()).status).toBe(201)
  })

  it('holds back many at once without a warning', async () => {
    const warnings: Error[] = []
    const onWarning = (warning: Error): void => void warnings.push(warning)
    process.on('warning', onWarning)
    await served.fault({ fault: 'delay', route: 'POST /orders', ms: 50, count: 30 })
    const statuses = await Promise.all(Array.from({ length: 30 }, async () => (await place()).status))
    process.off('warning', onWarning)
    expect([statuses.filter((status) => status === 201).length, warnings]).toEqual([30, []])
  })

  it('is longer than a connection may be silent', async () => {
    await served.server.close()
    served = await serveMarket({ wire: { http: { silentMs: 60 } } })
    await once('delay', 'GET /markets', { ms: 250 })
    expect((await served.call('GET', '/v1/markets')).status).toBe(200)
  })
})

describe('the handshake of a stream', () => {
  it('is a request to GET /ws', async () => {
    await once('service-unavailable', 'GET /ws')
    await once('rate-limited', 'GET /ws', { ms: 3_000 })
    await once('reset-before', 'GET /ws')
    await expect(listenTo(served.server.streamUrl)).rejects.toThrow('Unexpected server response: 503')
    await expect(listenTo(served.server.streamUrl)).rejects.toThrow('Unexpected server response: 429')
    await expect(listenTo(served.server.streamUrl)).rejects.toThrow(/ECONNRESET|hang up/)
    await once('delay', 'GET /ws', { ms: 30 })
    const stream = await listenTo(served.server.streamUrl)
    expect(await stream.subscribe('trade:BTC_USD')).toMatchObject({ op: 'subscribed' })
    await once('reset-after', 'GET /ws')
    expect(await (await listenTo(served.server.streamUrl)).closed).toEqual([1006, ''])
  })

  it('that waits does not keep the server from stopping', async () => {
    await once('delay', 'GET /ws', { ms: 600_000 })
    const stream = listenTo(served.server.streamUrl)
    const refused = expect(stream).rejects.toThrow()
    await new Promise((resolve) => setTimeout(resolve, 50))
    await served.server.close()
    await refused
  })
})

describe('where', () => {
  const statusOf = async (path: string): Promise<number> => (await served.call('GET', path, { key: user.key })).status

  it('a route is written as in the specification', async () => {
    await served.fault({ fault: 'service-unavailable', route: 'GET /markets/{symbol}/ticker', count: 2 })
    expect(await statusOf('/v1/markets/tickers')).toBe(200)
    expect(await statusOf('/v1/markets/BTC_USD/ticker')).toBe(503)
    expect(await statusOf('/v1/markets/ETH_USD/ticker')).toBe(503)
    expect(await statusOf('/v1/markets/ETH_USD/ticker')).toBe(200)
  })

  it('* is every route of the service, and none of the emulator', async () => {
    await served.fault({ fault: 'engine-unavailable', route: '*', count: 2 })
    expect((await served.call('GET', '/emulator/audit')).status).toBe(200)
    expect(await statusOf('/v1/markets')).toBe(503)
    expect(await statusOf('/v1/balances')).toBe(503)
    expect(await statusOf('/v1/balances')).toBe(200)
  })

  it.each([
    'POST /order',
    'GET /orders/1',
    'POST /v1/orders',
    'post /orders',
    '/orders',
    '**',
    'POST /emulator/users',
    'GET /audit',
  ])('a route %j is none: 400 naming it', async (route) => {
    const { status, body } = await served.fault({ fault: 'delay', route, count: 1 })
    expect(status).toBe(400)
    const { error } = errorSchema.parse(body)
    expect([error.code, error.details?.map(({ field }) => field)]).toEqual(['VALIDATION_ERROR', ['route']])
  })

  it('a stream cannot be dropped at another route', async () => {
    const { status, body } = await served.fault({ fault: 'stream-drop', route: 'POST /orders', count: 1 })
    expect([status, errorSchema.parse(body).error.details?.[0]?.field]).toEqual([400, 'route'])
  })

  it('nothing is planned by a request that is refused', async () => {
    await served.fault({ fault: 'service-unavailable', route: 'GET /nothing', count: 5 })
    expect(await statusOf('/v1/markets')).toBe(200)
  })
})

describe('how often', () => {
  const faultsOf = async (plan: object, requests = 40): Promise<readonly number[]> => {
    await served.fault({ fault: 'service-unavailable', route: 'GET /markets', ...plan })
    const statuses: number[] = []
    for (let time = 0; time < requests; time += 1) statuses.push((await served.call('GET', '/v1/markets')).status)
    await served.call('DELETE', '/emulator/faults')
    return statuses
  }
  const struck = (statuses: readonly number[]): number => statuses.filter((status) => status === 503).length

  it('is counted', async () => {
    expect(struck((await faultsOf({ count: 3 })).slice(0, 3))).toBe(3)
    expect(struck(await faultsOf({ count: 3 }))).toBe(3)
  })

  it('comes from its seed: the same gives the same, another one another', async () => {
    const first = await faultsOf({ probability: 0.4, seed: 7 })
    expect(await faultsOf({ probability: 0.4, seed: 7 })).toEqual(first)
    expect(await faultsOf({ probability: 0.4, seed: 8 })).not.toEqual(first)
    expect(struck(first)).toBeGreaterThan(5)
    expect(struck(first)).toBeLessThan(35)
  })

  it('is never for a chance of 0 and always for 1, and a count limits a chance', async () => {
    expect(struck(await faultsOf({ probability: 0 }))).toBe(0)
    expect(struck(await faultsOf({ probability: 1 }))).toBe(40)
    expect(struck(await faultsOf({ probability: 0.9, count: 2 }))).toBe(2)
  })

  it('two at one route happen one after the other', async () => {
    await once('engine-timeout-before', 'POST /orders')
    await once('rate-limited', 'POST /orders')
    expect([(await place()).status, (await place()).status, (await place()).status]).toEqual([504, 429, 201])
  })

  it('none after all are forgotten', async () => {
    for (const fault of FAULT_KINDS) await served.fault({ fault, route: '*', probability: 1 })
    expect((await served.call('DELETE', '/emulator/faults')).status).toBe(204)
    expect((await place()).status).toBe(201)
  })

  it('a request that would have been refused anyhow is not struck before its key is known', async () => {
    await once('service-unavailable', 'POST /orders')
    expect((await served.call('POST', '/v1/orders', { body: LIMIT_BUY })).status).toBe(401)
    expect((await place()).status).toBe(503)
  })
})
