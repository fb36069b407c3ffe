/**
 * The form of an order (the specification, section 2; decisions 14 and 15).
 */
import { describe, expect, it } from 'vitest'
import { averagePrice, isOpen, opposite, orderIdOf, orderToJson } from '../../src/domain/order.ts'
import type { Order } from '../../src/domain/order.ts'
import type { Market } from '../../src/domain/market.ts'

const market: Market = {
  id: 'btc_usd',
  name: 'Bitcoin',
  symbol: 'BTC_USD',
  baseAsset: 'BTC',
  quoteAsset: 'USD',
  pricePrecision: 2,
  qtyPrecision: 3,
}

describe('decision 14: averagePrice', () => {
  it.each`
    notional                  | qty            | precision | expected               | why
    ${300n}                   | ${3}           | ${0}      | ${'100'}               | ${'no trailing zeros'}
    ${201n}                   | ${2}           | ${0}      | ${'100.5'}             | ${'more digits than a price has'}
    ${100n}                   | ${3}           | ${0}      | ${'33.33333333'}       | ${'at most pricePrecision + 8 decimals'}
    ${200n}                   | ${3}           | ${0}      | ${'66.66666667'}       | ${'rounded up when nearer'}
    ${100n}                   | ${3}           | ${2}      | ${'0.3333333333'}      | ${'10 decimals with precision 2'}
    ${1n}                     | ${200_000_000} | ${0}      | ${'0'}                 | ${'half of the last digit: to the even 0'}
    ${3n}                     | ${200_000_000} | ${0}      | ${'0.00000002'}        | ${'1.5 of the last digit: to the even 2'}
    ${5n}                     | ${200_000_000} | ${0}      | ${'0.00000002'}        | ${'2.5 of the last digit: to the even 2'}
    ${(2n ** 53n - 1n) ** 2n} | ${2 ** 53 - 1} | ${12}     | ${'9007.199254740991'} | ${'exact inside at any size'}
  `('$notional / $qty at precision $precision = $expected: $why', ({ notional, qty, precision, expected }) => {
    expect(averagePrice(notional, qty, precision)).toBe(expected)
  })
})

describe('spec 2: Order', () => {
  const order: Order = {
    id: 42,
    userId: 'alice',
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    status: 'PARTIALLY_FILLED',
    price: 10_050,
    qty: 2_000,
    filledQty: 1_500,
    filledNotional: 15_000_000n,
    fee: 7n,
    createdAt: Date.UTC(2025, 0, 2, 3, 4, 5, 6),
  }

  it('decision 15: price and qty with exactly the decimals of the market, ids as strings, the time as ISO 8601', () => {
    expect(orderToJson(order, market)).toEqual({
      id: '42',
      userId: 'alice',
      symbol: 'BTC_USD',
      side: 'BUY',
      type: 'LIMIT',
      status: 'PARTIALLY_FILLED',
      price: '100.50',
      qty: '2.000',
      filledQty: '1.500',
      averagePrice: '100',
      createdAt: '2025-01-02T03:04:05.006Z',
    })
  })

  it('has no price as a market order, and no averagePrice before the first fill', () => {
    const { id, userId, symbol, side, status, qty, fee, createdAt } = order
    const common = { id, userId, symbol, side, status, qty, fee, createdAt }
    const json = orderToJson({ ...common, type: 'MARKET', filledQty: 0, filledNotional: 0n }, market)
    expect(json).not.toHaveProperty('price')
    expect(json).not.toHaveProperty('averagePrice')
    expect(json.filledQty).toBe('0.000')
  })

  it.each`
    status                | expected
    ${'OPEN'}             | ${true}
    ${'PARTIALLY_FILLED'} | ${true}
    ${'FILLED'}           | ${false}
    ${'CANCELLED'}        | ${false}
  `('spec 3: $status is live: $expected', ({ status, expected }) => {
    expect(isOpen(status)).toBe(expected)
  })

  it.each`
    text                  | expected               | why
    ${'1'}                | ${1}                   | ${'the first'}
    ${'999999999999999'}  | ${999_999_999_999_999} | ${'as large as a number holds them all'}
    ${'9999999999999999'} | ${0}                   | ${'beyond it'}
    ${'0'}                | ${0}                   | ${'none has it'}
    ${'01'}               | ${0}                   | ${'another text for an id is none'}
    ${'-1'}               | ${0}                   | ${'no digit'}
    ${'1.0'}              | ${0}                   | ${'no integer'}
    ${''}                 | ${0}                   | ${'nothing'}
  `('the id in $text is $expected: $why', ({ text, expected }) => expect(orderIdOf(text)).toBe(expected))

  it('each side has an opposite', () => {
    expect([opposite('BUY'), opposite('SELL')]).toEqual(['SELL', 'BUY'])
  })
})
