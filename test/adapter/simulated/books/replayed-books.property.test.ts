/**
 * The words for a book, on a replay: whatever else is asked for, and whatever the latency, they report the same.
 */
import fc from 'fast-check'
import { expect, it } from 'vitest'
import { SimulatedExchange } from '../../../../src/adapter/simulated/simulated-exchange.ts'
import { RecordedDepth } from '../../../../src/simulation/depth/recorded-depth.ts'
import { EVENT_KIND } from '../../../../src/simulation/event-queue.ts'
import type { MarketBook } from '../../../../src/strategy/market-book.ts'
import type { BookTape, BookTapeInfo } from '../../../../src/tape/book-tape.ts'
import type { QuoteBlock } from '../../../../src/tape/quote-block.ts'
import { market } from '../../../exchange/rig/configs.ts'
import { MarketStage } from '../../../simulation/rig/market-stage.ts'
import { memoryTape, type RecordedRow } from '../../../simulation/rig/memory-tape.ts'
import { depthBlockOf, type MadeFrame, type MadeLevel } from '../../../tape/rig/depth-of.ts'
import { BTC, depthText, levelsText, quoteText } from './rig/book-stage.ts'

const [START, END] = [1_000, 1_200]
const PRECISIONS = { pricePrecision: 1, qtyPrecision: 2 }

interface Recording {
  readonly trades: readonly RecordedRow[]
  readonly frames: readonly MadeFrame[]
  readonly quotes: readonly (readonly [time: number, bid: number, bidQty: number, ask: number, askQty: number])[]
}

/** What a client of it is reported, and reads at each moment: behind the time at which it would without a latency. */
interface Seen {
  readonly reads: readonly string[]
  readonly quotes: readonly string[]
  readonly depth: readonly string[]
}

const time = fc.integer({ min: START, max: END })
const lots = fc.integer({ min: 1, max: 9 })
const bid = fc.integer({ min: 990, max: 999 })
const ask = fc.integer({ min: 1_000, max: 1_009 })
const byTime = <Row extends { readonly time: number }>(rows: readonly Row[]): readonly Row[] =>
  [...rows].sort((one, other) => one.time - other.time)

const levels = (price: fc.Arbitrary<number>, isBid: boolean): fc.Arbitrary<readonly MadeLevel[]> =>
  fc
    .uniqueArray(fc.tuple(price, fc.integer({ min: 0, max: 9 })), {
      selector: ([at]) => at,
      minLength: 1,
      maxLength: 4,
    })
    .map((all) => all.sort(([one], [other]) => (isBid ? other - one : one - other)))

const frame = fc.record({
  time,
  isSnapshot: fc.boolean(),
  hasGap: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
  bids: levels(bid, true),
  asks: levels(ask, false),
})

const recording: fc.Arbitrary<Recording> = fc.record({
  frames: fc.array(frame, { minLength: 1, maxLength: 20 }).map(byTime),
  trades: fc
    .array(
      fc.tuple(time, fc.integer({ min: 990, max: 1_009 }), lots, fc.constantFrom('buy' as const, 'sell' as const)),
      {
        minLength: 1,
        maxLength: 20,
      },
    )
    .map((rows) => rows.sort(([one], [other]) => one - other)),
  quotes: fc
    .array(fc.tuple(time, bid, lots, ask, lots), { minLength: 1, maxLength: 20 })
    .map((rows) => rows.sort(([one], [other]) => one - other)),
})

const infoOf = (kind: 'depth' | 'quotes', rows: number): Omit<BookTapeInfo, 'kind'> => ({
  symbol: BTC,
  file: kind,
  sha256: '',
  rows,
  from: START,
  to: END,
  notices: [],
  ...PRECISIONS,
  rowsAtPricePrecision: rows,
  rowsAtQtyPrecision: rows,
  reach: kind === 'depth' ? 'changes' : 'quotes',
  levels: 0,
  reportsOrders: false,
  gapCount: 0,
})

// eslint-disable-next-line @typescript-eslint/require-await -- a tape is read asynchronously, also one that is there already
async function* only<Block>(block: Block): AsyncGenerator<Block, void, undefined> {
  yield block
}

function booksOf({ frames, quotes }: Recording): readonly BookTape[] {
  const column = (at: 0 | 1 | 2 | 3 | 4): Float64Array => Float64Array.from(quotes, (row) => row[at])
  const reported: QuoteBlock = {
    length: quotes.length,
    time: column(0),
    bid: column(1),
    bidQty: column(2),
    ask: column(3),
    askQty: column(4),
  }
  const changes = depthBlockOf(frames)
  return [
    { info: { ...infoOf('depth', changes.length), kind: 'depth' }, blocks: () => only(changes) },
    { info: { ...infoOf('quotes', quotes.length), kind: 'quotes' }, blocks: () => only(reported) },
  ]
}

const bookText = (book: MarketBook): string => {
  const { bids, asks } = book.levels(99)
  return `${String(book.time)} ${String(book.isKnown)}: ${levelsText(bids)} | ${levelsText(asks)}`
}

/** @param isHeard  its streams are listened to, too */
async function seenOf(recorded: Recording, feedMs: number, isHeard: boolean): Promise<Seen> {
  const depth = new RecordedDepth({ hasLevels: true, hasQuotes: true })
  const stage = new MarketStage({ markets: [market(BTC, PRECISIONS)], start: START, depths: new Map([[BTC, depth]]) })
  const latency = { orderMs: 0, responseMs: 0, feedMs }
  const { books, ...rest } = new SimulatedExchange(stage.simulated, { account: 'me', latency, limits: undefined })
  if (books === undefined) throw new Error('a simulated market has books')
  expect(rest.markets[0]?.hasBook).toBe(true)
  const book = books.book(BTC)
  const [reads, quotes, levelsSeen]: [string[], string[], string[]] = [[], [], []]
  const now = (): number => stage.queue.now() - feedMs
  for (let at = START; at <= END; at += 1) {
    stage.queue.schedule(at + feedMs, EVENT_KIND.timer, () => reads.push(`${now()}; ${bookText(book)}`))
  }
  if (isHeard) {
    books.quotes(BTC).subscribe((quote) => quotes.push(`${now()}; ${quoteText(quote)}`))
    books
      .depth(BTC, { levels: 2, everyMs: undefined })
      .subscribe((reported) => levelsSeen.push(`${now()}; ${depthText(reported)}`))
  }
  await stage.play([memoryTape(recorded.trades)], { books: booksOf(recorded), end: END + feedMs })
  return { reads, quotes, depth: levelsSeen }
}

it('a book reads the same whether frames are played one by one or many at once, and all arrives a latency later', async () => {
  const reached = { quotes: 0, depth: 0 }
  await fc.assert(
    fc.asyncProperty(recording, fc.integer({ min: 1, max: 50 }), async (recorded, feedMs) => {
      const [alone, heard, late] = [
        await seenOf(recorded, 0, false),
        await seenOf(recorded, 0, true),
        await seenOf(recorded, feedMs, true),
      ]
      expect(heard.reads).toEqual(alone.reads)
      expect(late).toEqual(heard)
      reached.quotes += heard.quotes.length
      reached.depth += heard.depth.length
    }),
  )
  expect(Math.min(...Object.values(reached))).toBeGreaterThan(0)
})
