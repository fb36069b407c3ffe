/**
 * Own orders, fills and balances that hold the exchange's integers: the same values as decimals and as JSON.
 */
import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../src/domain/decimal.ts'
import type { Order } from '../../src/domain/order.ts'
import type { Fill } from '../../src/domain/trade.ts'
import { ExactBalance } from '../../src/strategy/exact-balance.ts'
import { ExactFill } from '../../src/strategy/exact-fill.ts'
import { ExactOrder } from '../../src/strategy/exact-order.ts'
import { market } from '../exchange/rig/configs.ts'

const MARKET = market('BTC_USD', { pricePrecision: 2, qtyPrecision: 3 })

const UNPRICED: Order = {
  id: 7,
  userId: 'me',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'PARTIALLY_FILLED',
  qty: 3_000,
  filledQty: 1_500,
  filledNotional: 15_050_000n,
  fee: 0n,
  createdAt: 5,
}
const ORDER: Order = { ...UNPRICED, price: 10_050 }
const ORDER_JSON = {
  id: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'PARTIALLY_FILLED',
  price: '100.5',
  qty: '3',
  filledQty: '1.5',
  averagePrice: '100.3333333333',
  createdAt: 5,
}

describe('an order', () => {
  it('has its values as decimals, each made once', () => {
    const order = new ExactOrder(ORDER, MARKET)
    const { id, symbol, side, type, status, createdAt, tag } = order
    expect({ id, symbol, side, type, status, createdAt }).toEqual({
      id: '7',
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'LIMIT',
      status: 'PARTIALLY_FILLED',
      createdAt: 5,
    })
    expect(tag).toBeUndefined()
    for (const field of ['price', 'qty', 'filledQty', 'averagePrice'] as const) {
      expect(order[field]).toEqual(toDecimal(ORDER_JSON[field]))
      expect(order[field]).toBe(order[field])
    }
  })

  it('without a price or a fill has neither of the two prices', () => {
    const atMarket = new ExactOrder({ ...UNPRICED, type: 'MARKET', filledQty: 0, filledNotional: 0n }, MARKET)
    expect([atMarket.price, atMarket.averagePrice]).toEqual([undefined, undefined])
    const none = { price: undefined, averagePrice: undefined }
    expect(JSON.parse(atMarket.json)).toEqual({ ...ORDER_JSON, ...none, type: 'MARKET', filledQty: '0' })
  })

  it('is JSON in strings, with its tag; the journal has none', () => {
    const order = new ExactOrder(ORDER, MARKET)
    expect(order.json).toBe(JSON.stringify(ORDER_JSON))
    expect(JSON.stringify(order)).toBe(JSON.stringify(ORDER_JSON))
    const tagged = order.withTag('bid')
    expect([order.tag, tagged.tag, tagged.json]).toEqual([undefined, 'bid', order.json])
    expect(JSON.stringify(tagged)).toBe(JSON.stringify({ ...ORDER_JSON, tag: 'bid' }))
  })

  it('cannot be changed', () => {
    const order = new ExactOrder(ORDER, MARKET)
    expect(() => Object.assign(order, { status: 'FILLED' })).toThrow(TypeError)
    expect(() => Object.assign(order, { price: toDecimal(1) })).toThrow(TypeError)
  })
})

const FILL: Fill = {
  trade: {
    id: 3,
    symbol: 'BTC_USD',
    price: 10_050,
    qty: 1_500,
    buyOrderId: 7,
    sellOrderId: 8,
    createdAt: 6,
    buyerId: 'me',
    sellerId: 'crowd',
    isBuyerMaker: true,
  },
  side: 'BUY',
  orderId: 7,
  isMaker: true,
  fee: 12_340n,
}
const FILL_JSON = {
  tradeId: '3',
  orderId: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  price: '100.5',
  qty: '1.5',
  fee: '0.1234',
  isMaker: true,
  createdAt: 6,
}

it('a fill has its values as decimals and as JSON', () => {
  const fill = new ExactFill(FILL, MARKET, 5)
  const { tradeId, orderId, symbol, side, isMaker, createdAt } = fill
  const [price, qty, fee] = [fill.price.toFixed(), fill.qty.toFixed(), fill.fee.toFixed()]
  expect({ tradeId, orderId, symbol, side, price, qty, fee, isMaker, createdAt }).toEqual(FILL_JSON)
  expect(fill.fee).toBe(fill.fee)
  expect([fill.json, JSON.stringify(fill)]).toEqual([JSON.stringify(FILL_JSON), JSON.stringify(FILL_JSON)])
  expect(JSON.stringify(fill.withTag('bid'))).toBe(JSON.stringify({ ...FILL_JSON, tag: 'bid' }))
  expect([fill.tag, fill.withTag('bid').tag]).toEqual([undefined, 'bid'])
})

it('a balance has its amounts as decimals and as JSON, of any size', () => {
  const balance = new ExactBalance({ available: 10n ** 30n, locked: 5n }, 2)
  const json = { available: `1${'0'.repeat(28)}`, locked: '0.05' }
  expect({ available: balance.available.toFixed(), locked: balance.locked.toFixed() }).toEqual(json)
  expect(balance.locked).toBe(balance.locked)
  expect([balance.json, JSON.stringify(balance)]).toEqual([JSON.stringify(json), JSON.stringify(json)])
})
