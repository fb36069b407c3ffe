/**
 * Orders that were constructed to end in every way an order can, each with the sentence that must be told of it.
 */
import { concatMap, from, map, merge, timer, type Observable } from 'rxjs'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { readJournalLine, type JournalLine } from '../../src/report/journal-line.ts'
import { orderStory, storyText, type OrderStory } from '../../src/report/order-story.ts'
import type { BacktestSettings } from '../../src/runtime/backtest-settings.ts'
import type { Intent } from '../../src/strategy/intent.ts'
import { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket } from '../../src/strategy/orders.ts'
import type { Tape, TapeBlock } from '../../src/tape/tape.ts'
import { runStrategy, type TestStrategy } from '../runtime/run-strategy.ts'
import { memoryTape, type RecordedRow } from '../simulation/memory-tape.ts'

const BTC = 'BTC_USD'

/** 2023-11-14T22:13:20Z. */
const START = 1_700_000_000_000

/** Time in ms, price in hundredths, quantity in tenths. The first one makes a bid of 100.00, an ask of 100.01 and a clip of 2. */
type Rows = readonly RecordedRow[]

const OPENING: RecordedRow = [0, 10_000, 20, 'sell']
/** Something far away, so that the run goes on. */
const until = (ms: number): RecordedRow => [ms, 10_000, 1, 'buy']
const above = (ms: number, price = 10_030): RecordedRow => [ms, price, 10, 'buy']

/** What the strategy asks for, and when. */
type Acts = readonly (readonly [ms: number, intent: Intent])[]

interface Tale {
  readonly why: string
  readonly rows: Rows
  readonly acts: Acts
  readonly settings?: Partial<BacktestSettings>
  readonly isOfCandles?: boolean
  /** Number of the request that is asked about; 1 unless told. */
  readonly ref?: number
  readonly verdict: string
  /** What happened, behind its time in ms. */
  readonly facts: readonly string[]
}

const at = (acts: Acts): Observable<Intent> =>
  from(acts).pipe(concatMap(([ms, intent], index) => timer(ms - (acts[index - 1]?.[0] ?? 0)).pipe(map(() => intent))))

const ofCandles = (tape: Tape): Tape => ({
  info: { ...tape.info, kind: 'candles', intervalMs: 60_000 },
  async *blocks(): AsyncGenerator<TapeBlock, void, undefined> {
    for await (const block of tape.blocks()) yield { ...block, candleTime: new Float64Array(block.length) }
  },
})

async function journalOf(
  { rows, acts, settings = {}, isOfCandles = false }: Tale,
  strategy: TestStrategy = { run: () => at(acts) },
): Promise<readonly JournalLine[]> {
  const tape = memoryTape(rows, { pricePrecision: 2, qtyPrecision: 1 })
  const run = await runStrategy(strategy, {
    tapes: [isOfCandles ? ofCandles(tape) : tape],
    settings: { liquidity: 'tape', credit: { USD: '10000', BTC: '100' }, ...settings },
  })
  expect(run.result.failure).toBeUndefined()
  return run.lines.flatMap((line, index) => readJournalLine(`journal:${index + 1}`, line) ?? [])
}

const BLANK: Tale = { why: '', rows: [OPENING], acts: [], verdict: '', facts: [] }

async function storyOfRun(rows: Rows, strategy: TestStrategy): Promise<OrderStory> {
  return orderStory(await journalOf({ ...BLANK, rows }, strategy), 'ref:1')
}

async function storyOf(tale: Tale): Promise<OrderStory> {
  return orderStory(await journalOf(tale), `ref:${tale.ref ?? 1}`)
}

const LIMITED = { general: 600, mutations: 1, windowSeconds: 60 }

const REFUSED: readonly Tale[] = [
  {
    why: 'more decimals than the market has',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.505', '1')]],
    verdict: "refused before it was sent: VALIDATION_ERROR (price: '99.505' has more than 2 decimals)",
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.505',
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
      '2000 asked: buy 1 BTC_USD at 98',
      '2000 refused: RATE_LIMITED (the rate limit of this session is used up)',
    ],
  },
  {
    why: 'not enough money',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99', '102', { tag: 'all in' })]],
    verdict: 'refused by the exchange: INSUFFICIENT_BALANCE (not enough USD available)',
    facts: [
      '1000 asked: buy 102 BTC_USD at 99, tag all in',
      '1050 refused: INSUFFICIENT_BALANCE (not enough USD available)',
    ],
  },
  {
    why: 'the quote was stale',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyMarket(BTC, '1')]],
    settings: { staleAfterMs: 1_000 },
    verdict: 'refused by the exchange: NO_LIQUIDITY (no sell orders in BTC_USD)',
    facts: ['1000 asked: buy 1 BTC_USD at market', '1050 refused: NO_LIQUIDITY (no sell orders in BTC_USD)'],
  },
  {
    why: 'refused without any latency, so that nothing but the message says by whom',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, sellLimit(BTC, '99', '101')]],
    settings: { orderLatencyMs: 0 },
    verdict: 'refused: INSUFFICIENT_BALANCE (not enough BTC available)',
    facts: ['1000 asked: sell 101 BTC_USD at 99', '1000 refused: INSUFFICIENT_BALANCE (not enough BTC available)'],
  },
]

const UNANSWERED: readonly Tale[] = [
  {
    why: 'on its way when the run ended',
    rows: [OPENING, until(5_000)],
    acts: [[4_980, buyMarket(BTC, '1')]],
    verdict: 'not filled: it was still on its way when the run ended',
    facts: ['4980 asked: buy 1 BTC_USD at market', '5000 the run ended'],
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
    verdict: 'not filled: held back by the rate limit, it had not arrived when the run ended',
    facts: ['2000 asked: buy 1 BTC_USD at market', '5000 the run ended'],
  },
]

const AT_ONCE: readonly Tale[] = [
  {
    why: 'a market order that walked the ladder',
    rows: [OPENING, until(5_000)],
    acts: [[1_000, buyMarket(BTC, '3')]],
    verdict: 'filled at once: 3 at an average of 100.0133333333',
    facts: [
      '1000 asked: buy 3 BTC_USD at market',
      '1050 arrived as order 5, 50 ms after it was sent; filled at once: 3 at an average of 100.0133333333',
    ],
  },
  {
    why: 'a market order larger than the ladder',
    rows: [
      [0, 2, 20, 'sell'],
      [5_000, 2, 1, 'sell'],
    ],
    acts: [[1_000, sellMarket(BTC, '5')]],
    verdict: 'filled in part, 4 of 5: at once, 4 at an average of 0.015, and no more was offered',
    facts: [
      '1000 asked: sell 5 BTC_USD at market',
      '1050 arrived as order 5, 50 ms after it was sent; filled at once: 4 at an average of 0.015; the other 1 found no offer and were dropped',
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
    verdict: 'filled at once: 1.5 at 100.01',
    facts: [
      '2000 asked: buy 1.5 BTC_USD at 100.5',
      '61000 sent; until then the rate limit held it back',
      '61050 arrived as order 6, 50 ms after it was sent; filled at once: 1.5 at 100.01',
    ],
  },
]

const FILLED_LATER: readonly Tale[] = [
  {
    why: 'what was ahead was used up',
    rows: [OPENING, [2_000, 10_000, 15, 'sell'], [3_000, 10_000, 5, 'sell'], [4_000, 10_000, 20, 'buy'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'filled after 2 s 950 ms: the market traded at 100.00, once the 2 ahead of it were gone',
    facts: [
      '1000 asked: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 100.00, behind 2 of the crowd',
      '4000 filled: 1 at 100.00, by a trade of 2 at its price',
      '4000 while it rested: 3 trades of 4 in all at its price, nothing beyond',
    ],
  },
  {
    why: 'better than the quote, so with nothing ahead',
    rows: [OPENING, [2_000, 9_990, 15, 'sell'], [3_000, 9_995, 5, 'sell'], until(5_000)],
    acts: [[2_100, buyLimit(BTC, '99.95', '0.5')]],
    settings: { spread: '0.1' },
    verdict: 'filled after 850 ms: the market traded at 99.95, and nothing was ahead of it',
    facts: [
      '2100 asked: buy 0.5 BTC_USD at 99.95',
      '2150 arrived as order 5, 50 ms after it was sent; came to rest at 99.95, with nothing ahead of it',
      '3000 filled: 0.5 at 99.95, by a trade of 0.5 at its price',
      '3000 while it rested: 1 trade of 0.5 at its price, nothing beyond',
    ],
  },
  {
    why: 'a trade beyond its price',
    rows: [OPENING, [2_000, 9_940, 15, 'sell'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'filled after 950 ms: the market traded through 99.50, at 99.40',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '2000 filled: 1 at 99.50, by a trade of 1.5 at 99.40, beyond its price',
      '2000 while it rested: nothing at its price, 1 trade of 1.5 beyond',
    ],
  },
  {
    why: 'an own order on the other side',
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, sellLimit(BTC, '100.01', '1')],
      [2_000, buyMarket(BTC, '3')],
    ],
    verdict: 'filled after 1 s: by own order 7',
    facts: [
      '1000 asked: sell 1 BTC_USD at 100.01',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 100.01, behind 2 of the crowd',
      '2050 filled: 1 at 100.01, with own order 7',
      '2050 no trade was recorded while it rested',
    ],
  },
  {
    why: 'in part at once, the rest later',
    rows: [OPENING, [3_000, 10_001, 10, 'sell'], until(5_000)],
    acts: [[1_000, buyLimit(BTC, '100.01', '2.5')]],
    verdict:
      'filled, 2 at 100.01 at once and the rest after 1 s 950 ms: the market traded at 100.01, and nothing was ahead of it',
    facts: [
      '1000 asked: buy 2.5 BTC_USD at 100.01',
      '1050 arrived as order 4, 50 ms after it was sent; filled at once: 2 at 100.01; came to rest at 100.01, with nothing ahead of it',
      '3000 filled: 0.5 at 100.01, by a trade of 1 at its price',
      '3000 while it rested: 1 trade of 1 at its price, nothing beyond',
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
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '3000 asked to cancel it',
      '3020 filled: 1 at 99.50, by a trade of 1.5 at 99.40, beyond its price',
      '3020 while it rested: nothing at its price, 1 trade of 1.5 beyond',
      '3050 cancel refused: ORDER_NOT_CANCELLABLE (order 4 is finished)',
    ],
  },
]

const NOT_FILLED: readonly Tale[] = [
  {
    why: 'the market never came to its price',
    rows: [OPENING, [2_000, 9_980, 15, 'sell'], above(3_000), until(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: the market never traded at 99.50; nearest 99.80',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '5000 while it rested: nothing at its price or beyond; nearest 99.80',
      '5000 the run ended with 1 open, behind 2 of the crowd',
    ],
  },
  {
    why: 'a sell order, whose nearest price is the highest',
    rows: [OPENING, [2_000, 9_980, 15, 'sell'], above(3_000), until(5_000)],
    acts: [[1_000, sellLimit(BTC, '101', '1')]],
    verdict: 'not filled: the market never traded at 101.00; nearest 100.30',
    facts: [
      '1000 asked: sell 1 BTC_USD at 101',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 101.00, behind 2 of the crowd',
      '5000 while it rested: nothing at its price or beyond; nearest 100.30',
      '5000 the run ended with 1 open, behind 2 of the crowd',
    ],
  },
  {
    why: 'nothing was traded',
    rows: [OPENING, [5_000, 10_000, 1, 'buy']],
    acts: [[4_950, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: no trade was recorded while it rested',
    facts: [
      '4950 asked: buy 1 BTC_USD at 99.5',
      '5000 arrived as order 6, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '5000 no trade was recorded while it rested',
      '5000 the run ended with 1 open, behind 2 of the crowd',
    ],
  },
  {
    why: 'what was ahead was not used up',
    rows: [OPENING, [2_000, 10_000, 12, 'sell'], [3_000, 10_000, 3, 'buy'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'not filled: only 1.5 traded at 100.00, with 0.5 of the 2 ahead of it still there',
    facts: [
      '1000 asked: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 100.00, behind 2 of the crowd',
      '5000 while it rested: 2 trades of 1.5 in all at its price, nothing beyond',
      '5000 the run ended with 1 open, behind 0.5 of the crowd',
    ],
  },
  {
    why: 'used up to the last lot, and no more',
    rows: [OPENING, [2_000, 10_000, 20, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '100', '1')]],
    verdict: 'not filled: only 2 traded at 100.00, and none of it was left for this order',
    facts: [
      '1000 asked: buy 1 BTC_USD at 100',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 100.00, behind 2 of the crowd',
      '5000 while it rested: 1 trade of 2 at its price, nothing beyond',
      '5000 the run ended with 1 open, with nothing ahead of it',
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
      'not filled: only 1 traded at 99.00, all of it with own orders before this one, with the 2 ahead of it still there',
    facts: [
      '1100 asked: buy 1 BTC_USD at 99',
      '1150 arrived as order 6, 50 ms after it was sent; came to rest at 99.00, behind 2 of the crowd',
      '5000 while it rested: 1 trade of 1 at its price, nothing beyond; of it 1 with own orders before this one',
      '5000 the run ended with 1 open, behind 2 of the crowd',
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
    verdict: 'not filled: only 1 traded beyond 99.50, all of it with own orders before this one',
    facts: [
      '1100 asked: buy 1 BTC_USD at 99.5',
      '1150 arrived as order 5, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd and 1 of own orders',
      '5000 while it rested: nothing at its price, 1 trade of 1 beyond; of it 1 with own orders before this one',
      '5000 the run ended with 1 open, with nothing ahead of it',
    ],
  },
  {
    why: 'liquidity through wants a trade beyond',
    rows: [OPENING, [2_000, 9_950, 50, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    settings: { liquidity: 'through' },
    verdict: 'not filled: the market traded at 99.50 but not beyond it, as liquidity through demands',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 3, 50 ms after it was sent; came to rest at 99.50, behind what liquidity through holds to be endless',
      '5000 while it rested: 1 trade of 5 at its price, nothing beyond',
      '5000 the run ended with 1 open, behind what liquidity through holds to be endless',
    ],
  },
  {
    why: 'of a trade made of a candle there is a tenth',
    rows: [OPENING, [2_000, 9_940, 9, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    isOfCandles: true,
    verdict: 'not filled: only 0.9 traded beyond 99.50, in trades made of candles, of which orders get at most a tenth',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 0.1 of the crowd',
      '5000 while it rested: nothing at its price, 1 trade of 0.9 beyond',
      '5000 the run ended with 1 open, with nothing ahead of it',
    ],
  },
  {
    why: 'a gap in the tape',
    rows: [OPENING, above(2_000), above(900_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'not filled: the market never traded at 99.50; nearest 100.30; 1 gap in the tape may hide trades',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '900000 while it rested: nothing at its price or beyond; nearest 100.30',
      '900000 while it rested: 1 gap in the tape',
      '900000 the run ended with 1 open, behind 2 of the crowd',
    ],
  },
  {
    why: 'filled in part through its price, and no more',
    rows: [OPENING, [2_000, 9_940, 4, 'sell'], above(5_000)],
    acts: [[1_000, buyLimit(BTC, '99.5', '1')]],
    verdict: 'filled in part, 0.4 of 1: only 0.4 traded beyond 99.50, and no more of it was left for this order',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '2000 filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      '5000 while it rested: nothing at its price, 1 trade of 0.4 beyond',
      '5000 the run ended with 0.6 open, with nothing ahead of it',
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
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '3000 asked to cancel it',
      '3050 while it rested: nothing at its price or beyond; nearest 99.80',
      '3050 cancelled with 1 open, behind 2 of the crowd',
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
      'filled in part, 0.4 of 1: cancelled after 2 s, 0.4 of it filled while the cancel was on its way; only 0.4 traded beyond 99.50, and no more of it was left for this order',
    facts: [
      '1000 asked: buy 1 BTC_USD at 99.5',
      '1050 arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      '3000 asked to cancel it',
      '3020 filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      '3050 while it rested: nothing at its price, 1 trade of 0.4 beyond',
      '3050 cancelled with 0.6 open, with nothing ahead of it',
    ],
  },
]

const ALL = [
  ['refused', REFUSED],
  ['never answered', UNANSWERED],
  ['filled at once', AT_ONCE],
  ['filled later', FILLED_LATER],
  ['not filled, or not whole', NOT_FILLED],
] as const

describe.each(ALL)('%s', (_, tales) => {
  it.each(tales)('$why: $verdict', async (tale) => {
    const { verdict, facts } = await storyOf(tale)
    expect({ verdict, facts: facts.map(({ time, text }) => `${time} ${text}`) }).toEqual({
      verdict: tale.verdict,
      facts: tale.facts,
    })
  })
})

it('every ending has a verdict of its own', () => {
  const verdicts = ALL.flatMap(([, tales]) => tales.map(({ verdict }) => verdict))
  expect(verdicts.length).toBeGreaterThanOrEqual(15)
  expect(new Set(verdicts).size).toBe(verdicts.length)
})

describe('cancels', () => {
  const rows: Rows = [OPENING, [2_000, 9_940, 4, 'sell'], [3_000, 9_980, 4, 'sell'], above(5_000)]
  const textsOf = ({ facts }: OrderStory): readonly string[] => facts.map(({ text }) => text)

  it('what was filled before the strategy asked, in the same millisecond, is not said to have come while it was on its way', async () => {
    const story = await storyOfRun(rows, {
      run: ({ fills$ }) =>
        merge(
          timer(1_000).pipe(map(() => buyLimit(BTC, '99.5', '1'))),
          fills$.pipe(map(({ orderId }) => cancel(orderId))),
        ),
    })
    expect(story.verdict).toMatch(/^filled in part, 0\.4 of 1: cancelled after 1 s; only 0\.4 traded beyond 99\.50/)
    expect(textsOf(story)).toEqual([
      'asked: buy 1 BTC_USD at 99.5',
      'arrived as order 4, 50 ms after it was sent; came to rest at 99.50, behind 2 of the crowd',
      'filled: 0.4 at 99.50, by a trade of 0.4 at 99.40, beyond its price',
      'asked to cancel it',
      'while it rested: nothing at its price, 1 trade of 0.4 beyond',
      'cancelled with 0.6 open, with nothing ahead of it',
    ])
  })

  it('one that the rate limit held back was not on its way', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99.5', '0.4')],
      [1_500, cancelAll()],
    ]
    const story = await storyOf({ ...BLANK, rows, acts, settings: { limits: LIMITED } })
    expect(story.verdict).toBe('filled after 950 ms: the market traded through 99.50, at 99.40')
    expect(textsOf(story)).toContain('cancel refused: RATE_LIMITED (the rate limit of this session is used up)')
  })

  it('one that came after the last fill was too late, and is not said to have crossed it', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99.5', '0.4')],
      [2_020, cancelAll()],
    ]
    const story = await storyOf({ ...BLANK, rows, acts, settings: { responseLatencyMs: 30 } })
    expect(story.verdict).toBe('filled after 950 ms: the market traded through 99.50, at 99.40')
    expect(textsOf(story)).toContain('cancel refused: ORDER_NOT_CANCELLABLE (order 4 is finished)')
  })

  it('one without an answer', async () => {
    const acts: Acts = [
      [1_000, buyLimit(BTC, '99', '1')],
      [4_990, cancelAll()],
    ]
    const story = await storyOf({ ...BLANK, rows, acts })
    expect(story.verdict).toBe('not filled: the market never traded at 99.00; nearest 99.40')
    expect(textsOf(story)).toContain('asked to cancel it; the run ended before the answer')
  })
})

describe('a response latency', () => {
  it.each(FILLED_LATER)('changes nothing of an order that was filled: $why', async (tale) => {
    const { verdict } = await storyOf({ ...tale, settings: { ...tale.settings, responseLatencyMs: 400 } })
    expect(verdict).toBe(tale.verdict)
  })
})

it('of many fills those in the middle are counted', async () => {
  const sells = Array.from({ length: 9 }, (_, index): RecordedRow => [2_000 + index, 9_940, 1, 'sell'])
  const acts: Acts = [[1_000, buyLimit(BTC, '99.5', '0.9')]]
  const { facts } = await storyOf({ ...BLANK, rows: [OPENING, ...sells, until(5_000)], acts })
  const fills = facts.filter(({ text }) => text.includes('fill')).map(({ time, text }) => `${time} ${text}`)
  const fill = 'filled: 0.1 at 99.50, by a trade of 0.1 at 99.40, beyond its price'
  expect(fills).toEqual([
    ...[2_000, 2_001, 2_002, 2_003].map((time) => `${time} ${fill}`),
    '2004 4 more fills of 0.4 in all from here',
    `2008 ${fill}`,
  ])
})

describe('the name of an order', () => {
  const tale: Tale = {
    ...BLANK,
    rows: [OPENING, until(5_000)],
    acts: [
      [1_000, buyLimit(BTC, '99', '1')],
      [1_100, buyLimit(BTC, '98', '1')],
      [1_200, buyLimit(BTC, '97', '999')],
      [1_300, cancelAll()],
      [1_400, buyMarket(BTC, '1')],
    ],
  }

  it('its id is the same order as the number of its request', async () => {
    const lines = await journalOf(tale)
    expect(orderStory(lines, '4')).toEqual(orderStory(lines, 'ref:1'))
    expect(orderStory(lines, '6')).toEqual(orderStory(lines, 'ref:2'))
    expect(orderStory(lines, '4')).not.toEqual(orderStory(lines, '6'))
  })

  it.each`
    name       | message
    ${'5'}     | ${"order '5': the run has no such order; nearby: 4, 6, 9"}
    ${'1000'}  | ${"order '1000': the run has no such order; nearby: 4, 6, 9"}
    ${'abc'}   | ${"order 'abc': the run has no such order; nearby: 4, 6, 9"}
    ${''}      | ${"order '': the run has no such order; nearby: 4, 6, 9"}
    ${'ref:0'} | ${'ref:0: the run has no such order; nearby: ref:1, ref:2, ref:3'}
    ${'ref:9'} | ${'ref:9: the run has no such order; nearby: ref:2, ref:3, ref:6'}
    ${'ref:4'} | ${'ref:4: is a cancel of order 6; ask for that order'}
    ${'ref:x'} | ${"order 'ref:x': the run has no such order; nearby: 4, 6, 9"}
  `('$name: $message', async ({ name, message }) => {
    const lines = await journalOf(tale)
    expect(() => orderStory(lines, name)).toThrow(message)
  })

  it('without any order that was taken, those that were refused', async () => {
    const lines = await journalOf({ ...tale, acts: [[1_000, buyLimit(BTC, '97', '999')]] })
    expect(() => orderStory(lines, '1')).toThrow("order '1': the run has no such order; nearby: ref:1")
    expect(() => orderStory(lines.slice(0, 1), '1')).toThrow("order '1': the run has no orders")
  })
})

describe('a journal that is not whole', () => {
  it.each(['run', 'left', 'end'])('without its %s line', async (type) => {
    const lines = await journalOf({
      ...BLANK,
      rows: [OPENING, until(5_000)],
      acts: [[1_000, buyLimit(BTC, '99', '1')]],
    })
    expect(orderStory(lines, '4').verdict).toMatch(/^not filled/)
    const cut = lines.filter((line) => line.type !== type)
    expect(() => orderStory(cut, '4')).toThrow(new InputError("order '4'", 'the journal is not whole'))
  })

  it('without its fills', async () => {
    for (const tale of [AT_ONCE[0], FILLED_LATER[0]]) {
      const lines = (await journalOf(tale ?? BLANK)).filter(({ type }) => type !== 'fill')
      expect(() => orderStory(lines, 'ref:1')).toThrow('the journal is not whole')
    }
  })
})

it('an answer that never came is told as what it is', async () => {
  const lines = await journalOf({ ...BLANK, rows: [OPENING, until(5_000)], acts: [[1_000, buyMarket(BTC, '1')]] })
  const unknown: JournalLine = { t: 1_900, type: 'unknown', ref: 1, reason: 'ENGINE_TIMEOUT' }
  const story = orderStory(
    lines.flatMap((line) => (line.type === 'acknowledged' ? [unknown] : line.type === 'fill' ? [] : [line])),
    'ref:1',
  )
  expect(story.verdict).toBe('nobody knows whether it reached the exchange: ENGINE_TIMEOUT')
  expect(story.facts.at(-1)).toEqual({ time: 1_900, text: 'no answer: ENGINE_TIMEOUT' })
})

it('as text: the verdict, an empty line, the facts with their times, and nothing that moves a cursor', () => {
  const facts = [{ time: START, text: 'asked: buy 1 A_USD at 5, tag a\n\u001b[2Jb' }]
  expect(storyText({ verdict: 'refused: \u0007', facts })).toBe(
    'refused: \ufffd\n\n2023-11-14T22:13:20.000Z  asked: buy 1 A_USD at 5, tag a \ufffd[2Jb',
  )
})
