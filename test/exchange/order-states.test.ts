/**
 * The states of an order and what moves it between them (the specification, section 3).
 */
import { describe } from 'vitest'
import { oneMarket } from './rig/configs.ts'
import { script } from './rig/script-test.ts'

describe('spec 3: states and transitions', () => {
  script(
    'spec 3: OPEN -> PARTIALLY_FILLED -> FILLED, averagePrice appears with the first fill',
    oneMarket(),
    `
    alice credits 500 USD        | credited
    bob credits 5 BTC            | credited
    alice buys 5 BTC_USD at 100  | #1 OPEN
    alice order #1               | OPEN 0 of 5
    bob sells 2 BTC_USD at 100   | #2 FILLED: 2 at 100 with #1
    alice order #1               | PARTIALLY_FILLED 2 of 5, average 100
    bob sells 3 BTC_USD at 100   | #3 FILLED: 3 at 100 with #1
    alice order #1               | FILLED 5 of 5, average 100
    BTC_USD book                 | none / none
    `,
  )

  script(
    'spec 3: an order that fills whole at once goes from OPEN to FILLED',
    oneMarket(),
    `
    alice credits 100 USD        | credited
    bob credits 1 BTC            | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 FILLED: 1 at 100 with #1
    alice order #1               | FILLED 1 of 1, average 100
    bob order #2                 | FILLED 1 of 1, average 100
    `,
  )

  script(
    'spec 3: a limit order that crosses takes what there is and rests with the remainder',
    oneMarket(),
    `
    alice credits 500 USD        | credited
    bob credits 2 BTC            | credited
    bob sells 2 BTC_USD at 90    | #1 OPEN
    alice buys 5 BTC_USD at 100  | #2 PARTIALLY_FILLED: 2 at 90 with #1
    alice order #2               | PARTIALLY_FILLED 2 of 5, average 90
    BTC_USD book                 | 3 at 100 / none
    `,
  )

  script(
    'spec 3: DELETE of an OPEN order cancels it and releases its reservation',
    oneMarket(),
    `
    alice credits 500 USD        | credited
    alice buys 5 BTC_USD at 100  | #1 OPEN
    alice has USD                | 0 available, 500 locked
    alice cancels #1             | #1 CANCELLED
    alice has USD                | 500 available, 0 locked
    alice order #1               | CANCELLED 0 of 5
    BTC_USD book                 | none / none
    `,
  )

  script(
    'spec 3: DELETE of a PARTIALLY_FILLED order touches only what is unfilled',
    oneMarket(),
    `
    alice credits 500 USD        | credited
    bob credits 2 BTC            | credited
    alice buys 5 BTC_USD at 100  | #1 OPEN
    bob sells 2 BTC_USD at 100   | #2 FILLED: 2 at 100 with #1
    alice cancels #1             | #1 CANCELLED
    alice order #1               | CANCELLED 2 of 5, average 100
    alice has USD                | 300 available, 0 locked
    alice has BTC                | 2 available, 0 locked
    alice fills                  | BUY #1 maker 2 at 100
    `,
  )

  script(
    'spec 3: DELETE of a FILLED or CANCELLED order is ORDER_NOT_CANCELLABLE and changes nothing',
    oneMarket(),
    `
    alice credits 300 USD        | credited
    bob credits 1 BTC            | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 FILLED: 1 at 100 with #1
    alice buys 2 BTC_USD at 100  | #3 OPEN
    alice cancels #3             | #3 CANCELLED
    alice cancels #1             | refused ORDER_NOT_CANCELLABLE
    bob cancels #2               | refused ORDER_NOT_CANCELLABLE
    alice cancels #3             | refused ORDER_NOT_CANCELLABLE
    alice order #1               | FILLED 1 of 1, average 100
    alice order #3               | CANCELLED 0 of 2
    alice has USD                | 200 available, 0 locked
    `,
  )

  script(
    "spec 4, DELETE rule 2: an unknown order and another's order are ORDER_NOT_FOUND alike (decision 6)",
    oneMarket(),
    `
    alice credits 100 USD        | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    bob cancels #1               | refused ORDER_NOT_FOUND
    bob cancels #2               | refused ORDER_NOT_FOUND
    alice cancels #0             | refused ORDER_NOT_FOUND
    bob order #1                 | none
    alice order #1               | OPEN 0 of 1
    alice has USD                | 0 available, 100 locked
    `,
  )
})

describe('decision 8: the unfilled remainder of a market order', () => {
  script(
    'decision 8: is removed, with CANCELLED, filledQty and averagePrice, and nothing stays locked',
    oneMarket(),
    `
    alice credits 1000 USD      | credited
    bob credits 3 BTC           | credited
    bob sells 1 BTC_USD at 100  | #1 OPEN
    bob sells 1 BTC_USD at 101  | #2 OPEN
    alice buys 5 BTC_USD        | #3 CANCELLED: 1 at 100 with #1, 1 at 101 with #2
    alice order #3              | CANCELLED 2 of 5, average 100.5
    alice has USD               | 799 available, 0 locked
    alice has BTC               | 2 available, 0 locked
    alice cancels #3            | refused ORDER_NOT_CANCELLABLE
    BTC_USD book                | none / none
    `,
  )

  script(
    'decision 8: a market sell gets its unsold lots back',
    oneMarket(),
    `
    alice credits 100 USD       | credited
    bob credits 3 BTC           | credited
    alice buys 1 BTC_USD at 100 | #1 OPEN
    bob sells 3 BTC_USD         | #2 CANCELLED: 1 at 100 with #1
    bob has BTC                 | 2 available, 0 locked
    bob has USD                 | 100 available, 0 locked
    `,
  )

  script(
    'decision 8: a market order that fills whole is FILLED and never rests',
    oneMarket(),
    `
    alice credits 100 USD       | credited
    bob credits 3 BTC           | credited
    bob sells 3 BTC_USD at 50   | #1 OPEN
    alice buys 2 BTC_USD        | #2 FILLED: 2 at 50 with #1
    BTC_USD book                | none / 1 at 50
    alice open                  | none
    `,
  )
})
