/**
 * The text of an order is that of its JSON form.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { orderText } from '../../src/domain/order-text.ts'
import { ORDER_STATUSES, orderToJson, SIDES, type Order } from '../../src/domain/order.ts'

const precision = fc.integer({ min: 0, max: 12 })
const units = fc.oneof(fc.nat(20), fc.nat(), fc.constantFrom(Number.MAX_SAFE_INTEGER), fc.maxSafeNat())
const name = fc.oneof(fc.constantFrom('BTC_USD', 'ETH_USD', 'user-1'), fc.string({ unit: 'binary' }), fc.string())
const second = Date.UTC(2025, 0, 1)
const time = fc.oneof(fc.integer({ min: second, max: second + 3_000 }), fc.nat(8.64e15))

const market = fc.record({ pricePrecision: precision, qtyPrecision: precision }).map((precisions): Market => ({
  id: 'm',
  name: 'm',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  ...precisions,
}))

const order = fc
  .record({
    id: fc.integer({ min: 1, max: 1e15 }),
    userId: name,
    symbol: name,
    side: fc.constantFrom(...SIDES),
    status: fc.constantFrom(...ORDER_STATUSES),
    price: fc.option(units, { nil: undefined }),
    qty: units,
    filledQty: fc.oneof(fc.constant(0), units),
    filledNotional: fc.bigInt({ min: 0n, max: 10n ** 32n }),
    createdAt: time,
  })
  .map(({ price, ...rest }): Order => {
    const both = { ...rest, fee: 0n }
    return price === undefined ? { ...both, type: 'MARKET' } : { ...both, type: 'LIMIT', price }
  })

describe('orderText', () => {
  it('is to the byte what JSON.stringify writes of its form, of one order after another', () => {
    fc.assert(
      fc.property(market, fc.array(order, { minLength: 1, maxLength: 5 }), (terms, orders) => {
        for (const each of orders) expect(orderText(each, terms)).toBe(JSON.stringify(orderToJson(each, terms)))
      }),
      { numRuns: 500 },
    )
  })
})
