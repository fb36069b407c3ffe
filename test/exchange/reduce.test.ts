/**
 * Orders of the crowd that are reduced: what stays, what is left, and when the order behind is filled.
 */
import { describe, expect, it } from 'vitest'
import { isAuditLineRight } from '../../src/domain/audit.ts'
import { CROWD, type Command } from '../../src/domain/command.ts'
import { InvariantError } from '../../src/domain/errors.ts'
import type { Side } from '../../src/domain/order.ts'
import { createExchange } from '../../src/exchange/create-exchange.ts'
import type { Exchange } from '../../src/exchange/exchange.ts'
import type { ExchangeSnapshot } from '../../src/exchange/snapshot/exchange-snapshot.ts'
import { wholeOf } from '../../src/exchange/snapshot/later-list.ts'
import { restoreExchange } from '../../src/exchange/restore-exchange.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

/** Ten of the crowd, five of ours behind them, four of the crowd behind those. */
const QUEUE_OF_THREE = `
  bob credits 5 BTC            | credited
  alice credits 5000 USD       | credited
  crowd sells 10 BTC_USD at 100 | #1 OPEN
  bob sells 5 BTC_USD at 100   | #2 OPEN
  crowd sells 4 BTC_USD at 100 | #3 OPEN`

describe('an order of the crowd that is reduced', () => {
  script(
    'not at all, to compare with: eight lots are all of the crowd',
    oneMarket(),
    `${QUEUE_OF_THREE}
    alice buys 8 BTC_USD at 100  | #4 FILLED: 8 at 100 with #1
    `,
  )

  script(
    'ahead of ours: ours is filled sooner by exactly the difference',
    oneMarket(),
    `${QUEUE_OF_THREE}
    crowd reduces #1 by 3        | #1 OPEN
    BTC_USD book                 | none / 16 at 100
    alice buys 8 BTC_USD at 100  | #4 FILLED: 7 at 100 with #1, 1 at 100 with #2
    alice buys 9 BTC_USD at 100  | #5 PARTIALLY_FILLED: 4 at 100 with #2, 4 at 100 with #3
    BTC_USD book                 | 1 at 100 / none
    `,
  )

  script(
    'bids: ours is filled sooner by exactly the difference',
    oneMarket(),
    `
    bob credits 500 USD          | credited
    alice credits 20 BTC         | credited
    crowd buys 10 BTC_USD at 100 | #1 OPEN
    bob buys 5 BTC_USD at 100    | #2 OPEN
    crowd reduces #1 by 9        | #1 OPEN
    BTC_USD book                 | 6 at 100 / none
    alice sells 3 BTC_USD        | #3 FILLED: 1 at 100 with #1, 2 at 100 with #2
    `,
  )

  script(
    'behind ours: ours keeps its place, and the last of the queue is still the last',
    oneMarket(),
    `${QUEUE_OF_THREE}
    crowd sells 2 BTC_USD at 100 | #4 OPEN
    crowd reduces #3 by 3        | #3 OPEN
    alice buys 17 BTC_USD at 100 | #5 FILLED: 10 at 100 with #1, 5 at 100 with #2, 1 at 100 with #3, 1 at 100 with #4
    BTC_USD book                 | none / 1 at 100
    `,
  )

  script(
    'after a fill: what is filled stays filled, of an order that is for less',
    oneMarket(),
    `${QUEUE_OF_THREE}
    alice buys 4 BTC_USD at 100  | #4 FILLED: 4 at 100 with #1
    crowd order #1               | PARTIALLY_FILLED 4 of 10, average 100
    crowd reduces #1 by 5        | #1 PARTIALLY_FILLED
    crowd order #1               | PARTIALLY_FILLED 4 of 5, average 100
    BTC_USD book                 | none / 10 at 100
    alice buys 2 BTC_USD at 100  | #5 FILLED: 1 at 100 with #1, 1 at 100 with #2
    crowd order #1               | none
    crowd open                   | #3
    `,
  )

  script(
    'before a fill: it is open until one, as if it had been placed for less',
    oneMarket(),
    `${QUEUE_OF_THREE}
    crowd reduces #1 by 2        | #1 OPEN
    crowd reduces #1 by 5        | #1 OPEN
    crowd order #1               | OPEN 0 of 3
    alice buys 1 BTC_USD at 100  | #4 FILLED: 1 at 100 with #1
    crowd order #1               | PARTIALLY_FILLED 1 of 3, average 100
    `,
  )

  script(
    'may be cancelled, and takes no more than its rest off the book',
    oneMarket(),
    `${QUEUE_OF_THREE}
    crowd reduces #1 by 6        | #1 OPEN
    crowd cancels #1             | #1 CANCELLED
    BTC_USD book                 | none / 9 at 100
    alice buys 6 BTC_USD at 100  | #4 FILLED: 5 at 100 with #2, 1 at 100 with #3
    `,
  )

  script(
    'meets as a taker what its rest can take, and no more',
    oneMarket(),
    `${QUEUE_OF_THREE}
    crowd reduces #1 by 8        | #1 OPEN
    BTC_USD offers 9 at 101 to #1, #2 | #1 FILLED: 2 at 101 with #4, #2 FILLED: 5 at 101 with #4
    BTC_USD book                 | none / 4 at 100
    `,
  )

  script(
    'at the best price or behind it: the best price stays, down to one lot',
    oneMarket(),
    `
    crowd sells 3 BTC_USD at 100 | #1 OPEN
    crowd sells 3 BTC_USD at 107 | #2 OPEN
    crowd reduces #1 by 2        | #1 OPEN
    crowd reduces #2 by 1        | #2 OPEN
    BTC_USD book                 | none / 1 at 100, 2 at 107
    `,
  )

  script(
    'moves no money on either side, fees or not: nothing is set aside for the crowd, and what is for others stays',
    oneMarket({ makerFeeBps: '100', takerFeeBps: '200' }),
    `
    alice credits 2000 USD       | credited
    bob credits 9 BTC            | credited
    alice buys 4 BTC_USD at 90   | #1 OPEN
    bob sells 4 BTC_USD at 110   | #2 OPEN
    crowd buys 5 BTC_USD at 100  | #3 OPEN
    bob sells 2 BTC_USD at 100   | #4 FILLED: 2 at 100 with #3 for 0 and 4
    crowd sells 5 BTC_USD at 105 | #5 OPEN
    alice buys 1 BTC_USD at 105  | #6 FILLED: 1 at 105 with #5 for 0 and 3
    crowd reduces #3 by 2        | #3 PARTIALLY_FILLED
    crowd reduces #5 by 3        | #5 PARTIALLY_FILLED
    BTC_USD book                 | 1 at 100, 4 at 90 / 1 at 105, 4 at 110
    -- paid 200 for two, got 105 for one
    crowd has USD                | -95 available, 0 locked
    crowd has BTC                | 1 available, 0 locked
    -- locked 360 and 2 % of it, ceil(7.2); paid 105 and 3
    alice has USD                | 1524 available, 368 locked
    bob has BTC                  | 3 available, 4 locked
    -- held: -95 of the crowd, 1524 + 368 of alice, 196 of bob
    USD audit                    | 2000 = 1993 held + 7 fees
    BTC audit                    | 9 = 9 held + 0 fees
    `,
  )
})

const SYMBOL = 'BTC_USD'
const HIGHEST = Number.MAX_SAFE_INTEGER

const limit = (account: string, side: Side, price: number, qty: number, time = 1): Command => ({
  type: 'place',
  time,
  account,
  request: { symbol: SYMBOL, side, type: 'LIMIT', price, qty },
})

const reduce = (orderId: number, qty: number, time = 2): Command => ({
  type: 'reduce',
  time,
  account: CROWD,
  orderId,
  qty,
})

describe.each(implementations)('the $name', ({ create }) => {
  it('reports a reduction with the order as it is after it, and gives no id for it', () => {
    const exchange = create(oneMarket())
    exchange.execute(limit(CROWD, 'SELL', 100, 10))
    exchange.execute(limit(CROWD, 'BUY', 100, 4))
    const left = { id: 1, userId: CROWD, symbol: SYMBOL, side: 'SELL', type: 'LIMIT', price: 100, createdAt: 1 }
    const order = { ...left, status: 'PARTIALLY_FILLED', qty: 7, filledQty: 4, filledNotional: 400n, fee: 0n }
    expect(exchange.execute(reduce(1, 3, 9))).toEqual([{ type: 'order-reduced', time: 9, order, lots: 3 }])
    expect(exchange.openOrders(CROWD)).toEqual([order])
    expect(exchange.lastOrderId).toBe(2)
    expect(exchange.restingAt(SYMBOL, 'SELL', 100)).toEqual([{ orderId: 1, account: CROWD, price: 100, qty: 3 }])
    expect(exchange.audit().every(isAuditLineRight)).toBe(true)
  })

  it('adds up a price to the last lot, however large its orders', () => {
    const exchange = create(oneMarket())
    for (let count = 0; count < 3; count += 1) exchange.execute(limit(CROWD, 'SELL', 100, HIGHEST))
    exchange.execute(reduce(2, HIGHEST - 1))
    exchange.execute(reduce(1, 1))
    expect(exchange.depth(SYMBOL).asks).toEqual([{ price: 100, qty: 2n * BigInt(HIGHEST) }])
    expect(exchange.restingTo(SYMBOL, 'SELL', 100, HIGHEST).map(({ qty }) => qty)).toEqual([HIGHEST - 1, 1])
    exchange.execute({ type: 'cancel', time: 3, account: CROWD, orderId: 3 })
    expect(exchange.depth(SYMBOL).asks).toEqual([{ price: 100, qty: BigInt(HIGHEST) }])
  })

  it.each`
    why                                      | change
    ${'nothing'}                             | ${{ qty: 0 }}
    ${'less than nothing'}                   | ${{ qty: -1 }}
    ${'a part of a lot'}                     | ${{ qty: 1.5 }}
    ${'no number'}                           | ${{ qty: Number.NaN }}
    ${'more than a number holds'}            | ${{ qty: 2 ** 53 }}
    ${'all that is open: that is a cancel'}  | ${{ qty: 6 }}
    ${'more than is open, less than it was'} | ${{ qty: 7 }}
    ${'an order of nobody'}                  | ${{ orderId: 99 }}
    ${'an order that is filled'}             | ${{ orderId: 2 }}
    ${'an order that is cancelled'}          | ${{ orderId: 3 }}
    ${'an order of ours'}                    | ${{ orderId: 4 }}
    ${'an order of ours, by its owner'}      | ${{ orderId: 4, account: 'ann' }}
    ${'an order of the crowd, by another'}   | ${{ account: 'ann' }}
    ${'an order of the crowd, by nobody'}    | ${{ account: 'zoe' }}
  `('takes it for a bug of the caller, and changes nothing: $why', ({ change }: { change: Partial<Command> }) => {
    const exchange = create(oneMarket())
    exchange.execute({ type: 'credit', time: 1, account: 'ann', asset: 'USD', amount: 1_000n })
    exchange.execute(limit(CROWD, 'SELL', 100, 10))
    exchange.execute(limit(CROWD, 'BUY', 100, 4))
    exchange.execute(limit(CROWD, 'SELL', 101, 9))
    exchange.execute(limit('ann', 'BUY', 90, 9))
    exchange.execute({ type: 'cancel', time: 1, account: CROWD, orderId: 3 })
    const before = [exchange.depth(SYMBOL), exchange.openOrders(CROWD), exchange.balances('ann'), exchange.audit()]
    expect(() => exchange.execute({ ...reduce(1, 2), ...change } as Command)).toThrow(InvariantError)
    const after = [exchange.depth(SYMBOL), exchange.openOrders(CROWD), exchange.balances('ann'), exchange.audit()]
    expect(after).toEqual(before)
    expect(exchange.execute(reduce(1, 5))).toMatchObject([{ type: 'order-reduced', order: { qty: 5, filledQty: 4 } }])
  })
})

describe('a snapshot', () => {
  const busy = () => {
    const fees = { makerFeeBps: '10', takerFeeBps: '40' }
    const exchange = createExchange({ markets: [market(SYMBOL, fees)], quoteAsset: 'USD', history: KEEP_ALL })
    exchange.execute({ type: 'credit', time: 1, account: 'ann', asset: 'USD', amount: 10_000n })
    exchange.execute(limit(CROWD, 'BUY', 100, 10))
    exchange.execute(limit('ann', 'BUY', 100, 5))
    exchange.execute(limit(CROWD, 'BUY', 100, 8))
    exchange.execute(limit(CROWD, 'SELL', 100, 4))
    return exchange
  }

  it('that was cut before a reduction is of before it, and one of after it of after it, whenever they are written', () => {
    const exchange = busy()
    const before = JSON.stringify(exchange.snapshot())
    const cut = exchange.cut()
    exchange.execute(reduce(1, 3))
    const after = JSON.stringify(exchange.snapshot())
    const later = exchange.cut()
    exchange.execute(reduce(3, 2, 3))
    expect(JSON.stringify(wholeOf<ExchangeSnapshot>(cut))).toBe(before)
    expect(JSON.stringify(wholeOf<ExchangeSnapshot>(later))).toBe(after)
    const bids = wholeOf<ExchangeSnapshot>(later).states[0]?.bids.map(({ id, request, remaining, status }) => {
      return [id, request.qty, remaining, status]
    })
    expect(bids).toEqual([
      [1, 7, 3, 'PARTIALLY_FILLED'],
      [2, 5, 5, 'OPEN'],
      [3, 8, 8, 'OPEN'],
    ])
  })

  it('of reduced orders makes an exchange that goes on the same', () => {
    const exchange = busy()
    exchange.execute(reduce(1, 3))
    exchange.execute(reduce(3, 7))
    const text = JSON.stringify(exchange.snapshot())
    const restored = restoreExchange(JSON.parse(text) as ExchangeSnapshot)
    expect(JSON.stringify(restored.snapshot())).toBe(text)
    const goOn = (each: Exchange): readonly unknown[] => [
      each.execute(reduce(1, 1, 3)),
      each.execute(limit(CROWD, 'SELL', 100, 4, 4)),
      each.execute({ type: 'cancel', time: 5, account: CROWD, orderId: 3 }),
      each.depth(SYMBOL),
      each.balances('ann'),
      each.balances(CROWD),
      each.audit(),
    ]
    expect(goOn(restored)).toEqual(goOn(exchange))
    expect(JSON.stringify(restored.snapshot())).toBe(JSON.stringify(exchange.snapshot()))
    expect(exchange.audit().every(isAuditLineRight)).toBe(true)
    expect(exchange.order('ann', 2)).toMatchObject({ status: 'PARTIALLY_FILLED', filledQty: 2 })
  })
})
