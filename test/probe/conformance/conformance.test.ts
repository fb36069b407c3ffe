import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import {
  conformance,
  type ConformanceOptions,
  type ConformanceReport,
} from '../../../src/probe/conformance/conformance.ts'
import { SCOPES } from '../../../src/server/service/api-key.ts'
import { startEmulator, type Emulator } from '../../../src/server/emulator/emulator.ts'
import { breakingProxy, type Bend, type PassingAnswer, type PassingRequest } from './breaking-proxy.ts'

/** Beyond what the suite needs: a limit is no rule that it breaks. */
const LIMITS = { general: 100_000, mutations: 100_000, windowSeconds: 60 }

let emulator: Emulator
let key: string
const post = async (path: string, body: object): Promise<void> => {
  await fetch(emulator.baseUrl + path, {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'x-api-key': key },
    body: JSON.stringify(body),
  })
}
beforeAll(async () => {
  emulator = await startEmulator({
    virtualClock: true,
    config: {
      agents: true,
      limits: LIMITS,
      users: [{ email: 'a@example.com', verified: true, credits: { USD: '100000' }, keys: [{ scopes: SCOPES }] }],
    },
  })
  key = emulator.users[0]?.keys[0] ?? ''
  for (let time = 0; time < 3; time += 1) {
    await post('/orders', { symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: '0.001' })
    await post('/orders', { symbol: 'BTC_USD', side: 'BUY', type: 'LIMIT', price: '5.00', qty: '0.01' })
    await fetch(`${emulator.emulatorUrl}/clock`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ advanceMs: 60_000 }),
    })
  }
})
afterAll(() => emulator.close())

const openOrders = async (): Promise<readonly unknown[]> =>
  (await (await fetch(`${emulator.baseUrl}/orders/open`, { headers: { 'x-api-key': key } })).json()) as unknown[]

const idsOf = ({ rules }: ConformanceReport, verdict: string): readonly string[] =>
  rules.flatMap((rule) => (rule.verdict === verdict ? [rule.id] : []))

async function through(
  bend: Bend,
  options: Partial<ConformanceOptions> = {},
): Promise<ConformanceReport & { asked: readonly string[] }> {
  const proxy = await breakingProxy(emulator.baseUrl, bend)
  try {
    // Nothing listens there, so that no one waits for a trade.
    const streamUrl = 'ws://127.0.0.1:1/v1/ws'
    return { ...(await conformance({ baseUrl: proxy.baseUrl, streamUrl, key, ...options })), asked: proxy.asked }
  } finally {
    await proxy.close()
  }
}

describe('our own service', () => {
  it('keeps every rule that it shows, and no order is left', async () => {
    const before = await openOrders()
    const report = await conformance({ baseUrl: emulator.baseUrl, key, mayTrade: true })
    expect(report.rules.filter(({ verdict }) => verdict === 'broken')).toEqual([])
    expect([report.unusable, report.left]).toEqual([undefined, []])
    expect(idsOf(report, 'not shown').toSorted()).toEqual(
      [
        ...[
          'engine-timeout',
          'fills',
          'no-liquidity',
          'portfolio-unavailable',
          'rate-limited',
          'rate-per-key',
          'scopes',
          'verified',
        ],
        // Under a clock that stands still nothing is traded.
        'stream-trade',
      ].toSorted(),
    )
    expect(await openOrders()).toEqual(before)
  })

  it('reads alone without a wish to trade, and asks for nothing protected without a key', async () => {
    const { asked, rules } = await through({})
    expect(asked.filter((each) => !each.startsWith('GET '))).toEqual([])
    expect(rules.filter(({ verdict }) => verdict === 'broken')).toEqual([])
    const keys = new Set<string | undefined>()
    const open = await through(
      { request: ({ headers }) => keys.add(headers['x-api-key']) },
      { key: undefined, mayTrade: true },
    )
    expect(keys.has(key)).toBe(false)
    expect(idsOf(open, 'broken')).toEqual([])
    expect(open.rules.find(({ id }) => id === 'portfolio')).toMatchObject({
      verdict: 'not shown',
      seen: 'no key was given',
    })
  })

  it('of an account that may only read, what needs more is not shown', async () => {
    const made = await fetch(`${emulator.emulatorUrl}/users/user-1/keys`, {
      method: 'POST',
      headers: { 'content-type': 'application/json' },
      body: JSON.stringify({ scopes: ['ACCOUNT_READ', 'ORDER_READ'] }),
    })
    const { key: reader } = (await made.json()) as { key: string }
    const report = await conformance({ baseUrl: emulator.baseUrl, key: reader, mayTrade: true })
    expect(idsOf(report, 'broken')).toEqual([])
    expect(report.rules.find(({ id }) => id === 'create')).toMatchObject({ verdict: 'not shown' })
  })
})

type Json = Record<string, unknown>
const isAt = (request: PassingRequest, method: string, path: RegExp): boolean =>
  request.method === method && path.test(request.path)

/** Changes the JSON of successful answers at a path. */
const at =
  (method: string, path: RegExp, change: (json: never) => unknown): Bend['answer'] =>
  (answer, request) => {
    if (answer.status < 300 && isAt(request, method, path)) answer.json = change(answer.json as never)
  }
/** Changes every error. */
const errors =
  (change: (answer: PassingAnswer, error: Json) => void): Bend['answer'] =>
  (answer) => {
    if (answer.status >= 400) change(answer, (answer.json as { error: Json }).error)
  }
const becomes =
  (method: string, path: RegExp, status: number, code?: string): Bend['answer'] =>
  (answer, request) => {
    if (answer.status < 400 || !isAt(request, method, path)) return
    answer.status = status
    if (code !== undefined) (answer.json as { error: Json }).error.code = code
  }
const ORDER = /^\/orders(\?|$)/
const TRADES = /^\/markets\/[^/]+\/trades/
const rows = (json: readonly Json[], change: (row: Json) => void): readonly Json[] => {
  for (const row of json) change(row)
  return json
}
const without =
  (query: string): Bend['request'] =>
  (request) => {
    request.path = request.path.replace(new RegExp(`([?&])${query}=[^&]*&?`), '$1')
  }

const READS: readonly (readonly [why: string, broken: string, bend: Bend])[] = [
  ['no request id', 'request-id', { answer: ({ headers }) => delete headers['x-request-id'] }],
  [
    'another request id in the body',
    'request-id-in-errors',
    { answer: errors(({ json }) => ((json as Json).requestId = '11111111-1111-4111-8111-111111111111')) },
  ],
  [
    'a request id that is no UUID',
    'error-envelope',
    { answer: errors(({ json }) => ((json as Json).requestId = 'r-1')) },
  ],
  ['an envelope of another form', 'error-envelope', { answer: errors((answer, { code }) => (answer.json = { code })) }],
  ['a code that is not known', 'error-codes', { answer: errors((_answer, error) => (error.code = 'OOPS')) }],
  ['a code with the status of another', 'error-codes', { answer: becomes('GET', /NOSUCH/, 400) }],
  [
    'details where none belong',
    'error-details',
    { answer: errors((_answer, error) => (error.details = [{ message: 'x' }])) },
  ],
  [
    'a number for a decimal',
    'decimals',
    { answer: at('GET', TRADES, (json: Json[]) => rows(json, (row) => (row.price = Number(row.price)))) },
  ],
  [
    'a number for a decimal, by its field',
    'trade-fields',
    { answer: at('GET', TRADES, (json: Json[]) => rows(json, (row) => (row.qty = Number(row.qty)))) },
  ],
  ['an exponent', 'decimals', { answer: at('GET', /ticker$/, (json: Json) => ({ ...json, volume: '1e-7' })) }],
  [
    'too many decimals',
    'precision',
    { answer: at('GET', TRADES, (json: Json[]) => rows(json, (row) => (row.price = `${String(row.price)}01`))) },
  ],
  [
    'markets without data',
    'markets',
    {
      answer: at('GET', /^\/markets$/, (json: { data: unknown }) => ({ ...json, markets: json.data, data: undefined })),
    },
  ],
  [
    'a market without its precision',
    'market-fields',
    {
      answer: at('GET', /^\/markets$/, (json: { data: Json[] }) => ({
        data: rows(json.data, (row) => delete row.qtyPrecision),
      })),
    },
  ],
  [
    'symbols with a dash',
    'symbols',
    {
      answer: at('GET', /^\/markets$/, (json: { data: Json[] }) => ({
        data: rows(json.data, (row) => (row.baseAsset = 'X')),
      })),
    },
  ],
  ['a ticker too few', 'tickers', { answer: at('GET', /tickers$/, (json: Json[]) => json.slice(1)) }],
  [
    'a percentage as a string',
    'ticker-fields',
    { answer: at('GET', /ticker$/, (json: Json) => ({ ...json, priceChangePercent: '1' })) },
  ],
  [
    'the ticker of another market',
    'ticker',
    { answer: at('GET', /ticker$/, (json: Json) => ({ ...json, symbol: 'X_Y' })) },
  ],
  [
    'a ticker of an hour',
    'ticker-day',
    { answer: at('GET', /ticker$/, (json: Json) => ({ ...json, high: json.lastPrice, low: json.lastPrice })) },
  ],
  ['oldest first', 'trades-newest-first', { answer: at('GET', TRADES, (json: Json[]) => json.reverse()) }],
  ['a trade twice', 'trades-once', { answer: at('GET', TRADES, (json: Json[]) => [...json.slice(0, 1), ...json]) }],
  [
    'trades of another market',
    'trades-of-market',
    { answer: at('GET', TRADES, (json: Json[]) => rows(json, (row) => (row.symbol = 'X_Y'))) },
  ],
  ['a limit that is ignored', 'trades-limit', { request: without('limit') }],
  ['a limit that is not checked', 'trades-limit-range', { request: without('limit') }],
  [
    'times in ISO',
    'trade-fields',
    { answer: at('GET', TRADES, (json: Json[]) => rows(json, (row) => (row.createdAt = '2024-01-01T00:00:00Z'))) },
  ],
  ['candles bare', 'candles', { answer: at('GET', /candles/, (json: { data: unknown }) => json.data) }],
  [
    'candles newest first',
    'candles-chronological',
    { answer: at('GET', /candles/, (json: { data: Json[] }) => ({ data: json.data.reverse() })) },
  ],
  [
    'high and low exchanged',
    'candle-prices',
    {
      answer: at('GET', /candles/, (json: { data: Json[] }) => ({
        data: rows(json.data, (row) => ([row.high, row.low] = [row.low, '999999'])),
      })),
    },
  ],
  [
    'a volume as a number',
    'candle-fields',
    {
      answer: at('GET', /candles/, (json: { data: Json[] }) => ({ data: rows(json.data, (row) => (row.volume = 1)) })),
    },
  ],
  [
    'an unknown market is empty',
    'unknown-market',
    { answer: (answer, { path }) => path.includes('NOSUCH') && ((answer.status = 200), (answer.json = [])) },
  ],
  [
    'no key is wrong',
    'key-required',
    {
      answer: errors((_answer, error) => error.code === 'AUTHENTICATION_REQUIRED' && (error.code = 'INVALID_API_KEY')),
    },
  ],
  [
    'a wrong key is none',
    'key-wrong',
    {
      answer: errors((_answer, error) => error.code === 'INVALID_API_KEY' && (error.code = 'AUTHENTICATION_REQUIRED')),
    },
  ],
  [
    'Bearer is read',
    'no-bearer',
    { request: ({ headers }) => headers.authorization !== undefined && (headers['x-api-key'] = headers.authorization) },
  ],
  [
    'the prefix of a key is not needed',
    'key-whole',
    {
      request: ({ headers }) =>
        headers['x-api-key'] === key.slice(key.indexOf('_') + 1) && (headers['x-api-key'] = key),
    },
  ],
  [
    'a prefix of a key is taken away',
    'key-no-prefix',
    { request: ({ headers }) => (headers['x-api-key'] = (headers['x-api-key'] ?? '').replace(`Bearer ${key}`, key)) },
  ],
  [
    'public data needs a key',
    'public-without-key',
    { answer: (answer, { path }) => path.includes('candles') && (answer.status = 401) },
  ],
  [
    'no rate headers',
    'rate-headers',
    { answer: ({ headers }) => (delete headers.ratelimit, delete headers['ratelimit-policy']) },
  ],
  [
    'a bucket that never falls',
    'general-counts',
    { answer: ({ headers }) => (headers.ratelimit = '"general";r=599;t=42') },
  ],
  [
    'an order without its user',
    'order-fields',
    { answer: at('GET', ORDER, (json: Json[]) => rows(json, (row) => delete row.userId)) },
  ],
  [
    'a price of a market order',
    'order-presence',
    { answer: at('GET', ORDER, (json: Json[]) => rows(json, (row) => (row.price = '1'))) },
  ],
  [
    'filled in part, and OPEN',
    'order-states',
    { answer: at('GET', ORDER, (json: Json[]) => rows(json, (row) => (row.status = 'PARTIALLY_FILLED'))) },
  ],
  [
    'orders oldest first',
    'orders-newest-first',
    { answer: at('GET', /^\/orders\?limit=500$/, (json: Json[]) => json.reverse()) },
  ],
  [
    'a limit of orders that is ignored',
    'orders-limit',
    { request: (request) => (request.path = request.path.replace('/orders?limit=1', '/orders?limit=2')) },
  ],
  [
    'pages from zero',
    'orders-pages',
    {
      request: (request) =>
        (request.path = request.path.replace(/page=(\d)/, (_all, page) => `page=${Number(page) + 1}`)),
    },
  ],
  [
    'a limit of 0',
    'orders-range',
    { request: (request) => (request.path = request.path.replace('limit=0', 'limit=1')) },
  ],
  ['a status that is ignored', 'orders-status', { request: without('status') }],
  ['a status that is not checked', 'orders-status-range', { request: without('status') }],
  ['a symbol that is ignored', 'orders-symbol', { answer: at('GET', /^\/orders\?.*symbol/, () => []) }],
  [
    'finished orders among the open ones',
    'open-orders',
    { answer: at('GET', /^\/orders\/open/, (json: Json[]) => rows(json, (row) => (row.status = 'CANCELLED'))) },
  ],
  [
    'an open order that is not listed',
    'open-orders-all',
    { answer: at('GET', /^\/orders\/open/, (json: Json[]) => json.slice(1)) },
  ],
  ['another order', 'order', { answer: at('GET', /^\/orders\/\d+$/, (json: Json) => ({ ...json, id: '999' })) }],
  [
    'an unknown order is empty',
    'order-unknown',
    { answer: (answer, { path }) => path.includes('no-such-order') && ((answer.status = 200), (answer.json = {})) },
  ],
  [
    'balances as a list',
    'balances',
    { answer: at('GET', /^\/balances$/, (json: Json) => ({ list: Object.entries(json) })) },
  ],
  ['an asset that is ignored', 'balances-asset', { request: without('asset') }],
  [
    'an unknown asset is empty',
    'balances-unknown',
    { answer: (answer, { path }) => path.includes('NOSUCHASSET') && ((answer.status = 200), (answer.json = {})) },
  ],
  [
    'a portfolio without partial',
    'portfolio',
    { answer: at('GET', /portfolio/, (json: Json) => ({ ...json, partial: undefined })) },
  ],
  [
    'a pnl of something else',
    'portfolio-sums',
    { answer: at('GET', /portfolio/, (json: Json) => ({ ...json, pnl: '12345' })) },
  ],
  [
    'a fill without its order',
    'fill-fields',
    { answer: at('GET', /^\/trades/, (json: Json[]) => rows(json, (row) => delete row.orderId)) },
  ],
  [
    'the order of the other side',
    'fills-own',
    { answer: at('GET', /^\/trades/, (json: Json[]) => rows(json, (row) => (row.side = 'SELL'))) },
  ],
  ['fills oldest first', 'fills-newest-first', { answer: at('GET', /^\/trades/, (json: Json[]) => json.reverse()) }],
  [
    'a limit of fills that is ignored',
    'fills-limit',
    { request: (request) => (request.path = request.path.replace('/trades?limit=1', '/trades?limit=2')) },
  ],
  [
    'a limit of fills that is not checked',
    'fills-limit-range',
    { request: (request) => (request.path = request.path.replace('/trades?limit=501', '/trades?limit=5')) },
  ],
]

const isPost = ({ method, path }: PassingRequest): boolean => method === 'POST' && path === '/orders'
/** Answers a creation that the service refused as if it had been done. */
const bodyOf = ({ body }: PassingRequest): Json => {
  try {
    return JSON.parse(body) as Json
  } catch {
    return {}
  }
}
const mend =
  (change: (body: Json) => Json): Bend['request'] =>
  (request) => {
    if (isPost(request) && bodyOf(request).symbol !== undefined) request.body = JSON.stringify(change(bodyOf(request)))
  }
const posted =
  (code: string, other: number, otherCode: string): Bend['answer'] =>
  (answer, request) => {
    if ((answer.json as { error?: Json } | undefined)?.error?.code !== code || request.method === 'GET') return
    answer.status = other
    ;(answer.json as { error: Json }).error.code = otherCode
  }
let first: unknown

const TRADES_OF_OURS: readonly (readonly [why: string, broken: string, bend: Bend])[] = [
  [
    '200 for 201',
    'create',
    { answer: (answer, request) => isPost(request) && answer.status === 201 && (answer.status = 200) },
  ],
  ['an order of another qty', 'create', { answer: at('POST', ORDER, (json: Json) => ({ ...json, qty: '7' })) }],
  ['open, and not listed', 'create-open', { answer: at('GET', /^\/orders\/open/, () => []) }],
  [
    'nothing is locked',
    'create-locks',
    {
      answer: at('GET', /^\/balances/, (json: Record<string, Json>) => ({
        ...json,
        USD: { ...json.USD, locked: '0' },
      })),
    },
  ],
  [
    'a repetition is the same order',
    'no-idempotency',
    { answer: at('POST', ORDER, (json: Json) => ({ ...json, id: (first ??= json.id) })) },
  ],
  [
    'one bucket counts',
    'mutation-counts',
    {
      answer: ({ headers }, { method }) =>
        method === 'POST' && (headers.ratelimit = '"general";r=599;t=42, "mutations";r=100000;t=42'),
    },
  ],
  [
    'a cancel that does nothing',
    'cancel',
    { answer: at('GET', /^\/orders\/\d+$/, (json: Json) => ({ ...json, status: 'OPEN' })) },
  ],
  [
    'a cancel that releases nothing',
    'cancel-releases',
    {
      answer: (answer, { path }) =>
        path === '/balances' &&
        answer.status === 200 &&
        ((answer.json as { USD: Json }).USD.locked = String(1e6 + performanceOf())),
    },
  ],
  ['a second cancel is fine', 'cancel-again', { answer: posted('ORDER_NOT_CANCELLABLE', 404, 'ORDER_NOT_FOUND') }],
  [
    'an unknown order is not cancellable',
    'cancel-unknown',
    { answer: posted('ORDER_NOT_FOUND', 409, 'ORDER_NOT_CANCELLABLE') },
  ],
  ['no JSON is no shape', 'malformed', { answer: posted('MALFORMED_JSON', 400, 'VALIDATION_ERROR') }],
  ['unknown fields are ignored', 'unknown-field', { request: mend((body) => ({ ...body, note: undefined })) }],
  [
    'a price is made up',
    'missing-price',
    {
      request: mend((body) => (body.type === 'LIMIT' && body.price === undefined ? { ...body, price: '1.00' } : body)),
    },
  ],
  [
    'a price of a market order is ignored',
    'market-price',
    { request: mend(({ price, ...body }) => (body.type === 'MARKET' ? body : { ...body, price })) },
  ],
  [
    'a number is coerced',
    'price-number',
    { request: mend((body) => (typeof body.price === 'number' ? { ...body, price: String(body.price) } : body)) },
  ],
  [
    'an exponent is read',
    'price-pattern',
    { request: mend((body) => (body.price === '1e3' ? { ...body, price: '1000' } : body)) },
  ],
  ['a side is made up', 'side', { request: mend((body) => (body.side === 'HOLD' ? { ...body, side: 'BUY' } : body)) }],
  [
    'a price is rounded',
    'price-precision',
    {
      request: mend((body) => ({
        ...body,
        ...(typeof body.price === 'string' && { price: body.price.replace(/(\.\d\d)\d$/, '$1') }),
      })),
    },
  ],
  [
    'a qty is rounded',
    'qty-precision',
    { request: mend((body) => ({ ...body, qty: String(body.qty).replace(/(\.\d{8})\d+$/, '$1') })) },
  ],
  [
    'an unknown market is a shape',
    'create-unknown-market',
    { answer: posted('MARKET_NOT_FOUND', 400, 'VALIDATION_ERROR') },
  ],
  [
    'too little money is another thing',
    'insufficient',
    { answer: posted('INSUFFICIENT_BALANCE', 422, 'ORDER_REJECTED') },
  ],
]
let calls = 0
const performanceOf = (): number => (calls += 1)

describe('a service that breaks a rule', () => {
  it.each(READS)('%s: %s', async (_why, broken, bend) => {
    expect(idsOf(await through(bend), 'broken')).toContain(broken)
  })

  it.each(TRADES_OF_OURS)('%s: %s, and nothing of ours is left', async (_why, broken, bend) => {
    first = undefined
    const before = await openOrders()
    const report = await through(bend, { mayTrade: true })
    expect(idsOf(report, 'broken')).toContain(broken)
    if (report.left.length === 0)
      expect((await openOrders()).length).toBeLessThanOrEqual(before.length + (broken === 'no-idempotency' ? 1 : 0))
  })
})
