import { describe, expect, it } from 'vitest'
import { decimalOf, toDecimal } from '../../../src/domain/decimal.ts'
import { balancesText, fillText, orderText } from '../../../src/runtime/journal/journal-text.ts'
import type { OwnOrder } from '../../../src/strategy/own-order.ts'

const ORDER: OwnOrder = {
  id: '7',
  symbol: 'BTC_USD',
  side: 'BUY',
  type: 'LIMIT',
  status: 'OPEN',
  price: decimalOf(10_050, 2),
  qty: decimalOf(1, 8),
  filledQty: toDecimal(0),
  createdAt: 5,
}

describe('quantities are strings, exact and without an exponent', () => {
  it('of an order', () => {
    const json =
      '{"id":"7","symbol":"BTC_USD","side":"BUY","type":"LIMIT","status":"OPEN","price":"100.5","qty":"0.00000001","filledQty":"0","createdAt":5}'
    expect(orderText(ORDER)).toBe(json)
    const filled = { ...ORDER, filledQty: ORDER.qty, averagePrice: decimalOf(1n, 20) }
    expect(JSON.parse(orderText(filled))).toMatchObject({ averagePrice: '0.00000000000000000001' })
  })

  it('of a fill', () => {
    const fill = { tradeId: '1', orderId: '7', symbol: 'BTC_USD', side: 'SELL', isMaker: true, createdAt: 5 } as const
    const text = fillText({
      ...fill,
      price: decimalOf(1, 2),
      qty: decimalOf(10n ** 30n, 0),
      fee: decimalOf(0, 8),
      tag: 'mine',
    })
    expect(JSON.parse(text)).toEqual({ ...fill, price: '0.01', qty: `1${'0'.repeat(30)}`, fee: '0' })
  })

  it('of a fill that was inferred, which says so', () => {
    const fill = { tradeId: 'inferred-7-1', orderId: '7', symbol: 'BTC_USD', side: 'SELL', isMaker: true } as const
    const [price, qty, fee] = [decimalOf(1, 2), decimalOf(1, 0), decimalOf(0, 8)]
    const text = fillText({ ...fill, price, qty, fee, createdAt: 5, isInferred: true })
    expect(JSON.parse(text)).toEqual({ ...fill, price: '0.01', qty: '1', fee: '0', createdAt: 5, isInferred: true })
  })

  it('of balances, assets in their order', () => {
    const balances = new Map([
      ['USD', { available: decimalOf(1n, 14), locked: decimalOf(100n, 2) }],
      ['BTC', { available: decimalOf(-5n, 0), locked: decimalOf(0n, 8) }],
    ])
    expect(balancesText(balances)).toBe(
      '{"USD":{"available":"0.00000000000001","locked":"1"},"BTC":{"available":"-5","locked":"0"}}',
    )
  })
})
