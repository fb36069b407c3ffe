import { describe, expect, it } from 'vitest'
import { ClientBudget } from '../../../../src/adapter/live/rest/client-budget.ts'
import type { RestAnswer, RestRequest } from '../../../../src/adapter/live/rest/rest-transport.ts'
import { ServiceClient } from '../../../../src/adapter/live/rest/service-client.ts'
import type { OrderRequest } from '../../../../src/domain/order.ts'
import { FakeLiveTime } from '../rig/fake-live-time.ts'
import { ManualTransport, NO_ANSWER, refused, whole } from '../rig/manual-transport.ts'
import { BTC, ETH, fillJson, MARKETS_JSON, orderJson } from '../rig/wire-examples.ts'

const LIMIT_BUY: OrderRequest = { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: 10050, qty: 50_000_000 }
const CUT: RestAnswer = { type: 'broken', status: 200, reason: 'the body is shorter than its length says' }
const REDIRECT: RestAnswer = { type: 'broken', status: 307, reason: 'a redirect', isUnreadable: true }
const HTML = (status: number): RestAnswer => whole(status, undefined, { 'content-type': 'text/html' })

type Respond = (request: RestRequest, attempt: number) => RestAnswer

/** A client whose service lists the markets and answers the rest by `respond`. */
function rig(respond: Respond) {
  const time = new FakeLiveTime()
  const unlisted: string[] = []
  const warnings: string[] = []
  let attempt = 0
  const transport = new ManualTransport((request) =>
    request.path === '/markets' ? whole(200, MARKETS_JSON) : respond(request, (attempt += 1)),
  )
  const budget = new ClientBudget({ time })
  const client = new ServiceClient({
    transport,
    budget,
    time,
    random: () => 0.5,
    onUnlisted: (symbol) => unlisted.push(symbol),
    onWarning: (text) => warnings.push(text),
  })
  const sent = (path: string): number => transport.sent.filter(({ request }) => request.path === path).length
  return { time, client, budget, transport, unlisted, warnings, sent }
}

async function created(answer: RestAnswer) {
  const { time, client, budget, sent } = rig(() => answer)
  await client.markets()
  expect(budget.takeMutation('entry')).toBe(true)
  const outcome = await time.until(client.create(LIMIT_BUY))
  expect(sent('/orders')).toBe(1)
  return outcome
}

async function cancelled(...answers: readonly RestAnswer[]) {
  const { time, client, budget, sent } = rig((_request, attempt) => answers[attempt - 1] ?? NO_ANSWER)
  await client.markets()
  expect(budget.takeMutation('cancel')).toBe(true)
  const outcome = await time.until(client.cancel('17'))
  return { outcome, sent: sent('/orders/17') }
}

describe('an order creation', () => {
  it('is one POST of exact decimals with the key', async () => {
    const { client, transport } = rig(() => whole(201, orderJson()))
    await client.markets()
    expect(await client.create(LIMIT_BUY)).toMatchObject({ type: 'created', order: { id: '17', qty: 50_000_000 } })
    expect(transport.last.request).toEqual({
      method: 'POST',
      path: '/orders',
      body: '{"symbol":"BTC_USD","side":"BUY","type":"LIMIT","price":"100.50","qty":"0.50000000"}',
      isKeyed: true,
    })
  })

  it.each`
    answer                                                      | why
    ${NO_ANSWER}                                                | ${'none came'}
    ${CUT}                                                      | ${'it was cut'}
    ${REDIRECT}                                                 | ${'a redirect'}
    ${whole(201)}                                               | ${'no JSON'}
    ${whole(201, {})}                                           | ${'no order'}
    ${whole(201, [orderJson()])}                                | ${'a list'}
    ${whole(201, orderJson({ qty: '0.5000000001' }))}           | ${'digits beyond the precision'}
    ${whole(201, orderJson({ side: 'SELL' }))}                  | ${'the other side'}
    ${whole(201, orderJson({ price: '100.51' }))}               | ${'another price'}
    ${whole(201, orderJson({ qty: '0.4' }))}                    | ${'another quantity'}
    ${whole(201, orderJson({ symbol: 'ETH_USD', qty: '0.5' }))} | ${'another market'}
    ${whole(200, orderJson())}                                  | ${'not 201'}
    ${whole(202, orderJson())}                                  | ${'not 201'}
    ${HTML(404)}                                                | ${'the page of a proxy'}
    ${HTML(405)}                                                | ${'the page of a proxy'}
    ${HTML(502)}                                                | ${'the page of a proxy'}
    ${refused(500, 'VALIDATION_ERROR')}                         | ${'the status of another code'}
    ${refused(400, 'RATE_LIMITED')}                             | ${'the status of another code'}
    ${refused(422, 'SOMETHING_NEW')}                            | ${'an unknown code'}
    ${refused(404, 'ORDER_NOT_FOUND')}                          | ${'the code of another call'}
    ${refused(409, 'ORDER_NOT_CANCELLABLE')}                    | ${'the code of another call'}
    ${refused(503, 'ENGINE_UNAVAILABLE')}                       | ${'a 5xx'}
    ${refused(504, 'ENGINE_TIMEOUT')}                           | ${'a 5xx'}
    ${whole(422, { error: { code: 'NO_LIQUIDITY' } })}          | ${'half an envelope'}
  `('is unknown after $answer.status: $why', async ({ answer }) => {
    expect(await created(answer)).toMatchObject({ type: 'unknown' })
  })

  it.each`
    status | code
    ${400} | ${'VALIDATION_ERROR'}
    ${401} | ${'INVALID_API_KEY'}
    ${401} | ${'AUTHENTICATION_REQUIRED'}
    ${403} | ${'FORBIDDEN'}
    ${403} | ${'EMAIL_NOT_VERIFIED'}
    ${404} | ${'MARKET_NOT_FOUND'}
    ${422} | ${'INSUFFICIENT_BALANCE'}
    ${422} | ${'NO_LIQUIDITY'}
    ${422} | ${'ORDER_REJECTED'}
    ${429} | ${'RATE_LIMITED'}
  `('is refused by $status $code', async ({ status, code }) => {
    const refusal = { code, message: `refused with ${code as string}` }
    expect(await created(refused(status, code))).toEqual({ type: 'refused', refusal })
  })

  it('takes MALFORMED_JSON for an order that is not of its form', async () => {
    expect(await created(refused(400, 'MALFORMED_JSON'))).toMatchObject({ refusal: { code: 'VALIDATION_ERROR' } })
  })

  it('names the request of an answer that no one understands', async () => {
    expect(await created(refused(503, 'ENGINE_UNAVAILABLE'))).toEqual({
      type: 'unknown',
      reason:
        'answered with 503 ENGINE_UNAVAILABLE: refused with ENGINE_UNAVAILABLE (request 00000000-0000-4000-8000-000000000000)',
    })
  })

  it('takes no order of a market order for one of a price', async () => {
    const { client } = rig(() => whole(201, orderJson({ type: 'MARKET', price: undefined, status: 'CANCELLED' })))
    await client.markets()
    const request: OrderRequest = { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: 50_000_000 }
    expect(await client.create(request)).toMatchObject({ type: 'created', order: { price: undefined } })
    expect(await client.create(LIMIT_BUY)).toMatchObject({ type: 'unknown' })
  })

  it('is refused without a POST for a market that is not listed', async () => {
    const { client, sent } = rig(() => whole(201, orderJson()))
    expect(await client.create(LIMIT_BUY)).toMatchObject({ type: 'refused', refusal: { code: 'MARKET_NOT_FOUND' } })
    expect(sent('/orders')).toBe(0)
  })
})

describe('a cancel', () => {
  it.each`
    answer                                                      | order                                | why
    ${whole(200, orderJson({ status: 'CANCELLED' }))}           | ${{ id: '17', status: 'CANCELLED' }} | ${'the order'}
    ${whole(200, { data: orderJson({ status: 'CANCELLED' }) })} | ${{ id: '17', status: 'CANCELLED' }} | ${'the order under data'}
    ${whole(200, { ok: true })}                                 | ${undefined}                         | ${'anything'}
    ${whole(200)}                                               | ${undefined}                         | ${'no JSON'}
    ${whole(204)}                                               | ${undefined}                         | ${'nothing'}
    ${whole(200, orderJson({ id: '18', status: 'CANCELLED' }))} | ${undefined}                         | ${'another order'}
    ${whole(200, orderJson())}                                  | ${undefined}                         | ${'a state that is not its last'}
  `('is done by $answer.status with $why', async ({ answer, order }) => {
    const { outcome, sent } = await cancelled(answer)
    expect(sent).toBe(1)
    expect(outcome.type).toBe('cancelled')
    if (order === undefined) expect(outcome).toEqual({ type: 'cancelled', order })
    else expect(outcome).toMatchObject({ order })
  })

  it.each`
    answer                                 | why
    ${NO_ANSWER}                           | ${'none came'}
    ${CUT}                                 | ${'it was cut'}
    ${HTML(502)}                           | ${'a 5xx'}
    ${refused(503, 'SERVICE_UNAVAILABLE')} | ${'a 503'}
    ${refused(504, 'ENGINE_TIMEOUT')}      | ${'a 504'}
    ${refused(429, 'RATE_LIMITED')}        | ${'it was not counted'}
    ${REDIRECT}                            | ${'a captive portal'}
    ${HTML(404)}                           | ${'the page of a gateway'}
    ${HTML(200)}                           | ${'a page of maintenance'}
  `('is repeated after $answer.type $answer.status: $why', async ({ answer }) => {
    const { outcome, sent } = await cancelled(answer, refused(409, 'ORDER_NOT_CANCELLABLE'))
    expect(sent).toBe(2)
    expect(outcome).toMatchObject({ type: 'refused', refusal: { code: 'ORDER_NOT_CANCELLABLE' } })
  })

  it('is given up as unknown after the fifth attempt', async () => {
    expect(await cancelled()).toEqual({ outcome: { type: 'unknown', reason: 'the connection was cut' }, sent: 5 })
  })

  it.each([refused(404, 'MARKET_NOT_FOUND'), whole(202)])(
    'is unknown at once after $status, which says nothing of it',
    async (answer) => {
      const { outcome, sent } = await cancelled(answer)
      expect(outcome.type).toBe('unknown')
      expect(sent).toBe(1)
    },
  )

  it('takes a place in the budget for each repetition, and waits for it', async () => {
    const { time, client, budget, transport } = rig(() => NO_ANSWER)
    for (let taken = 0; taken < 30; taken += 1) expect(budget.takeMutation('cancel')).toBe(true)
    const outcome = client.cancel('17')
    await time.pass(59_000)
    expect(transport.sent).toHaveLength(1)
    await time.pass(600_000)
    expect(transport.sent).toHaveLength(5)
    expect(await outcome).toMatchObject({ type: 'unknown' })
  })

  it('cannot leave its path by an id', async () => {
    const { client, transport } = rig(() => whole(204))
    await client.cancel('../balances?x=1#\ud800')
    expect(transport.last.request.path).toBe('/orders/..%2Fbalances%3Fx%3D1%23%EF%BF%BD')
  })
})

describe('a read', () => {
  it.each`
    answer                                 | why
    ${NO_ANSWER}                           | ${'none came'}
    ${CUT}                                 | ${'it was cut'}
    ${whole(200)}                          | ${'no JSON'}
    ${refused(503, 'SERVICE_UNAVAILABLE')} | ${'503'}
    ${refused(504, 'ENGINE_TIMEOUT')}      | ${'504'}
    ${HTML(502)}                           | ${'502'}
    ${refused(429, 'RATE_LIMITED')}        | ${'429'}
    ${HTML(200)}                           | ${'a page of maintenance'}
    ${HTML(404)}                           | ${'the page of a gateway'}
    ${HTML(403)}                           | ${'the page of a gateway'}
    ${REDIRECT}                            | ${'a captive portal'}
    ${whole(200, { message: 'later' })}    | ${'JSON of another form'}
    ${whole(404, { message: 'no route' })} | ${'an error of another form'}
    ${refused(418, 'TEAPOT')}              | ${'a code that is not known'}
  `('is repeated after $answer.type $answer.status', async ({ answer }) => {
    const { time, client, sent } = rig((_request, attempt) =>
      attempt < 5 ? answer : whole(200, { BTC: { available: '1.50', locked: '0' } }),
    )
    const balances = await time.until(client.balances('settle'))
    expect([...balances]).toEqual([['BTC', { available: '1.5', locked: '0' }]])
    expect(sent('/balances')).toBe(5)
  })

  it('waits longer each time, never all of it, and gives up after the fifth attempt', async () => {
    const { time, client, sent } = rig(() => NO_ANSWER)
    await expect(time.until(client.balances('poll'))).rejects.toMatchObject({ code: 'NO_ANSWER', isRetryable: true })
    expect(sent('/balances')).toBe(5)
    expect(time.monotonic()).toBe((250 + 500 + 1000 + 2000) / 2)
  })

  it.each`
    answer                             | code
    ${refused(401, 'INVALID_API_KEY')} | ${'INVALID_API_KEY'}
    ${refused(403, 'FORBIDDEN')}       | ${'FORBIDDEN'}
    ${refused(404, 'ASSET_NOT_FOUND')} | ${'ASSET_NOT_FOUND'}
  `('fails at once with $code, which comes again', async ({ answer, code }) => {
    const { time, client, sent } = rig(() => answer)
    await expect(time.until(client.balances('poll'))).rejects.toMatchObject({ code, isRetryable: false })
    expect(sent('/balances')).toBe(1)
  })

  it('names the path of a fault, the call, and the request, and may work later', async () => {
    const { time, client } = rig(() => whole(200, { message: 'later' }, { 'x-request-id': 'abc' }))
    await expect(time.until(client.openOrders('poll'))).rejects.toMatchObject({
      code: 'SCHEMA_FAULT',
      requestId: 'abc',
      isRetryable: true,
      message: 'GET /orders/open: the answer: expected an array, got an object',
    })
  })

  it("reports a burst of answers that are not the service's once", async () => {
    const { time, client, warnings } = rig((_request, attempt) =>
      attempt % 2 === 1 ? HTML(404) : whole(200, { BTC: { available: '1', locked: '0' } }),
    )
    for (let read = 0; read < 3; read += 1) await time.until(client.balances('poll'))
    expect(warnings).toEqual(['GET /balances: 404 with a web page instead of an answer from the service; retrying'])
  })

  it('waits for Retry-After, with all reads of the key behind it', async () => {
    const { time, client, sent } = rig((_request, attempt) =>
      attempt === 1 ? refused(429, 'RATE_LIMITED', { 'retry-after': '7' }) : whole(200, {}),
    )
    const first = client.balances('poll')
    await time.pass(0)
    const second = client.balances('poll')
    await time.pass(6_999)
    expect(sent('/balances')).toBe(1)
    await time.pass(500)
    await Promise.all([first, second])
    expect(sent('/balances')).toBe(3)
  })

  it('waits for Retry-After without a key, too', async () => {
    const { time, client } = rig((_request, attempt) =>
      attempt === 1 ? refused(429, 'RATE_LIMITED', { 'retry-after': '7' }) : whole(200, []),
    )
    await time.until(client.trades('BTC_USD', 5))
    expect(time.monotonic()).toBe(7_125)
  })

  it('knows no order that the service does not know, and takes one bare or under data', async () => {
    const answers = [refused(404, 'ORDER_NOT_FOUND'), whole(200, orderJson()), whole(200, { data: orderJson() })]
    const { time, client } = rig((_request, attempt) => answers[attempt - 1] ?? HTML(404))
    expect(await client.order('17', 'poll')).toBeUndefined()
    expect(await client.order('17', 'poll')).toMatchObject({ id: '17' })
    expect(await client.order('17', 'poll')).toMatchObject({ id: '17' })
    await expect(time.until(client.order('17', 'poll'))).rejects.toMatchObject({ code: 'SCHEMA_FAULT' })
  })

  it('takes no other order for the one it asked for', async () => {
    const { time, client } = rig(() => whole(200, orderJson({ id: '18' })))
    await expect(time.until(client.order('17', 'poll'))).rejects.toThrow("id: expected '17', got '18'")
  })

  it('sends a key with what asks for one alone', async () => {
    const { client, transport } = rig(({ path }) => whole(200, path.includes('BTC') ? [] : {}))
    await client.trades('BTC_USD', 5)
    await client.balances('poll')
    const sent = transport.sent.map(({ request }) => [request.path, request.query, request.isKeyed])
    expect(sent).toEqual([
      ['/markets', undefined, false],
      ['/markets/BTC_USD/trades', { limit: '5' }, false],
      ['/balances', undefined, true],
    ])
  })

  it('fails when the client is closed while it waits', async () => {
    const { time, client } = rig(() => NO_ANSWER)
    const read = client.balances('poll')
    await time.pass(1)
    client.close()
    await expect(read).rejects.toMatchObject({ code: 'NO_ANSWER' })
  })
})

describe('rows of a market that is not listed', () => {
  it('are left out of open orders and fills and reported once, after the markets were read again', async () => {
    const old = { symbol: 'OLD_USD', price: '1.123456789012345' }
    const { client, unlisted, sent } = rig(({ path }) =>
      path === '/trades' ? whole(200, [fillJson(old), fillJson()]) : whole(200, [orderJson(old), orderJson()]),
    )
    expect(await client.openOrders('poll')).toHaveLength(1)
    expect(await client.fills(500, 'poll')).toHaveLength(1)
    expect(unlisted).toEqual(['OLD_USD'])
    expect(sent('/markets')).toBe(2)
  })

  it('are not read in a page, which is not empty for all that', async () => {
    const { client } = rig(() => whole(200, [orderJson({ symbol: 'OLD_USD' })]))
    const page = { symbol: 'BTC_USD', limit: 500, page: 1 }
    expect(await client.orders(page, 'settle')).toMatchObject({ orders: [], unreadable: [{ symbol: 'OLD_USD' }] })
  })

  it('are read once it is listed', async () => {
    const time = new FakeLiveTime()
    let markets = [BTC]
    const transport = new ManualTransport(({ path }) =>
      path === '/markets' ? whole(200, { data: markets }) : whole(200, [orderJson({ symbol: 'ETH_USD', qty: '0.5' })]),
    )
    const client = new ServiceClient({ transport, budget: new ClientBudget({ time }), time, random: () => 0 })
    await client.markets()
    markets = [BTC, ETH]
    expect(await client.openOrders('poll')).toMatchObject([{ symbol: 'ETH_USD', qty: 5000 }])
  })
})

describe('a row that cannot be read', () => {
  it('is left out of its list and reported once', async () => {
    const { client, warnings } = rig(({ path }) => {
      if (path === '/balances') return whole(200, { USD: { available: '5', locked: '0' }, BTC: { available: 1 } })
      return whole(200, path === '/trades' ? [fillJson({ qty: 1 }), fillJson()] : [orderJson({ type: 'STOP' }), null])
    })
    for (let read = 0; read < 2; read += 1) {
      expect(await client.fills(50, 'poll')).toHaveLength(1)
      expect(await client.openOrders('poll')).toEqual([])
      expect([...(await client.balances('poll')).keys()]).toEqual(['USD'])
    }
    expect(warnings).toEqual([
      'fill 9 cannot be read and is left out: qty: expected a decimal string, got number 1',
      "order 17 cannot be read and is left out: type: expected LIMIT or MARKET, got 'STOP'",
      'order without an id cannot be read and is left out: expected an object, got null',
      'balance BTC cannot be read and is left out: BTC.available: expected a decimal string, got number 1',
    ])
  })

  it('keeps its place in a page, with what shows whose it is not', async () => {
    const row = orderJson({ id: '18', status: 'EXPIRED', qty: 0.5 })
    const { client } = rig(() => whole(200, [orderJson(), row, orderJson({ id: '16' })]))
    const { orders, unreadable } = await client.orders({ symbol: 'BTC_USD', limit: 500, page: 1 }, 'settle')
    expect(orders.map(({ id }) => id)).toEqual(['17', '16'])
    expect(unreadable).toMatchObject([{ id: '18', place: 1, symbol: 'BTC_USD', side: 'BUY', qty: 50_000_000 }])
  })

  it('leaves the last balance that could be read', async () => {
    const { client } = rig((_request, attempt) =>
      whole(200, { USD: { available: '5', locked: '0' }, BTC: { available: attempt === 1 ? '3' : 3, locked: '0' } }),
    )
    await client.balances('poll')
    expect((await client.balances('poll')).get('BTC')).toEqual({ available: '3', locked: '0' })
  })

  it('is asked for by its id once, and says that it is there', async () => {
    const { client, sent } = rig(() => whole(200, orderJson({ status: 'EXPIRED' })))
    await expect(client.order('17', 'poll')).rejects.toMatchObject({ code: 'UNREADABLE_ORDER', isRetryable: true })
    expect(sent('/orders/17')).toBe(1)
  })
})
