/**
 * What an account is worth, and since when (decision 17).
 */
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

const threeMarkets = {
  markets: [market('BTC_USD'), market('ETH_USD'), market('ETH_BTC')],
  quoteAsset: 'USD',
  history: KEEP_ALL,
}

describe('decision 17: portfolio', () => {
  script(
    'decision 17: an unknown account is worth nothing, since now',
    oneMarket(),
    `
    wait 5s                      |
    alice portfolio              | equity 0, baseline 0, pnl 0 (0%), since 1 00:00:05.000, as of 1 00:00:05.000
    alice position BTC           | 0 + 0 = 0, mark 0, value 0
    alice has BTC                | 0 available, 0 locked
    `,
  )

  script(
    'decision 17: the quote asset is priced by 1, any other by the last trade of its market',
    oneMarket({ pricePrecision: 2, qtyPrecision: 3 }),
    `
    alice credits 100.5 USD      | credited
    alice credits 1.5 BTC        | credited
    wait 10s                     |
    BTC_USD prints buy 1 at 20   | trade 1
    wait 10s                     |
    BTC_USD prints buy 1 at 30.5 | trade 2
    wait 10s                     |
    -- 1.5 x 30.5 = 45.75; the BTC joined the baseline at its first price, 20
    alice portfolio              | equity 146.25, baseline 130.5, pnl 15.75 (12.07%), since 1 00:00:00.000, as of 1 00:00:20.000
    alice position USD           | 100.5 + 0 = 100.5, mark 1, value 100.5
    alice position BTC           | 1.5 + 0 = 1.5, mark 30.5, value 45.75
    `,
  )

  script(
    'decision 17: a deposit is no profit and a debit no loss, at the price of their moment',
    oneMarket(),
    `
    BTC_USD prints buy 1 at 100  | trade 1
    alice credits 1 BTC          | credited
    alice portfolio              | equity 100, baseline 100, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000
    wait 1m                      |
    BTC_USD prints buy 1 at 150  | trade 2
    alice credits 1 BTC          | credited
    alice portfolio              | equity 300, baseline 250, pnl 50 (20%), since 1 00:00:00.000, as of 1 00:01:00.000
    alice debits 1 BTC           | credited
    alice portfolio              | equity 150, baseline 100, pnl 50 (50%), since 1 00:00:00.000, as of 1 00:01:00.000
    `,
  )

  script(
    'decision 17: a holding without a price: markPrice "0", value "0", partial; none of the baseline until its first price',
    oneMarket(),
    `
    alice credits 50 USD         | credited
    alice credits 2 BTC          | credited
    alice portfolio              | equity 50, baseline 50, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000, partial
    alice position BTC           | 2 + 0 = 2, mark 0, value 0
    wait 1m                      |
    BTC_USD prints buy 1 at 10   | trade 1
    alice portfolio              | equity 70, baseline 70, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:01:00.000
    BTC_USD prints buy 1 at 11   | trade 2
    alice portfolio              | equity 72, baseline 70, pnl 2 (2.86%), since 1 00:00:00.000, as of 1 00:01:00.000
    `,
  )

  script(
    'decision 17: a debit of an asset without a price takes from what waits for its first price',
    oneMarket(),
    `
    alice credits 5 BTC          | credited
    alice debits 3 BTC           | credited
    BTC_USD prints buy 1 at 10   | trade 1
    alice portfolio              | equity 20, baseline 20, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000
    BTC_USD prints buy 1 at 20   | trade 2
    alice portfolio              | equity 40, baseline 20, pnl 20 (100%), since 1 00:00:00.000, as of 1 00:00:00.000
    `,
  )

  script(
    'decision 17: the trade that spends a holding may be the one that prices it',
    oneMarket(),
    `
    alice credits 5 BTC          | credited
    bob credits 100 USD          | credited
    alice sells 5 BTC_USD at 10  | #1 OPEN
    alice portfolio              | equity 0, baseline 0, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000, partial
    alice position BTC           | 0 + 5 = 5, mark 0, value 0
    bob buys 5 BTC_USD           | #2 FILLED: 5 at 10 with #1
    alice portfolio              | equity 50, baseline 50, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000
    bob portfolio                | equity 100, baseline 100, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000
    `,
  )

  script(
    'decision 17: a zero holding never makes it partial, and shows its mark where there is one',
    threeMarkets,
    `
    alice credits 50 USD         | credited
    wait 1m                      |
    ETH_USD prints buy 1 at 7    | trade 1
    wait 1m                      |
    alice portfolio              | equity 50, baseline 50, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:02:00.000
    alice position ETH           | 0 + 0 = 0, mark 7, value 0
    alice position BTC           | 0 + 0 = 0, mark 0, value 0
    `,
  )

  script(
    'decision 17: asOf is the oldest mark that was used',
    threeMarkets,
    `
    alice credits 1 BTC          | credited
    alice credits 1 ETH          | credited
    wait 1m                      |
    ETH_USD prints buy 1 at 7    | trade 1
    wait 1m                      |
    BTC_USD prints buy 1 at 90   | trade 2
    wait 1m                      |
    alice portfolio              | equity 97, baseline 97, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:01:00.000
    ETH_USD prints buy 1 at 7    | trade 3
    alice portfolio              | equity 97, baseline 97, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:02:00.000
    alice debits 1 BTC           | credited
    alice portfolio              | equity 7, baseline 7, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:03:00.000
    `,
  )

  script(
    'decision 17: only the market against the quote asset prices: one against another asset does not',
    threeMarkets,
    `
    alice credits 1 ETH          | credited
    ETH_BTC prints buy 1 at 3    | trade 1
    BTC_USD prints buy 1 at 100  | trade 2
    alice portfolio              | equity 0, baseline 0, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000, partial
    `,
  )

  script(
    'decision 17: an asset that no market trades against the quote asset is never priced',
    { markets: [market('BTC_USD'), market('BTC_EUR')], quoteAsset: 'USD', history: KEEP_ALL },
    `
    alice credits 10 USD         | credited
    alice credits 10 EUR         | credited
    BTC_EUR prints buy 1 at 100  | trade 1
    BTC_USD prints buy 1 at 110  | trade 2
    alice portfolio              | equity 10, baseline 10, pnl 0 (0%), since 1 00:00:00.000, as of 1 00:00:00.000, partial
    alice position EUR           | 10 + 0 = 10, mark 0, value 0
    `,
  )

  script(
    'decision 17: what is locked counts, and fees are a loss',
    oneMarket({ takerFeeBps: '1000' }),
    `
    bob credits 2 BTC            | credited
    alice credits 310 USD        | credited
    bob sells 2 BTC_USD at 100   | #1 OPEN
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 100 with #1 for 0 and 10
    alice buys 1 BTC_USD at 90   | #3 OPEN
    alice position USD           | 101 + 99 = 200, mark 1, value 200
    alice portfolio              | equity 300, baseline 310, pnl -10 (-3.23%), since 1 00:00:00.000, as of 1 00:00:00.000
    `,
  )

  script(
    'decision 17: the baseline begins at the first credit',
    oneMarket(),
    `
    wait 1h                      |
    alice debits 1 USD           | refused INSUFFICIENT_BALANCE
    alice credits 0 USD          | credited -- nothing happened
    wait 1h                      |
    alice credits 10 USD         | credited
    wait 1h                      |
    alice credits 10 USD         | credited
    alice portfolio              | equity 20, baseline 20, pnl 0 (0%), since 1 02:00:00.000, as of 1 03:00:00.000
    `,
  )

  script(
    'section 2: a baseline is never shown below zero, and comes back out of what it is inside',
    oneMarket(),
    `
    BTC_USD prints buy 1 at 100  | trade 1
    alice credits 2 BTC          | credited
    wait 1m                      |
    BTC_USD prints buy 1 at 300  | trade 2
    alice debits 1 BTC           | credited
    -- 200 - 300 inside: what is left is all profit, of no baseline
    alice portfolio              | equity 300, baseline 0, pnl 300 (0%), since 1 00:00:00.000, as of 1 00:01:00.000
    alice credits 150 USD        | credited
    alice portfolio              | equity 450, baseline 50, pnl 400 (800%), since 1 00:00:00.000, as of 1 00:01:00.000
    `,
  )

  describe.each(implementations)('$name', ({ create }) => {
    it('decision 17: positions, balances and audit name the assets as the markets do, base then quote', () => {
      const markets = [market('ETH_BTC'), market('BTC_USD'), market('ADA_USD')]
      const exchange = create({ markets, quoteAsset: 'USD', history: KEEP_ALL })
      const order = ['ETH', 'BTC', 'USD', 'ADA']
      expect([...exchange.balances('alice').keys()]).toEqual(order)
      expect(exchange.portfolio('alice', 0).positions.map(({ asset }) => asset)).toEqual(order)
      expect(exchange.audit().map(({ asset }) => asset)).toEqual(order)
    })

    it('valueScale is the most digits that any valued asset times its price can have', () => {
      const markets = [
        market('BTC_USD', { pricePrecision: 2, qtyPrecision: 3 }),
        market('BTC_EUR', { pricePrecision: 1, qtyPrecision: 8 }),
      ]
      const exchange = create({ markets, quoteAsset: 'USD', history: KEEP_ALL })
      // BTC has 8 digits through BTC_EUR, its price 2; USD itself has 5.
      expect(exchange.portfolio('alice', 0).valueScale).toBe(10)
      exchange.execute({ type: 'credit', time: 0, account: 'alice', asset: 'BTC', amount: 1n })
      exchange.print({ symbol: 'BTC_USD', time: 0, price: 1, qty: 1, isBuyerMaker: false })
      expect(exchange.portfolio('alice', 0).equity).toBe(1n)
    })

    it('a portfolio of the past, before the last command, is a bug of the caller', () => {
      const exchange = create(oneMarket())
      exchange.execute({ type: 'credit', time: 1_000, account: 'alice', asset: 'USD', amount: 1n })
      expect(() => exchange.portfolio('alice', 999)).toThrow(InvariantError)
    })
  })
})
