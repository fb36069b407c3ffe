/**
 * What the exchange refuses, with which code, and in which order it checks (the specification, sections 4 and 7;
 * decision 10).
 */
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import type { OrderRequest } from '../../src/domain/order.ts'
import { oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

describe('spec 4: refusals of POST /orders', () => {
  script(
    'spec 4, rule 3: an unknown market is MARKET_NOT_FOUND, before anything else is looked at',
    oneMarket(),
    `
    alice buys 1 ETH_USD at 100  | refused MARKET_NOT_FOUND
    alice buys 0 ETH_USD at 0    | refused MARKET_NOT_FOUND
    alice sells 1 ETH_USD        | refused MARKET_NOT_FOUND
    alice buys 1 btc_usd at 100  | refused MARKET_NOT_FOUND -- symbols exactly as listed
    `,
  )

  script(
    'decision 10: a zero qty or a zero limit price is ORDER_REJECTED, before liquidity and balance',
    oneMarket(),
    `
    alice buys 0 BTC_USD at 100  | refused ORDER_REJECTED
    alice buys 1 BTC_USD at 0    | refused ORDER_REJECTED -- and not INSUFFICIENT_BALANCE: it would cost nothing
    alice sells 1 BTC_USD at 0   | refused ORDER_REJECTED -- and not INSUFFICIENT_BALANCE
    alice buys 0 BTC_USD         | refused ORDER_REJECTED -- and not NO_LIQUIDITY
    alice sells 0 BTC_USD        | refused ORDER_REJECTED
    `,
  )

  script(
    'decision 9: a market order against an empty side is NO_LIQUIDITY, before the balance is looked at',
    oneMarket(),
    `
    alice buys 1 BTC_USD         | refused NO_LIQUIDITY -- nor has she any USD
    bob sells 1 BTC_USD          | refused NO_LIQUIDITY -- nor has he any BTC
    carol credits 1 BTC          | credited
    carol sells 1 BTC_USD at 100 | #1 OPEN
    bob sells 1 BTC_USD          | refused NO_LIQUIDITY -- its own side does not help
    `,
  )

  script(
    'decision 10: a limit buy needs price x qty, to the last unit',
    oneMarket(),
    `
    alice credits 299 USD        | credited
    alice buys 3 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice credits 1 USD          | credited
    alice buys 3 BTC_USD at 100  | #1 OPEN
    alice buys 1 BTC_USD at 1    | refused INSUFFICIENT_BALANCE
    `,
  )

  script(
    'decision 10: a limit buy needs the highest fee as well, rounded up',
    oneMarket({ makerFeeBps: '130', takerFeeBps: '10' }),
    `
    -- 300 x 1.3 % = 3.9, rounded up to 4
    alice credits 303 USD        | credited
    alice buys 3 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice credits 1 USD          | credited
    alice buys 3 BTC_USD at 100  | #1 OPEN
    alice has USD                | 0 available, 304 locked
    `,
  )

  script(
    'decision 10: a limit buy needs its limit even where it would fill for less',
    oneMarket(),
    `
    bob credits 1 BTC            | credited
    alice credits 99 USD         | credited
    bob sells 1 BTC_USD at 50    | #1 OPEN
    alice buys 1 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice buys 1 BTC_USD at 99   | #2 FILLED: 1 at 50 with #1
    `,
  )

  script(
    'decision 10: a market buy needs the walk over the book plus the taker fee',
    oneMarket({ makerFeeBps: '500', takerFeeBps: '100' }),
    `
    -- 1 x 100 + 2 x 110 = 320, and 1 % of it is 3.2, rounded up 4
    bob credits 3 BTC            | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    bob sells 2 BTC_USD at 110   | #2 OPEN
    alice credits 323 USD        | credited
    alice buys 3 BTC_USD         | refused INSUFFICIENT_BALANCE
    alice buys 9 BTC_USD         | refused INSUFFICIENT_BALANCE
    alice credits 1 USD          | credited
    alice buys 9 BTC_USD         | #3 CANCELLED: 1 at 100 with #1 for 5 and 1, 2 at 110 with #2 for 11 and 3
    alice has USD                | 0 available, 0 locked
    `,
  )

  script(
    'decision 10: a sell needs its whole qty, a market sell too where the book wants less',
    oneMarket(),
    `
    bob credits 2 BTC            | credited
    alice credits 100 USD        | credited
    bob sells 3 BTC_USD at 100   | refused INSUFFICIENT_BALANCE
    alice buys 1 BTC_USD at 100  | #1 OPEN
    bob sells 3 BTC_USD          | refused INSUFFICIENT_BALANCE
    bob sells 2 BTC_USD          | #2 CANCELLED: 1 at 100 with #1
    `,
  )

  script(
    'decision 10: what is locked by one order is not there for another',
    oneMarket(),
    `
    bob credits 2 BTC            | credited
    bob sells 2 BTC_USD at 100   | #1 OPEN
    bob sells 1 BTC_USD at 100   | refused INSUFFICIENT_BALANCE
    bob cancels #1               | #1 CANCELLED
    bob sells 1 BTC_USD at 100   | #2 OPEN
    `,
  )

  script(
    'decision 10: self-trade is checked last',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 100 USD        | credited
    alice credits 1 BTC          | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    alice sells 2 BTC_USD at 100 | refused INSUFFICIENT_BALANCE -- though it would meet #1
    alice sells 0 BTC_USD at 100 | refused ORDER_REJECTED
    alice sells 1 BTC_USD at 100 | refused ORDER_REJECTED
    alice buys 1 BTC_USD         | refused NO_LIQUIDITY
    `,
  )

  script(
    'decision 10: a refused order changes nothing and takes no id',
    oneMarket({ selfTrade: 'reject' }),
    `
    alice credits 100 USD        | credited
    alice credits 1 BTC          | credited
    alice buys 1 BTC_USD at 100  | #1 OPEN
    alice buys 1 BTC_USD at 100  | refused INSUFFICIENT_BALANCE
    alice sells 1 BTC_USD at 100 | refused ORDER_REJECTED
    alice buys 1 BTC_USD         | refused NO_LIQUIDITY
    alice buys 1 X_Y at 1        | refused MARKET_NOT_FOUND
    alice has USD                | 0 available, 100 locked
    alice has BTC                | 1 available, 0 locked
    alice orders                 | #1
    alice fills                  | none
    BTC_USD book                 | 1 at 100 / none
    BTC_USD trades               | none
    alice sells 1 BTC_USD at 101 | #2 OPEN
    `,
  )
})

describe('credits and debits', () => {
  script(
    'emulator surface: a debit beyond what is available is INSUFFICIENT_BALANCE, an unknown asset ASSET_NOT_FOUND',
    oneMarket(),
    `
    alice credits 100 USD        | credited
    alice buys 1 BTC_USD at 60   | #1 OPEN
    alice debits 41 USD          | refused INSUFFICIENT_BALANCE -- the 60 are locked
    alice debits 40 USD          | credited
    alice has USD                | 0 available, 60 locked
    alice debits 0 USD           | credited
    alice credits 0 USD          | credited
    alice credits 1 ETH          | refused ASSET_NOT_FOUND
    alice debits 1 ETH           | refused ASSET_NOT_FOUND
    bob debits 1 USD             | refused INSUFFICIENT_BALANCE
    USD audit                    | 60 = 60 held + 0 fees
    `,
  )
})

describe('a request that no caller should have let through', () => {
  const limit = (price: number, qty: number): OrderRequest => ({
    symbol: 'BTC_USD',
    side: 'BUY',
    type: 'LIMIT',
    price,
    qty,
  })

  describe.each(implementations)('$name', ({ create }) => {
    it.each`
      request                         | why
      ${limit(1.5, 1)}                | ${'a broken price'}
      ${limit(1, 0.5)}                | ${'a broken qty'}
      ${limit(-1, 1)}                 | ${'a negative price'}
      ${limit(1, -1)}                 | ${'a negative qty'}
      ${limit(Number.NaN, 1)}         | ${'no number'}
      ${limit(2 ** 53, 1)}            | ${'a price beyond 2^53 - 1'}
      ${limit(1, 2 ** 53)}            | ${'a qty beyond 2^53 - 1'}
      ${{ ...limit(1, 1), qty: 0.1 }} | ${'a tenth of a lot'}
    `('decision 29: $why is a bug of the caller', ({ request }: { request: OrderRequest }) => {
      const exchange = create(oneMarket())
      expect(() => exchange.execute({ type: 'place', time: 0, account: 'alice', request })).toThrow(InvariantError)
    })
  })
})
