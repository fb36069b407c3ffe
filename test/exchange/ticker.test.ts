/**
 * The ticker's rolling day (decision 16) and public trades.
 */
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import { KEEP_ALL, market, oneMarket } from './rig/configs.ts'
import { implementations } from './rig/implementations.ts'
import { script } from './rig/script-test.ts'

describe('decision 16: ticker', () => {
  script(
    'decision 16: no trade ever: all "0", also in a market with decimals',
    oneMarket({ pricePrecision: 2, qtyPrecision: 3 }),
    `
    BTC_USD ticker               | last 0 open 0 high 0 low 0 volume 0 for 0 change 0 (0%)
    `,
  )

  script(
    'decision 16: the window is (now - 24 h, now]: a trade leaves it 24 h later to the millisecond',
    oneMarket({ pricePrecision: 2, qtyPrecision: 3 }),
    `
    BTC_USD prints buy 1.5 at 100  | trade 1
    wait 1ms                       |
    BTC_USD prints buy 2 at 110    | trade 2
    wait 86399998ms                | -- 24 h - 1 ms after the first
    BTC_USD ticker                 | last 110.00 open 100.00 high 110.00 low 100.00 volume 3.5 for 370 change 10.00 (10%)
    wait 1ms                       |
    BTC_USD ticker                 | last 110.00 open 110.00 high 110.00 low 110.00 volume 2 for 220 change 0.00 (0%)
    wait 1ms                       |
    BTC_USD ticker                 | last 110.00 open 110.00 high 110.00 low 110.00 volume 0 for 0 change 0.00 (0%)
    `,
  )

  script(
    'decision 16: openPrice is the first trade inside, lastPrice the last one ever',
    oneMarket(),
    `
    BTC_USD prints buy 1 at 200  | trade 1
    wait 12h                     |
    BTC_USD prints buy 1 at 300  | trade 2
    wait 12h                     |
    BTC_USD ticker               | last 300 open 300 high 300 low 300 volume 1 for 300 change 0 (0%)
    BTC_USD prints sell 2 at 240 | trade 3
    BTC_USD ticker               | last 240 open 300 high 300 low 240 volume 3 for 780 change -60 (-20%)
    wait 12h                     |
    BTC_USD ticker               | last 240 open 240 high 240 low 240 volume 2 for 480 change 0 (0%)
    wait 1000h                   |
    BTC_USD ticker               | last 240 open 240 high 240 low 240 volume 0 for 0 change 0 (0%)
    BTC_USD prints buy 1 at 250  | trade 4
    BTC_USD ticker               | last 250 open 250 high 250 low 250 volume 1 for 250 change 0 (0%)
    `,
  )

  script(
    'decision 16: high and low fall back to the next best inside when theirs leave the window',
    oneMarket(),
    `
    BTC_USD prints buy 1 at 500  | trade 1
    BTC_USD prints buy 1 at 100  | trade 2
    wait 1h                      |
    BTC_USD prints buy 1 at 400  | trade 3
    BTC_USD prints buy 1 at 200  | trade 4
    wait 1h                      |
    BTC_USD prints buy 1 at 300  | trade 5
    BTC_USD ticker               | last 300 open 500 high 500 low 100 volume 5 for 1500 change -200 (-40%)
    wait 22h                     |
    BTC_USD ticker               | last 300 open 400 high 400 low 200 volume 3 for 900 change -100 (-25%)
    wait 1h                      |
    BTC_USD ticker               | last 300 open 300 high 300 low 300 volume 1 for 300 change 0 (0%)
    `,
  )

  script(
    'decision 16: priceChangePercent has 2 decimals, half to even',
    oneMarket(),
    `
    -- 1 / 800 = 0.125 % -> 0.12, and 3 / 800 = 0.375 % -> 0.38
    BTC_USD prints buy 1 at 800  | trade 1
    BTC_USD prints buy 1 at 801  | trade 2
    BTC_USD ticker               | last 801 open 800 high 801 low 800 volume 2 for 1601 change 1 (0.12%)
    BTC_USD prints buy 1 at 803  | trade 3
    BTC_USD ticker               | last 803 open 800 high 803 low 800 volume 3 for 2404 change 3 (0.38%)
    BTC_USD prints buy 1 at 799  | trade 4
    BTC_USD ticker               | last 799 open 800 high 803 low 799 volume 4 for 3203 change -1 (-0.12%)
    `,
  )

  script(
    'decision 16: a trade of participants counts as a printed one does, in its own market only',
    { markets: [market('BTC_USD'), market('ETH_USD')], quoteAsset: 'USD', history: KEEP_ALL },
    `
    alice credits 100 USD        | credited
    bob credits 1 BTC            | credited
    bob sells 1 BTC_USD at 100   | #1 OPEN
    alice buys 1 BTC_USD         | #2 FILLED: 1 at 100 with #1
    BTC_USD ticker               | last 100 open 100 high 100 low 100 volume 1 for 100 change 0 (0%)
    ETH_USD ticker               | last 0 open 0 high 0 low 0 volume 0 for 0 change 0 (0%)
    `,
  )

  describe.each(implementations)('$name', ({ create }) => {
    it('decision 16: timestamp is now', () => {
      const exchange = create(oneMarket())
      exchange.print({ symbol: 'BTC_USD', time: 1_000, price: 5, qty: 1, isBuyerMaker: false })
      expect(exchange.ticker('BTC_USD', 1_000).timestamp).toBe(1_000)
      expect(exchange.ticker('BTC_USD', 7_777).timestamp).toBe(7_777)
    })

    it('a ticker of the past, before the last command, is a bug of the caller', () => {
      const exchange = create(oneMarket())
      exchange.print({ symbol: 'BTC_USD', time: 1_000, price: 5, qty: 1, isBuyerMaker: false })
      expect(() => exchange.ticker('BTC_USD', 999)).toThrow(InvariantError)
    })
  })
})
