/**
 * Stories of orders on a tape with a recorded book, each from a journal worked by hand.
 */
import { expect, it } from 'vitest'
import { orderExplanation } from '../../../src/report/order-explanation/order-explanation.ts'
import { readJournalLines } from '../../runtime/rig/read-journal-lines.ts'

interface Journal {
  readonly why: string
  /** Behind the request, a buy of 1 at 100 at 1 s, which came to rest. */
  readonly lines: readonly object[]
  readonly verdict: string
  /** All behind that of its arrival, without the times. */
  readonly facts: readonly string[]
}

const BTC = 'BTC_USD'

/** Behind 5.2 of the crowd. */
const RESTED = { t: 1_000, type: 'rested', orderId: '2', crowdAhead: '5.2' }
const filled = (t: number, tradeId: string, qty: string): object => ({
  t,
  type: 'fill',
  orderId: '2',
  tradeId,
  price: '100',
  qty,
  isMaker: true,
})
const met = (t: number, tradeId: string, level: object): object => ({ t, type: 'met', orderId: '2', tradeId, ...level })
const left = (t: number, status: string, fields: object): object => ({
  t,
  type: 'left',
  orderId: '2',
  status,
  ...fields,
})

const JOURNALS: readonly Journal[] = [
  {
    why: 'a trade at its price, after some of what was ahead was cancelled',
    lines: [
      met(4_000, '7', { price: '100.00', qty: '4' }),
      left(4_000, 'FILLED', { cancelledAhead: '3.1', tradesAt: 1, qtyAt: '4' }),
      filled(4_000, '7', '1'),
    ],
    verdict:
      'filled after 3 s: the market traded at 100.00, after the 5.2 ahead of it were gone (3.1 of them cancelled)',
    facts: [
      'filled: 1 at 100.00, by a trade of 4 at its price',
      'while it rested: 1 trade of 4 at its price, none beyond it',
      'while it rested: 3.1 of the crowd ahead of it were cancelled',
    ],
  },
  {
    why: 'a trade at its price, after the level had gone',
    lines: [
      met(4_000, '7', { price: '100.00', qty: '4' }),
      left(4_000, 'FILLED', { cancelledAhead: '5.2', tradesAt: 1, qtyAt: '4' }),
      filled(4_000, '7', '1'),
    ],
    verdict:
      'filled after 3 s: the market traded at 100.00, after the 5.2 ahead of it were gone (all of them cancelled)',
    facts: [
      'filled: 1 at 100.00, by a trade of 4 at its price',
      'while it rested: 1 trade of 4 at its price, none beyond it',
      'while it rested: 5.2 of the crowd ahead of it were cancelled',
    ],
  },
  {
    why: 'the other side of the book came beyond its price',
    lines: [
      met(4_000, '7', { price: '99.90', qty: '6.2', by: 'book' }),
      left(4_000, 'FILLED', {}),
      filled(4_000, '7', '1'),
    ],
    verdict: 'filled after 3 s: the other side of the book reached 100.00, at 99.90',
    facts: [
      'filled: 1 at 100.00, when the other side of the book had 6.2 at 99.90, beyond its price',
      'no trade was recorded while it rested',
    ],
  },
  {
    why: 'the other side of the book came to its price',
    lines: [
      met(4_000, '7', { price: '100.00', qty: '2', by: 'book' }),
      left(4_000, 'FILLED', { cancelledAhead: '5.2', nearest: '100.10' }),
      filled(4_000, '7', '1'),
    ],
    verdict:
      'filled after 3 s: the other side of the book reached 100.00, after the 5.2 ahead of it were gone (all of them cancelled)',
    facts: [
      'filled: 1 at 100.00, when the other side of the book had 2 at its price',
      'while it rested: no trade at its price or beyond; nearest 100.10',
      'while it rested: 5.2 of the crowd ahead of it were cancelled',
    ],
  },
  {
    why: 'too little was traded, and not all that was ahead was cancelled',
    lines: [left(9_000, 'OPEN', { crowdAhead: '1.2', cancelledAhead: '3.5', tradesAt: 1, qtyAt: '0.5' })],
    verdict: 'not filled: only 0.5 traded at 100.00, with 1.2 of the 5.2 ahead of it still there and 3.5 cancelled',
    facts: [
      'while it rested: 1 trade of 0.5 at its price, none beyond it',
      'while it rested: 3.5 of the crowd ahead of it were cancelled',
      'the run ended: 1 still open, with 1.2 of the crowd ahead of it',
    ],
  },
  {
    why: 'the other side of the book had too little for it, and nothing was traded',
    lines: [
      met(4_000, '7', { price: '99.90', qty: '0.4', by: 'book' }),
      filled(4_000, '7', '0.4'),
      left(9_000, 'PARTIALLY_FILLED', { cancelledAhead: '5.2', nearest: '100.10' }),
    ],
    verdict: 'partly filled, 0.4 of 1: the other side of the book reached 100.00 with only 0.4',
    facts: [
      'filled: 0.4 at 100.00, when the other side of the book had 0.4 at 99.90, beyond its price',
      'while it rested: no trade at its price or beyond; nearest 100.10',
      'while it rested: 5.2 of the crowd ahead of it were cancelled',
      'the run ended: 0.6 still open, with nothing ahead of it',
    ],
  },
  {
    why: 'the other side of the book had too little for it, and what was traded was used up before it',
    lines: [
      met(4_000, '7', { price: '100.00', qty: '0.4', by: 'book' }),
      filled(4_000, '7', '0.4'),
      left(9_000, 'PARTIALLY_FILLED', { cancelledAhead: '3.2', tradesAt: 1, qtyAt: '2' }),
    ],
    verdict: 'partly filled, 0.4 of 1: only 2 traded at 100.00, and none of it was left for this order',
    facts: [
      'filled: 0.4 at 100.00, when the other side of the book had 0.4 at its price',
      'while it rested: 1 trade of 2 at its price, none beyond it',
      'while it rested: 3.2 of the crowd ahead of it were cancelled',
      'the run ended: 0.6 still open, with nothing ahead of it',
    ],
  },
]

/** Took two levels, 0.4 at 100.01 and 0.6 at 100.02; before it an own sell took 0.2, and an own buy 0.3. */
const TAKEN: readonly object[] = [
  { t: 500, type: 'place', ref: 8, request: { symbol: BTC, side: 'SELL', type: 'MARKET', qty: '0.2' } },
  { t: 500, type: 'acknowledged', ref: 8, orderId: '8', status: 'FILLED', filledQty: '0.2', averagePrice: '100' },
  { t: 500, type: 'fill', orderId: '8', tradeId: '3', price: '100', qty: '0.2' },
  { t: 600, type: 'place', ref: 9, request: { symbol: BTC, side: 'BUY', type: 'MARKET', qty: '0.3' } },
  { t: 600, type: 'acknowledged', ref: 9, orderId: '9', status: 'FILLED', filledQty: '0.3', averagePrice: '100.01' },
  { t: 600, type: 'fill', orderId: '9', tradeId: '4', price: '100.01', qty: '0.3' },
  { t: 1_000, type: 'place', ref: 1, request: { symbol: BTC, side: 'BUY', type: 'MARKET', qty: '1' } },
  { t: 1_000, type: 'acknowledged', ref: 1, orderId: '2', status: 'FILLED', filledQty: '1', averagePrice: '100.016' },
  { t: 1_000, type: 'fill', orderId: '2', tradeId: '5', price: '100.01', qty: '0.4' },
  { t: 1_000, type: 'fill', orderId: '2', tradeId: '6', price: '100.02', qty: '0.6' },
]

const ASKED: readonly object[] = [
  { t: 1_000, type: 'place', ref: 1, request: { symbol: BTC, side: 'BUY', type: 'LIMIT', price: '100', qty: '1' } },
  RESTED,
  { t: 1_000, type: 'acknowledged', ref: 1, orderId: '2' },
]

function explanationOf(liquidity: string, book: 'levels' | 'quotes' | 'none', lines: readonly object[]) {
  const market = { symbol: BTC, pricePrecision: 2, qtyPrecision: 1, ...(book !== 'none' && { book }) }
  const terms = { liquidity, orderLatencyMs: 0, responseLatencyMs: 0, staleAfterMs: null }
  const journal = [
    { t: 0, type: 'run', journal: 2, markets: [market], ...terms },
    ...lines,
    { t: 9_000, type: 'end', balances: {} },
  ]
  return orderExplanation(readJournalLines(journal.map((line) => JSON.stringify(line))), 'ref:1')
}

it.each(JOURNALS)('$why: $verdict', ({ lines, verdict, facts }) => {
  const explanation = explanationOf('book', 'levels', [...ASKED, ...lines])
  expect(explanation.verdict).toBe(verdict)
  expect(explanation.facts.map(({ text }) => text)).toEqual([
    'requested: buy 1 BTC_USD at 100',
    'arrived as order 2, 0 ms after it was sent; rested at 100.00, with 5.2 of the crowd ahead of it',
    ...facts,
  ])
})

it.each`
  liquidity         | book        | what                                                    | followsOurs
  ${'book'}         | ${'levels'} | ${'the recorded order book'}                            | ${false}
  ${'book-prorata'} | ${'levels'} | ${'the recorded order book'}                            | ${false}
  ${'book'}         | ${'quotes'} | ${'the recorded quote, with estimated depth beyond it'} | ${false}
  ${'book'}         | ${'none'}   | ${'an estimated order book'}                            | ${true}
  ${'tape'}         | ${'levels'} | ${'an estimated order book'}                            | ${true}
`('the ladder under $liquidity in a market with $book of a book is $what', ({ liquidity, book, what, followsOurs }) => {
  const { facts } = explanationOf(String(liquidity), book as 'levels', TAKEN)
  const ladder = facts.map(({ text }) => text).find((text) => text.startsWith('it traded against'))
  const missing = 'minus what your earlier buys (0.3) took and the market has not refilled'
  const moved = '; shifted by half the price move of your earlier sells (0.2), except on candles'
  const levels = '2 levels from 100.01 to 100.02'
  expect(ladder).toBe(`it traded against ${what}: ${levels}; ${missing}${followsOurs === true ? moved : ''}`)
})

it('an order that found nothing says that the book was silent, or not whole', () => {
  const refused = { t: 1_000, type: 'refused', ref: 1, code: 'NO_LIQUIDITY', message: 'no sell orders', by: 'exchange' }
  const asked = { t: 1_000, type: 'place', ref: 1, request: { symbol: BTC, side: 'BUY', type: 'MARKET', qty: '1' } }
  expect(explanationOf('book', 'levels', [asked, refused]).verdict).toBe(
    'refused by the exchange: NO_LIQUIDITY (no sell orders); the recorded book had no update for longer than a quote is valid, was incomplete, or had no orders on that side',
  )
})
