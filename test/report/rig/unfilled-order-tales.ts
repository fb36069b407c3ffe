/**
 * Orders that were constructed to come to rest and not fill, or not whole, each with the story that has to be reported
 * of it.
 */
import { buyLimit, cancelAll, sellLimit } from '../../../src/strategy/orders.ts'
import { above, OPENING, until, type Tale } from './order-tale.ts'

const BTC = 'BTC_USD'

/** Not filled, or not whole. */
export const NOT_FILLED: readonly Tale[] = [
  {
    why: 'the market never came to its price',
    rows: [OPENING, [2_000, 9_980, 15, 'sell'], above(3_000), until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: the market never traded at 99.50; nearest 99.80',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '5000 while it rested: no trade at its price or beyond; nearest 99.80',
      '5000 the run ended: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'a sell order, whose nearest price is the highest',
    rows: [OPENING, [2_000, 9_980, 15, 'sell'], above(3_000), until(5_000)],
    acts: [[1_000, sellLimit(BTC, '101', '1')]],
    verdict: 'not filled: the market never traded at 101.00; nearest 100.30',
    facts: [
      '1000 requested: sell 1 BTC_USD at 101',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 101.00, with 2 of the crowd ahead of it',
      '5000 while it rested: no trade at its price or beyond; nearest 100.30',
      '5000 the run ended: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'nothing was traded',
    rows: [OPENING, [5_000, 10_000, 1, 'buy']],
    acts: [[4_950, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: no trade was recorded while it rested',
    facts: [
      '4950 requested: buy 1 BTC_USD at 99.5',
      '5000 arrived as order 6, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '5000 no trade was recorded while it rested',
      '5000 the run ended: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'what was ahead was not used up',
    rows: [OPENING, [2_000, 10_000, 12, 'sell'], [3_000, 10_000, 3, 'buy'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'not filled: only 1.5 traded at 100.00, with 0.5 of the 2 ahead of it still there',
    facts: [
      '1000 requested: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 100.00, with 2 of the crowd ahead of it',
      '5000 while it rested: 2 trades of 1.5 in total at its price, none beyond it',
      '5000 the run ended: 1 still open, with 0.5 of the crowd ahead of it',
    ],
  },
  {
    why: 'used up to the last lot, and no more',
    rows: [OPENING, [2_000, 10_000, 20, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'not filled: only 2 traded at 100.00, and none of it was left for this order',
    facts: [
      '1000 requested: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 100.00, with 2 of the crowd ahead of it',
      '5000 while it rested: 1 trade of 2 at its price, none beyond it',
      '5000 the run ended: 1 still open, with nothing ahead of it',
    ],
  },
  {
    why: 'own orders at a better price took it',
    rows: [OPENING, [2_000, 9_900, 10, 'sell'], above(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99.5', '1')],
      [1_100, buyLimit(BTC, '99', '1')],
    ],
    ref: 2,
    verdict:
      'not filled: only 1 traded at 99.00, all of it against your own orders ahead of this one, with the 2 ahead of it still there',
    facts: [
      '1100 requested: buy 1 BTC_USD at 99',
      '1150 arrived as order 6, 50 ms after it was sent; rested at 99.00, with 2 of the crowd ahead of it',
      '5000 while it rested: 1 trade of 1 at its price, none beyond it; 1 of that filled your own orders ahead of it',
      '5000 the run ended: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'an own order at its price took it',
    rows: [OPENING, [2_000, 9_900, 10, 'sell'], above(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99.5', '1')],
      [1_100, buyLimit(BTC, '99.5', '1')],
    ],
    ref: 2,
    verdict: 'not filled: only 1 traded beyond 99.50, all of it against your own orders ahead of this one',
    facts: [
      '1100 requested: buy 1 BTC_USD at 99.5',
      '1150 arrived as order 5, 50 ms after it was sent; rested at 99.50, with 2 of the crowd and 1 of your own ahead of it',
      '5000 while it rested: no trade at its price, 1 trade of 1 beyond it; 1 of that filled your own orders ahead of it',
      '5000 the run ended: 1 still open, with nothing ahead of it',
    ],
  },
  {
    why: 'liquidity through wants a trade beyond',
    rows: [OPENING, [2_000, 9_950, 50, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    settings: { liquidity: 'through' },
    verdict: 'not filled: the market traded at 99.50 but not beyond it, which liquidity through requires',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 3, 50 ms after it was sent; rested at 99.50, with an endless queue ahead of it (liquidity through)',
      '5000 while it rested: 1 trade of 5 at its price, none beyond it',
      '5000 the run ended: 1 still open, with an endless queue ahead of it (liquidity through)',
    ],
  },
  {
    why: 'filled in part under liquidity through, and no more',
    rows: [OPENING, [2_000, 9_950, 7, 'sell'], [3_000, 9_940, 3, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    settings: { liquidity: 'through' },
    verdict:
      'partly filled, 0.3 of 1: only 1 traded at 99.50 and beyond, but 0.3 beyond, which liquidity through requires',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 3, 50 ms after it was sent; rested at 99.50, with an endless queue ahead of it (liquidity through)',
      '3000 filled: 0.3 at 99.50, by a trade of 0.3 at 99.40, beyond its price',
      '5000 while it rested: 1 trade of 0.7 at its price, 1 trade of 0.3 beyond it',
      '5000 the run ended: 0.7 still open, with an endless queue ahead of it (liquidity through)',
    ],
  },
  {
    why: 'a gap in the tape',
    rows: [OPENING, above(2_000), above(900_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: the market never traded at 99.50; nearest 100.30; 1 gap in the tape may hide trades',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '900000 while it rested: no trade at its price or beyond; nearest 100.30',
      '900000 while it rested: 1 gap in the tape',
      '900000 the run ended: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'filled in part through its price, and no more',
    rows: [OPENING, [2_000, 9_940, 4, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'partly filled, 0.4 of 1: only 0.4 traded beyond 99.50, and no more of it was left for this order',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '2000 filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      '5000 while it rested: no trade at its price, 1 trade of 0.4 beyond it',
      '5000 the run ended: 0.6 still open, with nothing ahead of it',
    ],
  },
  {
    why: 'cancelled before the market came',
    rows: [OPENING, [2_000, 9_980, 4, 'sell'], [4_000, 9_940, 50, 'sell'], above(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99.5', '1')],
      [3_000, cancelAll()],
    ],
    verdict: 'not filled: cancelled after 2 s; the market never traded at 99.50; nearest 99.80',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '3000 cancel requested',
      '3050 while it rested: no trade at its price or beyond; nearest 99.80',
      '3050 cancelled: 1 still open, with 2 of the crowd ahead of it',
    ],
  },
  {
    why: 'cancelled while part of it filled',
    rows: [OPENING, [3_020, 9_940, 4, 'sell'], above(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99.5', '1')],
      [3_000, cancelAll()],
    ],
    verdict:
      'partly filled, 0.4 of 1: cancelled after 2 s, 0.4 of it filled while the cancel was in transit; only 0.4 traded beyond 99.50, and no more of it was left for this order',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '3000 cancel requested',
      '3020 filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      '3050 while it rested: no trade at its price, 1 trade of 0.4 beyond it',
      '3050 cancelled: 0.6 still open, with nothing ahead of it',
    ],
  },
]
