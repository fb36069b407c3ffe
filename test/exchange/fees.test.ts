/**
 * Fees and what is locked for them (decision 12). The ledger's last digit of USD is one whole USD here, so that
 * rounding shows.
 */
import { describe } from 'vitest'
import { market, KEEP_ALL, oneMarket } from './rig/configs.ts'
import { script } from './rig/script-test.ts'

describe('decision 12: fees', () => {
  script(
    'decision 12: the buyer pays on top, the seller out of the proceeds, each at its role',
    oneMarket({ makerFeeBps: '100', takerFeeBps: '200' }),
    `
    bob credits 10 BTC           | credited
    alice credits 2000 USD       | credited
    bob sells 10 BTC_USD at 100  | #1 OPEN
    alice buys 5 BTC_USD         | #2 FILLED: 5 at 100 with #1 for 5 and 10
    bob has USD                  | 495 available, 0 locked
    alice has USD                | 1490 available, 0 locked
    USD audit                    | 2000 = 1985 held + 15 fees
    BTC audit                    | 10 = 10 held + 0 fees
    bob fills                    | SELL #1 maker 5 at 100 for 5
    alice fills                  | BUY #2 taker 5 at 100 for 10
    `,
  )

  script(
    "decision 12: an order's fee is the exact fee over all its fills, rounded up once; a fill pays the increase",
    oneMarket({ makerFeeBps: '0', takerFeeBps: '33.3333' }),
    `
    -- each fill of 100 costs 0.333333 exactly: 1, 1, 1, and the fourth brings it to 1.333332, rounded up 2
    bob credits 4 BTC            | credited
    alice credits 402 USD        | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    bob sells 1 BTC_USD at 100   | #2 OPEN
    bob sells 1 BTC_USD at 100   | #3 OPEN
    bob sells 1 BTC_USD at 100   | #4 OPEN
    alice buys 4 BTC_USD at 100  | #5 FILLED: 1 at 100 with #1 for 0 and 1, 1 at 100 with #2, 1 at 100 with #3, 1 at 100 with #4 for 0 and 1
    alice order #5               | FILLED 4 of 4, average 100, fee 2
    alice has USD                | 0 available, 0 locked
    `,
  )

  script(
    'decision 12: an order that was taker and then maker adds both exactly before it rounds',
    oneMarket({ makerFeeBps: '20', takerFeeBps: '30' }),
    `
    -- taker 100 x 0.3 % = 0.3 -> 1; then maker 200 x 0.2 % = 0.4, together 0.7, still 1
    bob credits 1 BTC            | credited
    carol credits 4 BTC          | credited
    alice credits 600 USD        | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    alice buys 5 BTC_USD at 100  | #2 PARTIALLY_FILLED: 1 at 100 with #1 for 1 and 1
    carol sells 2 BTC_USD at 100 | #3 FILLED: 2 at 100 with #2 for 0 and 1
    alice order #2               | PARTIALLY_FILLED 3 of 5, average 100, fee 1
    -- maker 200 more: exact 1.1 -> 2
    carol sells 2 BTC_USD at 100 | #4 FILLED: 2 at 100 with #2 for 1 and 1
    alice order #2               | FILLED 5 of 5, average 100, fee 2
    alice has USD                | 98 available, 0 locked
    `,
  )

  script(
    'decision 12: locked = remaining x limit + ceil(exact fee so far + remaining x limit x higher rate) - fee charged',
    oneMarket({ makerFeeBps: '10', takerFeeBps: '40' }),
    `
    -- 500 + ceil(500 x 0.4 % = 2)
    bob credits 5 BTC            | credited
    alice credits 600 USD        | credited
    alice buys 5 BTC_USD at 100  | #1 OPEN
    alice has USD                | 98 available, 502 locked
    -- maker: 100 x 0.1 % = 0.1, charged 1; locked 400 + ceil(0.1 + 1.6) - 1 = 401
    bob sells 1 BTC_USD at 100   | #2 FILLED: 1 at 100 with #1 for 1 and 1
    alice has USD                | 98 available, 401 locked
    -- exact 0.4, charged 1; locked 100 + ceil(0.4 + 0.4) - 1 = 100
    bob sells 3 BTC_USD at 100   | #3 FILLED: 3 at 100 with #1 for 0 and 2
    alice has USD                | 99 available, 100 locked
    alice cancels #1             | #1 CANCELLED
    alice has USD                | 199 available, 0 locked
    alice order #1               | CANCELLED 4 of 5, average 100, fee 1
    `,
  )

  script(
    'decision 12: price improvement gives its part of the fee back at once too',
    oneMarket({ makerFeeBps: '0', takerFeeBps: '1000' }),
    `
    -- locked 2 x 100 + 10 % = 220; the fill costs 50 + 5; 1 x 100 + ceil(5 + 10) - 5 = 110 stay locked
    bob credits 1 BTC            | credited
    alice credits 220 USD        | credited
    bob sells 1 BTC_USD at 50    | #1 OPEN
    alice buys 2 BTC_USD at 100  | #2 PARTIALLY_FILLED: 1 at 50 with #1 for 0 and 5
    alice has USD                | 55 available, 110 locked
    `,
  )

  script(
    'decision 12: at 10 000 basis points a buyer pays twice and a seller gets nothing',
    oneMarket({ makerFeeBps: '10000', takerFeeBps: '10000' }),
    `
    bob credits 1 BTC            | credited
    alice credits 199 USD        | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    alice buys 1 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice credits 1 USD          | credited
    alice buys 1 BTC_USD at 100  | #2 FILLED: 1 at 100 with #1 for 100 and 100
    alice has USD                | 0 available, 0 locked
    bob has USD                  | 0 available, 0 locked
    USD audit                    | 200 = 0 held + 200 fees
    `,
  )

  script(
    'decision 12: the smallest rate, 0.0001 basis points, still rounds up to the last unit',
    oneMarket({ makerFeeBps: '0.0001', takerFeeBps: '0' }),
    `
    bob credits 1 BTC            | credited
    alice credits 1 USD          | credited
    bob sells 1 BTC_USD at 1     | #1 OPEN
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 1 with #1 for 1 and 0
    bob has USD                  | 0 available, 0 locked
    USD audit                    | 1 = 0 held + 1 fees
    `,
  )

  script(
    'decision 12: the last digit is the ledger of the quote asset, which a finer market may have made finer',
    {
      markets: [
        market('BTC_USD', { takerFeeBps: '33.3333' }),
        market('ETH_USD', { pricePrecision: 2, qtyPrecision: 2 }),
      ],
      quoteAsset: 'USD',
      history: KEEP_ALL,
    },
    `
    -- 100 x 0.333333 % = 0.333333, rounded up to four digits
    bob credits 1 BTC            | credited
    alice credits 101 USD        | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 100 with #1 for 0 and 0.3334
    alice has USD                | 0.6666 available, 0 locked
    `,
  )

  script(
    'decision 12: each market has its own rates',
    {
      markets: [market('BTC_USD', { takerFeeBps: '100' }), market('ETH_USD', { takerFeeBps: '0' })],
      quoteAsset: 'USD',
      history: KEEP_ALL,
    },
    `
    bob credits 1 BTC            | credited
    bob credits 1 ETH            | credited
    alice credits 201 USD        | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    bob sells 1 ETH_USD at 100   | #2 OPEN
    alice buys 1 BTC_USD         | #3 FILLED: 1 at 100 with #1 for 0 and 1
    alice buys 1 ETH_USD         | #4 FILLED: 1 at 100 with #2
    alice has USD                | 0 available, 0 locked
    `,
  )

  script(
    'decision 12: a refused or cancelled order costs nothing',
    oneMarket({ makerFeeBps: '100', takerFeeBps: '100' }),
    `
    alice credits 101 USD        | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    alice has USD                | 0 available, 101 locked
    alice cancels #1             | #1 CANCELLED
    alice has USD                | 101 available, 0 locked
    USD audit                    | 101 = 101 held + 0 fees
    `,
  )
})
