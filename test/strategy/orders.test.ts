import { describe, expect, it } from 'vitest'
import { toDecimal } from '../../src/domain/decimal.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../src/strategy/orders.ts'

describe('the words of a trader are intents', () => {
  it.each([
    [buyMarket('BTC_USD', '0.5'), { type: 'market', symbol: 'BTC_USD', side: 'BUY', qty: '0.5' }],
    [sellMarket('BTC_USD', 0.5), { type: 'market', symbol: 'BTC_USD', side: 'SELL', qty: 0.5 }],
    [buyLimit('BTC_USD', '99', '1'), { type: 'limit', symbol: 'BTC_USD', side: 'BUY', price: '99', qty: '1' }],
    [sellLimit('BTC_USD', '99', '1'), { type: 'limit', symbol: 'BTC_USD', side: 'SELL', price: '99', qty: '1' }],
    [cancel('7'), { type: 'cancel', orderId: '7' }],
    [cancel({ id: '7' }), { type: 'cancel', orderId: '7' }],
    [cancelAll(), { type: 'cancel-all' }],
    [cancelAll('BTC_USD'), { type: 'cancel-all', symbol: 'BTC_USD' }],
  ])('%j', (intent, expected) => {
    expect(intent).toStrictEqual(expected)
  })

  it('carry a tag when there is one', () => {
    const tagged = [buyMarket, sellMarket].map((order) => order('BTC_USD', '1', { tag: 'entry' }).tag)
    const limits = [buyLimit, sellLimit].map((order) => order('BTC_USD', '9', '1', { tag: 'entry' }).tag)
    expect([...tagged, ...limits]).toEqual(['entry', 'entry', 'entry', 'entry'])
    expect('tag' in buyMarket('BTC_USD', '1')).toBe(false)
  })

  it('leave quantities and prices as they were written', () => {
    const qty = toDecimal('0.1')
    expect(buyLimit('BTC_USD', 1e-7, qty)).toMatchObject({ price: 1e-7, qty })
    expect(buyLimit('BTC_USD', 1, qty).qty).toBe(qty)
  })
})
