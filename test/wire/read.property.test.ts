import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleToJson } from '../../src/domain/candle.ts'
import { ExchangeError } from '../../src/domain/errors.ts'
import type { Market } from '../../src/domain/market.ts'
import { averagePrice, orderToJson, type Order, type OrderStatus } from '../../src/domain/order.ts'
import { portfolioToJson } from '../../src/domain/portfolio.ts'
import { tickerToJson } from '../../src/domain/ticker.ts'
import { fillToJson, tradeToJson, type Trade } from '../../src/domain/trade.ts'
import { readBalances } from '../../src/wire/wire-balances.ts'
import { readCandles } from '../../src/wire/read-candle.ts'
import { readMarkets } from '../../src/wire/read-market.ts'
import { readOneOrder, readOrder } from '../../src/wire/wire-order.ts'
import { readPortfolio } from '../../src/wire/wire-portfolio.ts'
import { readTicker } from '../../src/wire/read-ticker.ts'
import { readFill, readTrade, readTrades } from '../../src/wire/wire-trade.ts'

type Json = Record<string, unknown>

const precision = fc.integer({ min: 0, max: 12 })
const markets = fc.record({ pricePrecision: precision, qtyPrecision: precision }).map((precisions): Market => ({
  id: 'btc-usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  ...precisions,
}))
const units = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER })
const time = fc.integer({ min: 1e11, max: 4e12 })
const side = fc.constantFrom('BUY' as const, 'SELL' as const)
const id = fc.integer({ min: 1, max: 1e15 - 1 })

const orders = fc
  .record({
    id,
    side,
    type: fc.constantFrom('LIMIT' as const, 'MARKET' as const),
    price: units,
    qty: units,
    createdAt: time,
  })
  .chain((order) => fc.tuple(fc.constant(order), fc.integer({ min: 0, max: order.qty }), units))
  .map(([{ price, type, ...order }, filledQty, paid]): Order => {
    const status: OrderStatus = filledQty === order.qty ? 'FILLED' : filledQty > 0 ? 'PARTIALLY_FILLED' : 'OPEN'
    return {
      ...order,
      type,
      status,
      userId: 'alice',
      symbol: 'BTC_USD',
      ...(type === 'LIMIT' && { price }),
      filledQty,
      filledNotional: BigInt(paid) * BigInt(filledQty),
      fee: 0n,
    }
  })

const trades = fc.record({
  id,
  symbol: fc.constant('BTC_USD'),
  price: units,
  qty: units,
  buyOrderId: id,
  sellOrderId: id,
  buyerId: fc.constant('alice'),
  sellerId: fc.constant('bob'),
  isBuyerMaker: fc.boolean(),
  createdAt: time,
}) satisfies fc.Arbitrary<Trade>

const overWire = (value: unknown): unknown => JSON.parse(JSON.stringify(value))

const without = (json: Json, field: string): Json =>
  Object.fromEntries(Object.entries(json).filter(([name]) => name !== field))

const only =
  (market: Market) =>
  (symbol: string): Market | undefined =>
    symbol === market.symbol ? market : undefined

describe('what our service writes is read as it was', () => {
  it('orders', () =>
    fc.assert(
      fc.property(markets, orders, (market, order) => {
        const json = overWire(orderToJson(order, market))
        const { filledNotional, fee, ...reported } = order
        expect(fee).toBe(0n)
        const mean =
          order.filledQty === 0 ? undefined : averagePrice(filledNotional, order.filledQty, market.pricePrecision)
        const expected = { ...reported, id: String(order.id), price: order.price, averagePrice: mean }
        expect(readOrder(json, only(market))).toEqual(expected)
        expect(readOneOrder({ data: json }, only(market))).toEqual(expected)
      }),
    ))

  it('trades and fills, a maker reported without its flag', () =>
    fc.assert(
      fc.property(markets, trades, side, (market, trade, ours) => {
        const ids = {
          id: String(trade.id),
          buyOrderId: String(trade.buyOrderId),
          sellOrderId: String(trade.sellOrderId),
        }
        expect(readTrade(overWire(tradeToJson(trade, market)), market)).toEqual({ ...trade, ...ids })
        const isMaker = (ours === 'BUY') === trade.isBuyerMaker
        const fill = { trade, side: ours, orderId: trade.id, isMaker, fee: 0n }
        const json = without(overWire(fillToJson(fill, market)) as Json, 'isMaker')
        expect(readFill(json, only(market))).toEqual({ ...trade, ...ids, side: ours, orderId: ids.id, isMaker })
      }),
    ))

  it('tickers', () =>
    fc.assert(
      fc.property(
        markets,
        fc.record({ lastPrice: units, openPrice: units, high: units, low: units, timestamp: time }),
        fc.bigInt({ min: 0n, max: 10n ** 20n }),
        (market, prices, volume) => {
          const ticker = { symbol: 'BTC_USD', ...prices, volume, quoteVolume: volume * 7n }
          expect(readTicker(overWire(tickerToJson(ticker, market)), market)).toEqual(ticker)
        },
      ),
    ))

  it('candles, whatever the unit of their time', () =>
    fc.assert(
      fc.property(markets, units, fc.integer({ min: 1e8, max: 4e9 }), (market, price, seconds) => {
        const candle = { symbol: 'BTC_USD', open: price, high: price, low: price, close: price, volume: BigInt(price) }
        const json = candleToJson({ ...candle, time: 0 }, market)
        for (const unit of [1, 1e3, 1e6]) {
          const answer = overWire({ data: [{ ...json, time: seconds * unit }] })
          expect(readCandles(answer, market)).toEqual([{ ...candle, time: seconds * 1000 }])
        }
      }),
    ))

  it('markets', () =>
    fc.assert(
      fc.property(markets, (market) => {
        expect(readMarkets(overWire({ data: [market] }))).toEqual([market])
      }),
    ))
})

const BTC: Market = {
  id: 'btc-usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 8,
}
const TRADE: Trade = {
  id: 9,
  symbol: 'BTC_USD',
  price: 10050,
  qty: 5,
  buyOrderId: 17,
  sellOrderId: 12,
  buyerId: 'alice',
  sellerId: 'bob',
  isBuyerMaker: true,
  createdAt: 1_704_067_200_000,
}
const TRADE_JSON = { ...tradeToJson(TRADE, BTC) }
const FILL_JSON = { ...fillToJson({ trade: TRADE, side: 'BUY', orderId: 17, isMaker: true, fee: 0n }, BTC) }
const ORDER_JSON = {
  ...orderToJson(
    {
      id: 17,
      userId: 'alice',
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'LIMIT',
      status: 'PARTIALLY_FILLED',
      price: 10050,
      qty: 50,
      filledQty: 5,
      filledNotional: 50_250n,
      fee: 0n,
      createdAt: TRADE.createdAt,
    },
    BTC,
  ),
}
const TICKER_JSON = {
  ...tickerToJson(
    {
      symbol: 'BTC_USD',
      lastPrice: 1,
      openPrice: 2,
      high: 3,
      low: 1,
      volume: 4n,
      quoteVolume: 5n,
      timestamp: TRADE.createdAt,
    },
    BTC,
  ),
}
const CANDLE_JSON = {
  ...candleToJson({ time: TRADE.createdAt, symbol: 'BTC_USD', open: 2, high: 3, low: 1, close: 2, volume: 4n }, BTC),
}
const position = { asset: 'BTC', available: 1n, locked: 0n, total: 1n, scale: 8, markPrice: 5, markScale: 2, value: 5n }
const PORTFOLIO_JSON = {
  ...portfolioToJson({
    quoteAsset: 'USD',
    valueScale: 10,
    equity: 5n,
    baselineEquity: 9n,
    partial: true,
    positions: [position],
    baselineAt: TRADE.createdAt,
    asOf: TRADE.createdAt,
  }),
}

/** Never of the form of any field: neither a decimal, a time, a flag, nor a name that is chosen from. */
const WRONG = [null, 1.5, -1, '', '1e5', '-1', '+1', ' 1', '1.', '.5', '0x1', '١', 'NaN', {}, [], '1,5', '1\n']
/** Those above that are strings and not empty are of the form of a text. */
const WRONG_TEXTS = [null, 1.5, 0, '', {}, [], true]

const TEXTS = new Set([
  'id',
  'userId',
  'buyOrderId',
  'sellOrderId',
  'buyerId',
  'sellerId',
  'orderId',
  'name',
  'baseAsset',
  'quoteAsset',
  'asset',
])
/** Fields that follow from others, or of which nothing depends. */
const UNREAD = new Set(['event', 'priceChange', 'priceChangePercent', 'isMaker'])

const KINDS: readonly {
  readonly kind: string
  readonly json: Json
  readonly read: (json: Json) => unknown
  readonly path: string
}[] = [
  { kind: 'market', json: { ...BTC }, read: (json) => readMarkets({ data: [json] }), path: 'data[0].' },
  { kind: 'order', json: ORDER_JSON, read: (json) => readOrder(json, only(BTC)), path: '' },
  { kind: 'trade', json: TRADE_JSON, read: (json) => readTrades([TRADE_JSON, json], BTC), path: '[1].' },
  { kind: 'fill', json: FILL_JSON, read: (json) => readFill(json, only(BTC), '[3]'), path: '[3].' },
  { kind: 'ticker', json: TICKER_JSON, read: (json) => readTicker(json, BTC), path: '' },
  { kind: 'candle', json: CANDLE_JSON, read: (json) => readCandles({ data: [json] }, BTC), path: 'data[0].' },
  { kind: 'balance', json: { available: '1', locked: '0' }, read: (json) => readBalances({ BTC: json }), path: 'BTC.' },
  { kind: 'portfolio', json: PORTFOLIO_JSON, read: readPortfolio, path: '' },
  {
    kind: 'position',
    json: { ...PORTFOLIO_JSON.positions[0] },
    read: (json) => readPortfolio({ ...PORTFOLIO_JSON, positions: [json] }),
    path: 'positions[0].',
  },
]

const FIELDS = KINDS.flatMap((kind) => Object.keys(kind.json).map((field) => ({ ...kind, field }))).filter(
  ({ field }) => !UNREAD.has(field),
)

describe('an answer with one field that is not of its form', () => {
  it.each(FIELDS)('is a fault that names $path$field: $kind', ({ json, read, field, path }) => {
    expect(() => read(json)).not.toThrow()
    const values: unknown[] = TEXTS.has(field) ? WRONG_TEXTS : WRONG
    for (const value of values.filter((each) => field !== 'positions' || !Array.isArray(each))) {
      // A signed decimal may have its sign.
      if ((field === 'pnl' || field === 'pnlPercent') && (value === '-1' || value === '+1')) continue
      const fault = faultOf(() => read({ ...json, [field]: value }))
      expect(fault, `${JSON.stringify(value)} for ${field}`).toBeInstanceOf(ExchangeError)
      expect(fault).toMatchObject({ code: 'SCHEMA_FAULT', isRetryable: false })
      expect((fault as ExchangeError).message).toMatch(new RegExp(`^${escaped(path + field)}: expected .*, got `, 's'))
    }
  })

  it.each(FIELDS.filter(({ field }) => field !== 'averagePrice'))(
    'is a fault without $path$field: $kind',
    ({ json, read, field, path }) => {
      const rest = without(json, field)
      expect(faultOf(() => read(rest))).toMatchObject({ message: expect.stringMatching(`^${escaped(path + field)}: `) })
    },
  )

  it.each(KINDS)('is none with more fields than are known: $kind', ({ json, read }) => {
    expect(read({ ...json, surprise: { deep: [1, null] } })).toEqual(read(json))
  })
})

function faultOf(read: () => unknown): unknown {
  try {
    read()
    return undefined
  } catch (error) {
    return error
  }
}

const escaped = (text: string): string => text.replaceAll(/[.[\]]/g, String.raw`\$&`)
