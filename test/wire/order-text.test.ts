/**
 * The text of an order is that of its JSON form.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import type { Market } from '../../src/domain/market.ts'
import { orderText, ordersText } from '../../src/wire/order-text.ts'
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

const TERMS: Market = {
  id: 'm',
  name: 'm',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 5,
}
const EXAMPLE: Order = {
  id: 1,
  userId: 'user-1',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: 1,
  qty: 1,
  filledQty: 0,
  filledNotional: 0n,
  fee: 0n,
  createdAt: second,
}

describe('orderText', () => {
  it('is to the byte what JSON.stringify writes of its form, of one order after another', () => {
    fc.assert(
      fc.property(market, fc.array(order, { minLength: 1, maxLength: 5 }), (terms, orders) => {
        for (const each of orders) expect(orderText(each, terms)).toBe(JSON.stringify(orderToJson(each, terms)))
        const all = orders.map((each) => orderToJson(each, terms))
        expect(ordersText(orders, () => terms).toString()).toBe(JSON.stringify(all))
      }),
      { numRuns: 500 },
    )
  })

  it('is the same of none, and of more than fit into the first of its memory', () => {
    const long = { ...EXAMPLE, userId: 'x'.repeat(2_000) }
    const all = Array.from({ length: 100 }, () => long)
    expect(ordersText([], () => TERMS).toString()).toBe('[]')
    expect(ordersText(all, () => TERMS).toString()).toBe(JSON.stringify(all.map((each) => orderToJson(each, TERMS))))
  })
})
