/**
 * Resting orders that take from an offer of the crowd: who gets what of it, at which price, and what is held and
 * charged for it.
 */
import { describe, expect, it } from 'vitest'
import { CROWD, type Command } from '../../src/domain/command.ts'
import type { OrderRequest, Side } from '../../src/domain/order.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange, SnapshotExchange } from '../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../src/exchange/snapshot/exchange-snapshot.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { script } from './rig/script-test.ts'

const TWO_ASKS_OF_FIVE = `
  ann credits 5 BTC            | credited
  bob credits 5 BTC            | credited
  carol credits 1000 USD       | credited
  ann sells 5 BTC_USD at 100   | #1 OPEN
  bob sells 5 BTC_USD at 100   | #2 OPEN`

describe('orders that take from an offer', () => {
  script(
    'take in their turn what their limits allow, the best offer first, at its price and the taker fee',
    oneMarket({ takerFeeBps: '100' }),
    `
    ann credits 2000 USD         | credited
    bob credits 2000 USD         | credited
    ann buys 10 BTC_USD at 98    | #1 OPEN
    bob buys 10 BTC_USD at 95    | #2 OPEN
    -- 1 % of 546 is 5.46, of 914 9.14, of 184 1.84, each order's sum rounded up
    BTC_USD offers 6 at 92, 6 at 91, 5 at 96 to #1, #2 | #1 PARTIALLY_FILLED: 6 at 91 with #4 for 0 and 6, #1 FILLED: 4 at 92 with #3 for 0 and 4, #2 PARTIALLY_FILLED: 2 at 92 with #3 for 0 and 2
    BTC_USD book                 | 8 at 95 / none
    crowd open                   | none
    ann has USD                  | 1076 available, 0 locked
    -- 8 x 95, and the fee that is yet to come: ceil(1.84 + 7.6) - 2
    bob has USD                  | 1046 available, 768 locked
    USD audit                    | 4000 = 3988 held + 12 fees
    `,
  )

  script(
    'keep their places at one price when they take as they rest there',
    oneMarket(),
    `${TWO_ASKS_OF_FIVE}
    BTC_USD offers 2 at 110 to #1, #2 | #1 PARTIALLY_FILLED: 2 at 110 with #3
    carol buys 4 BTC_USD at 100  | #4 FILLED: 3 at 100 with #1, 1 at 100 with #2
    `,
  )

  script(
    'change places at one price when they take in another order',
    oneMarket(),
    `${TWO_ASKS_OF_FIVE}
    BTC_USD offers 2 at 110 to #2, #1 | #2 PARTIALLY_FILLED: 2 at 110 with #3
    carol buys 4 BTC_USD at 100  | #4 FILLED: 3 at 100 with #2, 1 at 100 with #1
    `,
  )

  script(
    'may ask for an offer that is too dear: nothing happens, but the others at their price pass them',
    oneMarket({ takerFeeBps: '100' }),
    `
    ann credits 600 USD          | credited
    bob credits 600 USD          | credited
    carol credits 1 BTC          | credited
    ann buys 5 BTC_USD at 98     | #1 OPEN
    bob buys 5 BTC_USD at 98     | #2 OPEN
    ann has USD                  | 105 available, 495 locked
    BTC_USD offers 3 at 99 to #1 | none
    BTC_USD book                 | 10 at 98 / none
    ann has USD                  | 105 available, 495 locked
    carol sells 1 BTC_USD at 98  | #4 FILLED: 1 at 98 with #2 for 0 and 1
    `,
  )

  script(
    'meet nobody but the offer: what rests on its side stays, also at its price',
    oneMarket(),
    `
    ann credits 1000 USD         | credited
    carol credits 9 BTC          | credited
    carol sells 4 BTC_USD at 99  | #1 OPEN
    carol sells 5 BTC_USD at 100 | #2 OPEN
    ann buys 3 BTC_USD at 98     | #3 OPEN
    BTC_USD offers 7 at 100, 2 at 97 to #3 | #3 PARTIALLY_FILLED: 2 at 97 with #5
    BTC_USD book                 | 1 at 98 / 4 at 99, 5 at 100
    carol open                   | #2, #1
    `,
  )

  script(
    'give back what they had reserved and no longer need',
    oneMarket({ makerFeeBps: '30', takerFeeBps: '10' }),
    `
    ann credits 1000 USD         | credited
    bob credits 1000 USD         | credited
    ann buys 10 BTC_USD at 98    | #1 OPEN
    bob buys 10 BTC_USD at 98    | #2 OPEN
    BTC_USD offers 14 at 50 to #1, #2 | #1 FILLED: 10 at 50 with #3 for 0 and 1, #2 PARTIALLY_FILLED: 4 at 50 with #3 for 0 and 1
    ann has USD                  | 499 available, 0 locked
    -- 6 x 98, and the fee that is yet to come: ceil(0.1 % of 200 + 0.3 % of 588 = 1.964) - 1
    bob has USD                  | 210 available, 589 locked
    `,
  )

  script(
    'are charged one fee over all their fills, as makers and as takers, rounded up once',
    oneMarket({ makerFeeBps: '10', takerFeeBps: '40' }),
    `
    bob credits 5 BTC            | credited
    ann credits 600 USD          | credited
    ann buys 5 BTC_USD at 100    | #1 OPEN
    -- as maker: 0.1 % of 100 = 0.1, charged 1
    bob sells 1 BTC_USD at 100   | #2 FILLED: 1 at 100 with #1 for 1 and 1
    -- as taker: 0.4 % of 180 = 0.72, together 0.82, so nothing more
    BTC_USD offers 2 at 90 to #1 | #1 PARTIALLY_FILLED: 2 at 90 with #3
    -- locked 2 x 100 + ceil(0.82 + 0.8) - 1
    ann has USD                  | 118 available, 201 locked
    -- as maker: 0.1 % of 200 = 0.2, together 1.02, so one more
    bob sells 2 BTC_USD at 100   | #4 FILLED: 2 at 100 with #1 for 1 and 1
    ann has USD                  | 118 available, 0 locked
    ann order #1                 | FILLED 5 of 5, average 96, fee 2
    ann fills                    | BUY #1 maker 2 at 100 for 1, BUY #1 taker 2 at 90, BUY #1 maker 1 at 100 for 1
    `,
  )
})

const SYMBOL = 'BTC_USD'
const CONFIG = {
  markets: [market(SYMBOL, { makerFeeBps: '10', takerFeeBps: '40' }), market('ETH_USD')],
  quoteAsset: 'USD',
  history: KEEP_ALL,
}

/** Bids of two at 100, #1 and #2, of which ann's is filled in part; an ask, #4; a bid in another market, #5. */
function busyExchange(): SnapshotExchange {
  const exchange = createExchange(CONFIG)
  const limit = (account: string, side: Side, price: number, qty: number, symbol = SYMBOL): void => {
    const request: OrderRequest = { symbol, side, type: 'LIMIT', price, qty }
    exchange.execute({ type: 'place', time: 1, account, request })
  }
  for (const account of ['ann', 'bob']) {
    exchange.execute({ type: 'credit', time: 1, account, asset: 'USD', amount: 10_000n })
    exchange.execute({ type: 'credit', time: 1, account, asset: 'BTC', amount: 100n })
  }
  limit('ann', 'BUY', 100, 5)
  limit('bob', 'BUY', 100, 5)
  limit('bob', 'SELL', 100, 1)
  limit('bob', 'SELL', 120, 5)
  limit('ann', 'BUY', 100, 1, 'ETH_USD')
  return exchange
}

const take = (orderIds: readonly number[], qty: number, time = 2): Command => ({
  type: 'take',
  time,
  symbol: SYMBOL,
  orderIds,
  offers: [{ price: 90, qty }],
})

describe('an exchange in which was taken', () => {
  it('is the same when it is restored, and goes on the same', () => {
    const exchange = busyExchange()
    exchange.execute(take([2, 1], 2))
    const snapshot = JSON.stringify(exchange.snapshot())
    const restored = restoreExchange(JSON.parse(snapshot) as ExchangeSnapshot)
    expect(JSON.stringify(restored.snapshot())).toBe(snapshot)
    expect(restored.restingAt(SYMBOL, 'BUY', 100).map(({ orderId, qty }) => [orderId, qty])).toEqual([
      [2, 3],
      [1, 4],
    ])
    const request = { symbol: SYMBOL, side: 'SELL', type: 'LIMIT', price: 100, qty: 1 } as const
    const goOn = (each: Exchange): readonly unknown[] => [
      each.execute({ type: 'place', time: 3, account: 'bob', request }),
      each.execute(take([1, 2], 5, 4)),
      each.execute({ type: 'cancel', time: 5, account: 'bob', orderId: 2 }),
      each.audit(),
      each.balances('ann'),
      each.balances('bob'),
      each.balances(CROWD),
    ]
    expect(goOn(restored)).toEqual(goOn(exchange))
    expect(JSON.stringify(restored.snapshot())).toBe(JSON.stringify(exchange.snapshot()))
  })

  it.each`
    why                     | orderIds     | message
    ${'nobody'}             | ${[]}        | ${'somebody takes'}
    ${'an order twice'}     | ${[1, 2, 1]} | ${'each order takes once'}
    ${'an order of no one'} | ${[1, 9]}    | ${'no order 9 rests'}
    ${'a finished order'}   | ${[3]}       | ${'no order 3 rests'}
    ${'both sides'}         | ${[1, 2, 4]} | ${'orders of one side of one market take'}
    ${'of another market'}  | ${[1, 2, 5]} | ${'orders of one side of one market take'}
  `('refuses to let take: $why', ({ orderIds, message }: { orderIds: readonly number[]; message: string }) => {
    expect(() => busyExchange().execute(take(orderIds, 1))).toThrow(message)
  })
})
