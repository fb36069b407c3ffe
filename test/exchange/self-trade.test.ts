/**
 * An account that meets its own order (decision 13).
 */
import { describe } from 'vitest'
import { oneMarket } from './rig/configs.ts'
import { script } from './rig/script-test.ts'

describe('decision 13: self-trade', () => {
  script(
    'decision 13: under allow it is a trade like any other; all moves net out but the fees',
    oneMarket({ makerFeeBps: '100', takerFeeBps: '200' }),
    `
    alice credits 300 USD        | credited
    alice credits 2 BTC          | credited
    alice sells 2 BTC_USD at 100 | #1 OPEN
    alice buys 1 BTC_USD at 100  | #2 FILLED: 1 at 100 with #1 for 1 and 2
    alice has USD                | 297 available, 0 locked
    alice has BTC                | 1 available, 1 locked
    USD audit                    | 300 = 297 held + 3 fees
    `,
  )

  script(
    "decision 13: in the fills it is two rows with one trade, the buy order's first",
    oneMarket(),
    `
    alice credits 300 USD        | credited
    alice credits 2 BTC          | credited
    alice sells 1 BTC_USD at 100 | #1 OPEN
    alice buys 1 BTC_USD at 100  | #2 FILLED: 1 at 100 with #1
    alice buys 1 BTC_USD at 90   | #3 OPEN
    alice sells 1 BTC_USD        | #4 FILLED: 1 at 90 with #3
    alice fills                  | BUY #3 maker 1 at 90, SELL #4 taker 1 at 90, BUY #2 taker 1 at 100, SELL #1 maker 1 at 100
    BTC_USD trades               | 2 sell 1 at 90, 1 buy 1 at 100
    `,
  )

  script(
    'decision 13: under allow the need is not softened by what the own order would bring in',
    oneMarket(),
    `
    alice credits 99 USD         | credited
    alice credits 1 BTC          | credited
    alice sells 1 BTC_USD at 100 | #1 OPEN
    alice buys 1 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice buys 1 BTC_USD         | refused INSUFFICIENT_BALANCE
    `,
  )

  script(
    'decision 13: under reject an order whose walk reaches an own order is ORDER_REJECTED whole',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 1000 USD       | credited
    alice credits 1 BTC          | credited
    bob credits 2 BTC            | credited
    bob sells 2 BTC_USD at 99    | #1 OPEN
    alice sells 1 BTC_USD at 100 | #2 OPEN
    alice buys 3 BTC_USD at 100  | refused ORDER_REJECTED
    alice buys 3 BTC_USD         | refused ORDER_REJECTED
    alice buys 2 BTC_USD at 100  | #3 FILLED: 2 at 99 with #1 -- enough before the own order is reached
    `,
  )

  script(
    'decision 13: under reject an own order that the limit or the qty does not reach is no obstacle',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 1000 USD       | credited
    alice credits 2 BTC          | credited
    bob credits 2 BTC            | credited
    bob sells 1 BTC_USD at 99    | #1 OPEN
    alice sells 1 BTC_USD at 100 | #2 OPEN
    alice buys 3 BTC_USD at 99   | #3 PARTIALLY_FILLED: 1 at 99 with #1
    bob sells 1 BTC_USD at 101   | #4 OPEN
    alice buys 1 BTC_USD         | refused ORDER_REJECTED -- #2 is the best now
    bob buys 2 BTC_USD           | refused INSUFFICIENT_BALANCE -- 201 are needed
    bob credits 102 USD          | credited
    bob buys 2 BTC_USD           | refused ORDER_REJECTED -- behind #2 stands his own #4
    bob buys 1 BTC_USD           | #5 FILLED: 1 at 100 with #2
    `,
  )

  script(
    'decision 13: under reject an own order behind another at the same price counts only when it is reached',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 1000 USD       | credited
    alice credits 1 BTC          | credited
    bob credits 1 BTC            | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    alice sells 1 BTC_USD at 100 | #2 OPEN
    alice buys 2 BTC_USD at 100  | refused ORDER_REJECTED
    alice buys 1 BTC_USD at 100  | #3 FILLED: 1 at 100 with #1
    `,
  )
})
