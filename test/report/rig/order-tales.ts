/**
 * Orders that were constructed to end refused, on its way, or filled, each with the story that has to be reported of
 * it.
 */
import { buyLimit, buyMarket, cancelAll, sellLimit, sellMarket } from '../../../src/strategy/orders.ts'
import { LIMITED, OPENING, until, type Tale } from './order-tale.ts'

const BTC = 'BTC_USD'

export const REFUSED: readonly Tale[] = [
  {
    why: 'more decimals than the market has',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.505', '1')]],
    verdict: "refused before it was sent: VALIDATION_ERROR (price: '99.505' has more than 2 decimals)",
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.505',
      "1000 refused: VALIDATION_ERROR (price: '99.505' has more than 2 decimals)",
    ],
  },
  {
    why: 'the session is at its rate limit',
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99', '1')],
      [2_000, buyLimit(BTC, '98', '1')],
    ],
    settings: { limits: LIMITED },
    ref: 2,
    verdict: 'refused before it was sent: RATE_LIMITED (the rate limit of this session is used up)',
    facts: [
      '2000 requested: buy 1 BTC_USD at 98',
      '2000 refused: RATE_LIMITED (the rate limit of this session is used up)',
    ],
  },
  {
    why: 'not enough money',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99', '102', { tag: 'all in' })]],
    verdict: 'refused by the exchange: INSUFFICIENT_BALANCE (not enough USD available)',
    facts: [
      '1000 requested: buy 102 BTC_USD at 99, tag all in',
      '1050 refused: INSUFFICIENT_BALANCE (not enough USD available)',
    ],
  },
  {
    why: 'the quote was stale',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyMarket(BTC, '1')]],
    settings: { staleAfterMs: 1_000 },
    verdict:
      'refused by the exchange: NO_LIQUIDITY (no sell orders in BTC_USD); the market had no quote for more than 1 s, no price yet, or no later open',
    facts: ['1000 requested: buy 1 BTC_USD at market', '1050 refused: NO_LIQUIDITY (no sell orders in BTC_USD)'],
  },
  {
    why: 'refused by the exchange without any latency, as the journal says',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, sellLimit(BTC, '99', '101')]],
    settings: { orderLatencyMs: 0 },
    verdict: 'refused by the exchange: INSUFFICIENT_BALANCE (not enough BTC available)',
    facts: ['1000 requested: sell 101 BTC_USD at 99', '1000 refused: INSUFFICIENT_BALANCE (not enough BTC available)'],
  },
  {
    why: 'what is no request is never sent, latency or not',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyLimit('ETH_USD', '99', '1')]],
    settings: { orderLatencyMs: 0 },
    verdict: "refused before it was sent: MARKET_NOT_FOUND (no market 'ETH_USD')",
    facts: ['1000 requested: buy 1 ETH_USD at 99', "1000 refused: MARKET_NOT_FOUND (no market 'ETH_USD')"],
  },
]

/** The run ended before they arrived. */
export const UNANSWERED: readonly Tale[] = [
  {
    why: 'on its way when the run ended',
    rows: [OPENING, until(5_000)],
    acts: [[4_980, buyMarket(BTC, '1')]],
    verdict: 'not filled: it was still in transit when the run ended',
    facts: ['4980 requested: buy 1 BTC_USD at market', '5000 the run ended'],
  },
  {
    why: 'waited for the rate limit until the run ended',
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99', '1')],
      [2_000, buyMarket(BTC, '1')],
    ],
    settings: { limits: LIMITED, onLimit: 'wait' },
    ref: 2,
    verdict: 'not filled: delayed by the rate limit, it had not arrived when the run ended',
    facts: ['2000 requested: buy 1 BTC_USD at market', '5000 the run ended'],
  },
]

export const AT_ONCE: readonly Tale[] = [
  {
    why: 'a market order that walked the ladder',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyMarket(BTC, '3')]],
    verdict: 'filled immediately: 3 at an average of 100.0133333333',
    facts: [
      '1000 requested: buy 3 BTC_USD at market',
      '1050 arrived as order 5, 50 ms after it was sent; filled immediately: 3 at an average of 100.0133333333',
      '1050 it traded against an estimated order book: 2 levels from 100.01 to 100.02',
    ],
  },
  {
    why: 'a market order larger than the ladder',
    rows: [
      [0, 2, 20, 'sell'],
      [5_000, 2, 1, 'sell'],
    ],
    acts: [[1_000, sellMarket(BTC, '5')]],
    verdict: 'partly filled, 4.5 of 5: immediately, 4.5 at an average of 0.0144444444, and there was no more volume',
    facts: [
      '1000 requested: sell 5 BTC_USD at market',
      '1050 arrived as order 5, 50 ms after it was sent; filled immediately: 4.5 at an average of 0.0144444444; the remaining 0.5 were cancelled for lack of volume',
      '1050 it traded against an estimated order book: 2 levels from 0.02 to 0.01',
    ],
  },
  {
    why: 'a limit order that crossed, after it had waited for the rate limit',
    rows: [OPENING, until(62_000)],
    acts: [
      [1_000, buyLimit(BTC, '99', '1')],
      [2_000, buyLimit(BTC, '100.5', '1.5')],
    ],
    settings: { limits: LIMITED, onLimit: 'wait' },
    ref: 2,
    verdict: 'filled immediately: 1.5 at 100.01',
    facts: [
      '2000 requested: buy 1.5 BTC_USD at 100.5',
      '61000 sent, delayed by the rate limit',
      '61050 arrived as order 6, 50 ms after it was sent; filled immediately: 1.5 at 100.01',
      '61050 it traded against an estimated order book: 1 level at 100.01',
    ],
  },
]

/** Orders that came to rest first. */
export const FILLED_LATER: readonly Tale[] = [
  {
    why: 'what was ahead was used up',
    rows: [OPENING, [2_000, 10_000, 15, 'sell'], [3_000, 10_000, 5, 'sell'], [4_000, 10_000, 20, 'buy'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'filled after 2 s 950 ms: the market traded at 100.00, after the 2 ahead of it were gone',
    facts: [
      '1000 requested: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 100.00, with 2 of the crowd ahead of it',
      '4000 filled: 1 at 100.00, by a trade of 2 at its price',
      '4000 while it rested: 3 trades of 4 in total at its price, none beyond it',
    ],
  },
  {
    why: 'better than the quote, so with nothing ahead',
    rows: [OPENING, [2_000, 9_990, 15, 'sell'], [3_000, 9_995, 5, 'sell'], until(5_000)],
    acts: [[2_100, buyLimit(BTC, '99.95', '0.5')]],
    settings: { spread: '0.1' },
    verdict: 'filled after 850 ms: the market traded at 99.95, and nothing was ahead of it',
    facts: [
      '2100 requested: buy 0.5 BTC_USD at 99.95',
      '2150 arrived as order 5, 50 ms after it was sent; rested at 99.95, with nothing ahead of it',
      '3000 filled: 0.5 at 99.95, by a trade of 0.5 at its price',
      '3000 while it rested: 1 trade of 0.5 at its price, none beyond it',
    ],
  },
  {
    why: 'a trade beyond its price',
    rows: [OPENING, [2_000, 9_940, 15, 'sell'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'filled after 950 ms: the market traded through 99.50, at 99.40',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '2000 filled: 1 at 99.50, by a trade of 1.5 at 99.40, beyond its price',
      '2000 while it rested: no trade at its price, 1 trade of 1.5 beyond it',
    ],
  },
  {
    why: 'an own order on the other side',
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, sellLimit(BTC, '100.01', '1')],
      [2_000, buyMarket(BTC, '3')],
    ],
    verdict: 'filled after 1 s: by your own order 7',
    facts: [
      '1000 requested: sell 1 BTC_USD at 100.01',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 100.01, with 2 of the crowd ahead of it',
      '2050 filled: 1 at 100.01, against your own order 7',
      '2050 no trade was recorded while it rested',
    ],
  },
  {
    why: 'in part at once, the rest later',
    rows: [OPENING, [3_000, 10_001, 10, 'sell'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '100.01', '2.5')]],
    verdict:
      'filled, 2 at 100.01 immediately and the rest after 1 s 950 ms: the market traded at 100.01, and nothing was ahead of it',
    facts: [
      '1000 requested: buy 2.5 BTC_USD at 100.01',
      '1050 arrived as order 4, 50 ms after it was sent; filled immediately: 2 at 100.01; rested at 100.01, with nothing ahead of it',
      '1050 it traded against an estimated order book: 1 level at 100.01',
      '3000 filled: 0.5 at 100.01, by a trade of 1 at its price',
      '3000 while it rested: 1 trade of 1 at its price, none beyond it',
    ],
  },
  {
    why: 'before its cancel arrived',
    rows: [OPENING, [3_020, 9_940, 15, 'sell'], until(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99.5', '1')],
      [3_000, cancelAll()],
    ],
    verdict: 'filled after 1 s 970 ms, before its cancel arrived: the market traded through 99.50, at 99.40',
    facts: [
      '1000 requested: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; rested at 99.50, with 2 of the crowd ahead of it',
      '3000 cancel requested',
      '3020 filled: 1 at 99.50, by a trade of 1.5 at 99.40, beyond its price',
      '3020 while it rested: no trade at its price, 1 trade of 1.5 beyond it',
      '3050 cancel refused: ORDER_NOT_CANCELLABLE (order 4 is finished)',
    ],
  },
]
