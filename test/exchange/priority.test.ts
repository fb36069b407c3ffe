/**
 * Who is matched with whom, and at which price (decision 11).
 */
import { describe } from 'vitest'
import { oneMarket } from './rig/configs.ts'
import { script } from './rig/script-test.ts'

describe('decision 11: price-time priority', () => {
  script(
    'decision 11: the better price first, however late it came',
    oneMarket(),
    `
    bob credits 3 BTC            | credited
    alice credits 1000 USD       | credited
    bob sells 1 BTC_USD at 102   | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 OPEN
    bob sells 1 BTC_USD at 101   | #3 OPEN
    alice buys 3 BTC_USD at 101  | #4 PARTIALLY_FILLED: 1 at 100 with #2, 1 at 101 with #3
    BTC_USD book                 | 1 at 101 / 1 at 102
    `,
  )

  script(
    'decision 11: for a seller the highest bid is the better price',
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 3 BTC            | credited
    alice buys 1 BTC_USD at 98   | #1 OPEN
    alice buys 1 BTC_USD at 100  | #2 OPEN
    alice buys 1 BTC_USD at 99   | #3 OPEN
    bob sells 3 BTC_USD at 99    | #4 PARTIALLY_FILLED: 1 at 100 with #2, 1 at 99 with #3
    BTC_USD book                 | 1 at 98 / 1 at 99
    `,
  )

  script(
    'decision 11: at one price the earlier order first, also within one millisecond and over accounts',
    oneMarket(),
    `
    bob credits 2 BTC            | credited
    carol credits 2 BTC          | credited
    alice credits 1000 USD       | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    carol sells 2 BTC_USD at 100 | #2 OPEN
    bob sells 1 BTC_USD at 100   | #3 OPEN
    alice buys 2 BTC_USD at 100  | #4 FILLED: 1 at 100 with #1, 1 at 100 with #2
    alice buys 2 BTC_USD at 100  | #5 FILLED: 1 at 100 with #2, 1 at 100 with #3
    `,
  )

  script(
    'decision 11: a partial fill keeps its place in the queue',
    oneMarket(),
    `
    bob credits 5 BTC            | credited
    carol credits 1 BTC          | credited
    alice credits 1000 USD       | credited
    bob sells 5 BTC_USD at 100   | #1 OPEN
    carol sells 1 BTC_USD at 100 | #2 OPEN
    alice buys 3 BTC_USD at 100  | #3 FILLED: 3 at 100 with #1
    alice buys 3 BTC_USD at 100  | #4 FILLED: 2 at 100 with #1, 1 at 100 with #2
    `,
  )

  script(
    'decision 11: an order that is cancelled leaves the queue, one that comes back stands at its end',
    oneMarket(),
    `
    bob credits 1 BTC            | credited
    carol credits 1 BTC          | credited
    dave credits 1 BTC           | credited
    alice credits 1000 USD       | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    carol sells 1 BTC_USD at 100 | #2 OPEN
    dave sells 1 BTC_USD at 100  | #3 OPEN
    carol cancels #2             | #2 CANCELLED
    bob cancels #1               | #1 CANCELLED
    bob sells 1 BTC_USD at 100   | #4 OPEN
    alice buys 3 BTC_USD at 100  | #5 PARTIALLY_FILLED: 1 at 100 with #3, 1 at 100 with #4
    `,
  )

  script(
    "decision 11: the trade price is the resting order's, whoever is the better off",
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 2 BTC            | credited
    alice buys 1 BTC_USD at 105  | #1 OPEN
    bob sells 1 BTC_USD at 95    | #2 FILLED: 1 at 105 with #1
    bob sells 1 BTC_USD at 95    | #3 OPEN
    alice buys 1 BTC_USD at 105  | #4 FILLED: 1 at 95 with #3
    BTC_USD trades               | 2 buy 1 at 95, 1 sell 1 at 105
    `,
  )

  script(
    'decision 11: a limit is kept: nothing trades one tick outside it',
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 2 BTC            | credited
    alice buys 1 BTC_USD at 99   | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 OPEN
    BTC_USD book                 | 1 at 99 / 1 at 100
    BTC_USD trades               | none
    `,
  )

  script(
    'decision 11: a limit buy gets the price improvement back at that fill, not at the end',
    oneMarket(),
    `
    bob credits 2 BTC            | credited
    alice credits 500 USD        | credited
    bob sells 2 BTC_USD at 60    | #1 OPEN
    alice buys 5 BTC_USD at 100  | #2 PARTIALLY_FILLED: 2 at 60 with #1
    alice has USD                | 80 available, 300 locked -- 2 x (100 - 60) is free, 3 x 100 still held
    alice has BTC                | 2 available, 0 locked
    `,
  )

  script(
    'decision 11: equal prices make one level of the book, of all who stand there',
    oneMarket(),
    `
    alice credits 1000 USD       | credited
    bob credits 1000 USD         | credited
    alice buys 1 BTC_USD at 99   | #1 OPEN
    bob buys 2 BTC_USD at 99     | #2 OPEN
    alice buys 4 BTC_USD at 98   | #3 OPEN
    BTC_USD book                 | 3 at 99, 4 at 98 / none
    alice cancels #1             | #1 CANCELLED
    BTC_USD book                 | 2 at 99, 4 at 98 / none
    bob cancels #2               | #2 CANCELLED
    BTC_USD book                 | 4 at 98 / none
    `,
  )
})
