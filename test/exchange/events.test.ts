/**
 * What the exchange answers, in full: every field of every event, and the ids and times in it (decision 18).
 */
import { describe, expect, it } from 'vitest'
import type { Command } from '../../src/domain/command.ts'
import { InvariantError } from '../../src/domain/errors.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'

const credit = (account: string, asset: string, amount: bigint, time = 1): Command => ({
  type: 'credit',
  time,
  account,
  asset,
  amount,
})

const limit = (account: string, side: 'BUY' | 'SELL', qty: number, price: number, time = 1): Command => ({
  type: 'place',
  time,
  account,
  request: { symbol: 'BTC_USD', side, type: 'LIMIT', price, qty },
})

const takeAtMarket = (account: string, side: 'BUY' | 'SELL', qty: number, time = 1): Command => ({
  type: 'place',
  time,
  account,
  request: { symbol: 'BTC_USD', side, type: 'MARKET', qty },
})

describe.each(implementations)('events of the $name', ({ create }) => {
  const funded = (): Exchange => {
    const exchange = create(oneMarket({ makerFeeBps: '100', takerFeeBps: '200' }))
    exchange.execute(credit('alice', 'USD', 1_000n))
    exchange.execute(credit('bob', 'BTC', 10n))
    return exchange
  }

  it('a credit and a debit', () => {
    const exchange = create(oneMarket())
    expect(exchange.execute(credit('alice', 'USD', 5n))).toEqual([
      { type: 'credited', time: 1, account: 'alice', asset: 'USD', amount: 5n },
    ])
    expect(exchange.execute(credit('alice', 'USD', -2n, 2))).toEqual([
      { type: 'credited', time: 2, account: 'alice', asset: 'USD', amount: -2n },
    ])
    expect(exchange.execute(credit('alice', 'USD', 0n, 3))).toEqual([
      { type: 'credited', time: 3, account: 'alice', asset: 'USD', amount: 0n },
    ])
    expect(exchange.execute(credit('alice', 'USD', -4n, 4))).toEqual([
      {
        type: 'credit-refused',
        time: 4,
        account: 'alice',
        asset: 'USD',
        amount: -4n,
        refusal: { code: 'INSUFFICIENT_BALANCE', message: expect.any(String) },
      },
    ])
  })

  it('an order that rests: accepted, OPEN and unfilled', () => {
    expect(funded().execute(limit('alice', 'BUY', 2, 100, 7))).toEqual([
      {
        type: 'order-accepted',
        time: 7,
        order: {
          id: 1,
          userId: 'alice',
          symbol: 'BTC_USD',
          side: 'BUY',
          type: 'LIMIT',
          status: 'OPEN',
          price: 100,
          qty: 2,
          filledQty: 0,
          filledNotional: 0n,
          fee: 0n,
          createdAt: 7,
        },
      },
    ])
  })

  it('a market order that empties the book: accepted, one trade a match, then its remainder cancelled', () => {
    const exchange = funded()
    exchange.execute(limit('bob', 'SELL', 1, 100, 2))
    exchange.execute(limit('bob', 'SELL', 2, 110, 3))
    const sell = { userId: 'bob', symbol: 'BTC_USD', side: 'SELL', type: 'LIMIT' }
    const buy = { id: 3, userId: 'alice', symbol: 'BTC_USD', side: 'BUY', type: 'MARKET', qty: 5, createdAt: 9 }
    const common = { symbol: 'BTC_USD', buyOrderId: 3, buyerId: 'alice', sellerId: 'bob', isBuyerMaker: false }
    const afterFirst = { ...buy, status: 'PARTIALLY_FILLED', filledQty: 1, filledNotional: 100n, fee: 2n }
    const afterSecond = { ...buy, status: 'PARTIALLY_FILLED', filledQty: 3, filledNotional: 320n, fee: 7n }
    const whole = (order: { qty: number; price: number }, fee: bigint) => ({
      ...sell,
      ...order,
      status: 'FILLED',
      filledQty: order.qty,
      filledNotional: BigInt(order.qty * order.price),
      fee,
    })
    expect(exchange.execute(takeAtMarket('alice', 'BUY', 5, 9))).toEqual([
      {
        type: 'order-accepted',
        time: 9,
        order: { ...buy, status: 'OPEN', filledQty: 0, filledNotional: 0n, fee: 0n },
      },
      {
        type: 'traded',
        time: 9,
        trade: { ...common, id: 1, price: 100, qty: 1, sellOrderId: 1, createdAt: 9 },
        maker: { ...whole({ qty: 1, price: 100 }, 1n), id: 1, createdAt: 2 },
        taker: afterFirst,
        makerFee: 1n,
        takerFee: 2n,
      },
      {
        type: 'traded',
        time: 9,
        trade: { ...common, id: 2, price: 110, qty: 2, sellOrderId: 2, createdAt: 9 },
        // 220 x 1 % = 2.2, rounded up; the taker's 320 x 2 % = 6.4, rounded up, less the 2 of before.
        maker: { ...whole({ qty: 2, price: 110 }, 3n), id: 2, createdAt: 3 },
        taker: afterSecond,
        makerFee: 3n,
        takerFee: 5n,
      },
      { type: 'order-cancelled', time: 9, order: { ...afterSecond, status: 'CANCELLED' } },
    ])
  })

  it('a seller that meets a resting buyer: isBuyerMaker', () => {
    const exchange = funded()
    exchange.execute(limit('alice', 'BUY', 1, 100))
    const [, traded] = exchange.execute(limit('bob', 'SELL', 1, 90))
    const trade = { buyOrderId: 1, sellOrderId: 2, buyerId: 'alice', sellerId: 'bob', price: 100, isBuyerMaker: true }
    expect(traded).toMatchObject({ type: 'traded', trade, maker: { id: 1 }, taker: { id: 2 } })
  })

  it('a cancel, and one that is refused', () => {
    const exchange = funded()
    exchange.execute(limit('alice', 'BUY', 1, 100))
    const [cancelled, ...rest] = exchange.execute({ type: 'cancel', time: 5, account: 'alice', orderId: 1 })
    expect(cancelled).toMatchObject({ type: 'order-cancelled', time: 5, order: { id: 1, status: 'CANCELLED' } })
    expect(rest).toEqual([])
    expect(exchange.execute({ type: 'cancel', time: 6, account: 'alice', orderId: 1 })).toEqual([
      {
        type: 'cancel-refused',
        time: 6,
        account: 'alice',
        orderId: 1,
        refusal: { code: 'ORDER_NOT_CANCELLABLE', message: expect.any(String) },
      },
    ])
  })

  it('a refused order comes back with its request as it was asked', () => {
    const command = limit('alice', 'BUY', 100, 100, 5)
    const refusal = { code: 'INSUFFICIENT_BALANCE', message: expect.any(String) }
    expect(funded().execute(command)).toEqual([
      { type: 'order-refused', time: 5, account: 'alice', request: 'request' in command && command.request, refusal },
    ])
  })

  it('decision 18: orders are numbered over all markets and accounts, trades likewise', () => {
    const exchange = create({ markets: [market('BTC_USD'), market('ETH_USD')], quoteAsset: 'USD', history: KEEP_ALL })
    exchange.execute(credit('alice', 'USD', 1_000n))
    exchange.execute(limit('alice', 'BUY', 1, 10))
    const eth = { symbol: 'ETH_USD', side: 'BUY', type: 'LIMIT', price: 10, qty: 1 } as const
    exchange.execute({ type: 'place', time: 1, account: 'alice', request: eth })
    expect(exchange.lastOrderId).toBe(2)
    expect(exchange.print({ symbol: 'ETH_USD', time: 1, price: 9, qty: 1, isBuyerMaker: false })).toBe(1)
    expect(exchange.print({ symbol: 'BTC_USD', time: 1, price: 9, qty: 1, isBuyerMaker: false })).toBe(2)
    expect(exchange.lastOrderId).toBe(6)
    exchange.execute({ type: 'cancel', time: 1, account: 'alice', orderId: 1 })
    exchange.execute(limit('alice', 'BUY', 1, 10))
    expect(exchange.openOrders('alice').map(({ id }) => id)).toEqual([7, 2])
  })

  it.each`
    name        | command
    ${'place'}  | ${limit('alice', 'BUY', 1, 10, 99)}
    ${'cancel'} | ${{ type: 'cancel', time: 99, account: 'alice', orderId: 1 }}
    ${'credit'} | ${credit('alice', 'USD', 1n, 99)}
  `('a $name at a time before the last command is a bug of the caller', ({ command }: { command: Command }) => {
    const exchange = create(oneMarket())
    exchange.execute(credit('alice', 'USD', 100n, 100))
    expect(() => exchange.execute(command)).toThrow(InvariantError)
  })

  it('a print at a time before the last command is a bug of the caller, and the other way round', () => {
    const exchange = create(oneMarket())
    exchange.execute(credit('alice', 'USD', 100n, 100))
    const print = (time: number) => exchange.print({ symbol: 'BTC_USD', time, price: 1, qty: 1, isBuyerMaker: false })
    expect(() => print(99)).toThrow(InvariantError)
    print(200)
    expect(() => exchange.execute(credit('alice', 'USD', 1n, 199))).toThrow(InvariantError)
    exchange.execute(credit('alice', 'USD', 1n, 200))
  })

  it('reports the best prices and as many levels as are asked for', () => {
    const exchange = funded()
    expect(exchange.bestPrice('BTC_USD', 'BUY')).toBeUndefined()
    for (const price of [10, 12, 11]) exchange.execute(limit('alice', 'BUY', 1, price))
    for (const price of [22, 20, 21]) exchange.execute(limit('bob', 'SELL', 1, price))
    expect(exchange.bestPrice('BTC_USD', 'BUY')).toBe(12)
    expect(exchange.bestPrice('BTC_USD', 'SELL')).toBe(20)
    const level = (price: number) => ({ price, qty: 1n })
    expect(exchange.depth('BTC_USD', 2)).toEqual({ bids: [level(12), level(11)], asks: [level(20), level(21)] })
    expect(exchange.depth('BTC_USD', 0)).toEqual({ bids: [], asks: [] })
    expect(exchange.depth('BTC_USD').bids).toHaveLength(3)
  })
})
