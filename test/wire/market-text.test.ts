/**
 * The text of candles, trades and fills is that of their JSON forms.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { candleToJson, type Candle } from '../../src/domain/candle.ts'
import type { Market } from '../../src/domain/market.ts'
import { SIDES } from '../../src/domain/order.ts'
import { fillToJson, tradeToJson, type Fill, type Trade } from '../../src/domain/trade.ts'
import { candlesText } from '../../src/wire/candle-text.ts'
import { fillsText, tradesText, tradeText } from '../../src/wire/trade-text.ts'

const precision = fc.integer({ min: 0, max: 12 })
const units = fc.oneof(fc.nat(20), fc.nat(), fc.constantFrom(Number.MAX_SAFE_INTEGER), fc.maxSafeNat())
const volume = fc.oneof(fc.bigInt({ min: 0n, max: 200n }), fc.constantFrom(2n ** 53n - 1n, 2n ** 53n, 10n ** 35n))
const name = fc.oneof(fc.constantFrom('BTC_USD', 'user-1', ''), fc.string({ unit: 'binary' }), fc.string())

const market = fc.record({ pricePrecision: precision, qtyPrecision: precision }).map((precisions): Market => ({
  id: 'm',
  name: 'm',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  ...precisions,
}))

const candle: fc.Arbitrary<Candle> = fc.record({
  time: units,
  symbol: name,
  open: units,
  high: units,
  low: units,
  close: units,
  volume,
})

const trade: fc.Arbitrary<Trade> = fc.record({
  id: units,
  symbol: name,
  price: units,
  qty: units,
  buyOrderId: units,
  sellOrderId: units,
  buyerId: name,
  sellerId: name,
  isBuyerMaker: fc.boolean(),
  createdAt: units,
})

const fill: fc.Arbitrary<Fill> = fc.record({
  trade,
  side: fc.constantFrom(...SIDES),
  orderId: units,
  isMaker: fc.boolean(),
  fee: fc.constant(0n),
})

const some = <T>(of: fc.Arbitrary<T>): fc.Arbitrary<T[]> => fc.array(of, { maxLength: 12, size: 'max' })

describe('the text of many', () => {
  it('candles is that of their JSON', () => {
    fc.assert(
      fc.property(some(candle), market, (candles, terms) => {
        const data = candles.map((each) => candleToJson(each, terms))
        expect(candlesText(candles, terms).toString()).toBe(JSON.stringify({ data }))
      }),
    )
  })

  it('trades is that of their JSON, and of one as well', () => {
    fc.assert(
      fc.property(some(trade), market, (trades, terms) => {
        const json = trades.map((each) => tradeToJson(each, terms))
        expect(tradesText(trades, terms).toString()).toBe(JSON.stringify(json))
        for (const [at, each] of trades.entries()) expect(tradeText(each, terms)).toBe(JSON.stringify(json[at]))
      }),
    )
  })

  it('fills is that of their JSON', () => {
    fc.assert(
      fc.property(some(fill), market, (fills, terms) => {
        const json = fills.map((each) => fillToJson(each, terms))
        expect(fillsText(fills, () => terms).toString()).toBe(JSON.stringify(json))
      }),
    )
  })
})
