/**
 * The crowd: the recorded market as an account, and trades that are printed.
 */
import { describe, expect, it } from 'vitest'
import { CROWD } from '../../src/domain/command.ts'
import { InvariantError } from '../../src/domain/errors.ts'
import { oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

describe('the crowd', () => {
  script(
    'trades on credit without limit: its balances go below zero and the audit counts them',
    oneMarket(),
    `
    alice credits 100 USD        | credited
    crowd sells 5 BTC_USD at 100 | #1 OPEN
    crowd has BTC                | 0 available, 0 locked -- nothing is ever locked for it
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 100 with #1
    crowd has BTC                | -1 available, 0 locked
    crowd has USD                | 100 available, 0 locked
    BTC audit                    | 0 = 0 held + 0 fees
    USD audit                    | 100 = 100 held + 0 fees
    `,
  )

  script(
    'pays no fee as maker or taker, while the other side does',
    oneMarket({ makerFeeBps: '100', takerFeeBps: '200' }),
    `
    alice credits 408 USD        | credited
    crowd sells 2 BTC_USD at 100 | #1 OPEN
    alice buys 2 BTC_USD at 100  | #2 FILLED: 2 at 100 with #1 for 0 and 4
    alice sells 1 BTC_USD at 100 | #3 OPEN
    crowd buys 1 BTC_USD         | #4 FILLED: 1 at 100 with #3 for 1 and 0
    alice has USD                | 303 available, 0 locked
    crowd has USD                | 100 available, 0 locked
    USD audit                    | 408 = 403 held + 5 fees
    `,
  )

  script(
    'is exempt from self-trade checks, and a participant meets only its own orders',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 1000 USD       | credited
    crowd sells 1 BTC_USD at 100 | #1 OPEN
    crowd buys 1 BTC_USD at 100  | #2 FILLED: 1 at 100 with #1
    crowd sells 1 BTC_USD at 100 | #3 OPEN
    alice buys 1 BTC_USD at 100  | #4 FILLED: 1 at 100 with #3
    crowd has USD                | 100 available, 0 locked
    crowd has BTC                | -1 available, 0 locked
    `,
  )

  script(
    'keeps no order history and no fills: only its live orders are there',
    oneMarket(),
    `
    crowd sells 2 BTC_USD at 100 | #1 OPEN
    crowd sells 1 BTC_USD at 101 | #2 OPEN
    crowd buys 1 BTC_USD at 100  | #3 FILLED: 1 at 100 with #1
    crowd order #1               | PARTIALLY_FILLED 1 of 2, average 100
    crowd order #3               | none
    crowd orders                 | #2, #1
    crowd open                   | #2, #1
    crowd cancels #2             | #2 CANCELLED
    crowd orders                 | #1
    crowd order #2               | none
    crowd cancels #2             | refused ORDER_NOT_FOUND
    crowd cancels #3             | refused ORDER_NOT_FOUND
    crowd fills                  | none
    `,
  )

  script(
    'is refused what has nothing to do with its balance',
    oneMarket(),
    `
    crowd sells 0 BTC_USD at 100 | refused ORDER_REJECTED
    crowd sells 1 BTC_USD at 0   | refused ORDER_REJECTED
    crowd sells 1 BTC_USD        | refused NO_LIQUIDITY
    crowd sells 1 ETH_USD at 100 | refused MARKET_NOT_FOUND
    crowd credits 1 ETH          | refused ASSET_NOT_FOUND
    `,
  )

  script(
    'may be credited like anyone',
    oneMarket(),
    `
    crowd credits 10 USD         | credited
    crowd has USD                | 10 available, 0 locked
    USD audit                    | 10 = 10 held + 0 fees
    crowd debits 10 USD          | credited
    USD audit                    | 0 = 0 held + 0 fees
    `,
  )

  script(
    "stands in the queue like anyone: a participant's order behind it waits",
    oneMarket(),
    `
    bob credits 1 BTC            | credited
    alice credits 1000 USD       | credited
    crowd sells 2 BTC_USD at 100 | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 OPEN
    alice buys 3 BTC_USD at 100  | #3 FILLED: 2 at 100 with #1, 1 at 100 with #2
    `,
  )
})

describe('a printed trade', () => {
  script(
    'decision 18: takes one trade id and two order ids, moves no balance, and touches no order',
    oneMarket(),
    `
    alice credits 100 USD        | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    BTC_USD prints sell 3 at 100 | trade 1 -- the tape goes by: the crowd decides what meets our orders
    alice order #1               | OPEN 0 of 1
    crowd has USD                | 0 available, 0 locked
    crowd has BTC                | 0 available, 0 locked
    BTC_USD prints buy 1 at 102  | trade 2
    BTC_USD trades               | 2 buy 1 at 102, 1 sell 3 at 100
    alice cancels #1             | #1 CANCELLED
    alice buys 1 BTC_USD at 90   | #6 OPEN
    crowd sells 1 BTC_USD        | #7 FILLED: 1 at 90 with #6
    BTC_USD trades               | 3 sell 1 at 90, 2 buy 1 at 102, 1 sell 3 at 100
    `,
  )

  script(
    'decision 16: enters the ticker and the candles like any other',
    oneMarket(),
    `
    BTC_USD prints sell 3 at 100 | trade 1
    BTC_USD prints buy 1 at 102  | trade 2
    BTC_USD ticker               | last 102 open 100 high 102 low 100 volume 4 for 402 change 2 (2%)
    BTC_USD candles 1m           | 1 00:00:00.000 100 102 100 102 x 4
    `,
  )

  it.each(implementations)('is between crowd and crowd, the buy order numbered first ($name)', ({ create }) => {
    const exchange = create(oneMarket())
    expect(exchange.lastOrderId).toBe(0)
    const id = exchange.print({ symbol: 'BTC_USD', time: 5, price: 100, qty: 3, isBuyerMaker: true })
    expect(exchange.lastOrderId).toBe(2)
    expect(exchange.trades('BTC_USD', 500)).toEqual([
      {
        id,
        symbol: 'BTC_USD',
        price: 100,
        qty: 3,
        buyOrderId: 1,
        sellOrderId: 2,
        buyerId: CROWD,
        sellerId: CROWD,
        isBuyerMaker: true,
        createdAt: 5,
      },
    ])
    expect(exchange.order(CROWD, 1)).toBeUndefined()
    expect(exchange.fills(CROWD, 500)).toEqual([])
  })

  describe.each(implementations)('$name', ({ create }) => {
    it.each`
      price | qty
      ${0}  | ${1}
      ${1}  | ${0}
      ${-1} | ${1}
    `('of $qty at $price is a bug of the caller', ({ price, qty }: { price: number; qty: number }) => {
      const print = { symbol: 'BTC_USD', time: 0, price, qty, isBuyerMaker: false }
      expect(() => create(oneMarket()).print(print)).toThrow(InvariantError)
    })
  })
})
