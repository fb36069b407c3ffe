import { describe, expect, it } from 'vitest'
import { Decimal } from '../../../src/domain/decimal.ts'
import type { Market } from '../../../src/domain/market.ts'
import { OrderRounding } from '../../../src/runtime/session/order-rounding.ts'
import type { PlaceIntent } from '../../../src/strategy/place-intent.ts'

const market: Market = {
  id: 'm_1',
  name: 'A',
  symbol: 'A_USD',
  baseAsset: 'A',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 3,
}
const rounding = (isOn = true) => new OrderRounding(isOn, [market])
const limit = (side: 'BUY' | 'SELL', price: PlaceIntent['qty'], qty: PlaceIntent['qty']): PlaceIntent => ({
  type: 'limit',
  symbol: 'A_USD',
  side,
  price,
  qty,
})
const shown = (intent: object): unknown => JSON.parse(JSON.stringify(intent))

describe('an order', () => {
  it('has its computed quantity rounded down, and its price so that it never pays more', () => {
    const it = rounding()
    expect(shown(it.place(limit('BUY', new Decimal('100.019'), 0.1 + 0.2)))).toMatchObject({
      price: '100.01',
      qty: '0.3',
    })
    expect(shown(it.place(limit('SELL', new Decimal('100.011'), new Decimal('1.9999'))))).toMatchObject({
      price: '100.02',
      qty: '1.999',
    })
    expect(it.takeReport()).toEqual([
      '2 quantities were rounded down to a multiple of 0.001 A; pass --rounding refuse to refuse such orders',
      '1 price was rounded down to a multiple of 0.01 USD; pass --rounding refuse to refuse such orders',
      '1 price was rounded up to a multiple of 0.01 USD; pass --rounding refuse to refuse such orders',
    ])
  })

  it.each([
    ['text', limit('BUY', '100.019', '0.0019')],
    ['what fits', limit('BUY', 100.01, new Decimal('0.001'))],
    ['a quantity below one lot', limit('BUY', 100, 0.0009)],
    ['a price below one tick that a buy would pay', limit('BUY', 0.009, 1)],
    ['a quantity below 0', limit('BUY', 100, -1.00001)],
    ['what is no number', limit('BUY', Number.NEGATIVE_INFINITY, Number.POSITIVE_INFINITY)],
    ['an order of a market that is not there', { ...limit('BUY', 1.001, 1.0001), symbol: 'B_USD' }],
  ])('is left as it is: %s', (_, intent) => {
    const it = rounding()
    expect(it.place(intent)).toBe(intent)
    expect(it.takeReport()).toEqual([])
  })

  it('is left as it is with --rounding refuse', () => {
    const intent = limit('BUY', 100.019, 0.0019)
    expect(rounding(false).place(intent)).toBe(intent)
  })
})

it('counts quantities and prices of the same asset apart', () => {
  const markets = [market, { ...market, symbol: 'B_A', baseAsset: 'B', quoteAsset: 'A', pricePrecision: 3 }]
  const both = new OrderRounding(true, markets)
  both.place({ type: 'market', symbol: 'A_USD', side: 'BUY', qty: 1.2345 })
  both.place({ type: 'limit', symbol: 'B_A', side: 'BUY', price: 1.2345, qty: 1 })
  expect(both.takeReport()).toEqual([
    '1 quantity was rounded down to a multiple of 0.001 A; pass --rounding refuse to refuse such orders',
    '1 price was rounded down to a multiple of 0.001 A; pass --rounding refuse to refuse such orders',
  ])
})

it('a bracket has its target rounded for the other side; a trigger needs no tick', () => {
  const bracket = {
    type: 'bracket',
    entry: { type: 'market', symbol: 'A_USD', side: 'BUY', qty: 1.23456 },
    exits: { stop: 99.9999, target: 101.001 },
  } as const
  expect(shown(rounding().conditional(bracket))).toEqual({
    type: 'bracket',
    entry: { type: 'market', symbol: 'A_USD', side: 'BUY', qty: '1.234' },
    exits: { stop: 99.9999, target: '101.01' },
  })
})

it('each order of a group is rounded', () => {
  const sell = { symbol: 'A_USD', side: 'SELL', qty: 1.00019 } as const
  const oco = {
    type: 'oco',
    orders: [
      { type: 'limit', price: 101.001, ...sell },
      { type: 'stop', stop: 99.999, limit: 98.001, ...sell },
      { type: 'trailing-stop', percent: 1.2345, ...sell },
    ],
  } as const
  expect(shown(rounding().conditional(oco))).toMatchObject({
    orders: [
      { price: '101.01', qty: '1' },
      { stop: 99.999, limit: '98.01', qty: '1' },
      { percent: 1.2345, qty: '1' },
    ],
  })
})
