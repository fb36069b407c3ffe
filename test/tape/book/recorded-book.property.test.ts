import fc from 'fast-check'
import { expect, it } from 'vitest'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { ASK, BID, type DepthBlock } from '../../../src/tape/depth-block.ts'
import { runs, needed } from '../../property/property.ts'
import { depthBlockOf, quoteBlockOf, type MadeFrame, type MadeLevel, type MadeQuote } from '../rig/depth-of.ts'
import { NaiveBook } from './rig/naive-book.ts'

/**
 * Beside a few ticks, prices on both sides of every border of the ring, its groups and its words, and as far as
 * integers go.
 */
const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 500_000, max: 500_012 }) },
  {
    weight: 3,
    arbitrary: fc
      .tuple(
        fc.constantFrom(1, 32, 1_024, 16_384, 114_688, 131_072, 262_144, 400_000),
        fc.constantFrom(-1, 1),
        fc.nat({ max: 2 }),
      )
      .map(([far, sign, more]) => 500_000 + sign * far + more),
  },
  { weight: 1, arbitrary: fc.constantFrom(1, 2, 2 ** 31 - 1, 2 ** 31, 2 ** 32 + 1, 2 ** 53 - 1) },
)
const WATCHED = [1, 499_999, 500_000, 500_006, 500_012, 900_000]
const lots = fc.oneof(fc.constant(0), fc.integer({ min: 1, max: 9 }), fc.constant(2 ** 53 - 1))

const levels = (isBids: boolean): fc.Arbitrary<readonly MadeLevel[]> =>
  fc
    .uniqueArray(fc.tuple(price, lots), { maxLength: 6, selector: ([at]) => at })
    .map((levels) => levels.sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0])))

/**
 * A trade lowers what rests at its price by its lots, as far as it does; `reported` gives a quote now and then of one
 * side, or of none.
 */
type Step =
  | { readonly block: DepthBlock }
  | { readonly quotes: readonly MadeQuote[] }
  | { readonly price: number; readonly qty: number; readonly isBuyerMaker: boolean }
  | 'gap'

const touch = fc.option(fc.tuple(price, fc.oneof(fc.integer({ min: 1, max: 9 }), fc.constant(2 ** 53 - 1))), {
  freq: 6,
})
const quote = fc.record({ buyer: touch, seller: touch }).map(({ buyer, seller }): MadeQuote => {
  const [[bid, bidQty], [ask, askQty]] = [buyer ?? [0, 0], seller ?? [0, 0]]
  return { time: 0, bid, bidQty, ask, askQty }
})

const frame = fc
  .record({
    time: fc.constant(0),
    isSnapshot: fc.integer({ min: 0, max: 5 }).map((drawn) => drawn === 0),
    hasGap: fc.integer({ min: 0, max: 9 }).map((drawn) => drawn === 0),
    bids: levels(true),
    asks: levels(false),
  })
  .filter(({ bids, asks }) => bids.length + asks.length > 0)
  // A snapshot reports what is there.
  .map((made): MadeFrame => {
    const there = ({ 1: qty }: MadeLevel): boolean => !made.isSnapshot || qty > 0
    const [bids, asks] = [made.bids.filter(there), made.asks.filter(there)]
    return { ...made, bids, asks: bids.length + asks.length > 0 ? asks : [[1, 0]] }
  })

const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.array(frame, { minLength: 1, maxLength: 3 }).map((frames) => ({ block: depthBlockOf(frames) })),
  },
  { weight: 1, arbitrary: fc.record({ quotes: fc.array(quote, { minLength: 1, maxLength: 3 }) }) },
  { weight: 5, arbitrary: fc.record({ price, qty: lots, isBuyerMaker: fc.boolean() }) },
  { weight: 1, arbitrary: fc.constant<Step>('gap') },
)

function play(book: RecordedBook, naive: NaiveBook, taken: Step): void {
  if (taken === 'gap') {
    book.gap()
    naive.gap()
  } else if ('block' in taken) {
    book.apply(taken.block)
    naive.apply(taken.block)
  } else if ('quotes' in taken) {
    book.applyQuotes(quoteBlockOf(taken.quotes))
    for (const each of taken.quotes) naive.quote(each)
  } else {
    const { price: at, qty, isBuyerMaker } = taken
    book.traded(at, isBuyerMaker)
    book.lower(isBuyerMaker ? BID : ASK, at, qty)
    naive.traded(at, isBuyerMaker)
    naive.lower(isBuyerMaker ? 'bids' : 'asks', at, qty)
  }
}

it('holds the levels of a plain map after every frame, quote and trade, and no bid ever meets an ask', () => {
  const reached = { dropped: 0, unknown: 0, moved: 0, oneSided: 0, outOfSight: 0, lowered: 0, reportedEmpty: 0 }
  fc.assert(
    fc.property(fc.array(step, { minLength: 1, maxLength: 25 }), (steps) => {
      const book = new RecordedBook()
      const naive = new NaiveBook()
      for (const taken of steps) {
        const resting = typeof taken === 'object' && 'qty' in taken ? book.qtyAt(BID, taken.price) : 0
        play(book, naive, taken)
        expect(book.isKnown).toBe(naive.isKnown)
        expect(book.bestBid).toBe(naive.bestBid)
        expect(book.bestAsk).toBe(naive.bestAsk)
        const { bids, asks } = book.levels(100)
        expect(bids.map((level) => [level.price, level.qty])).toEqual(naive.sorted('bids'))
        expect(asks.map((level) => [level.price, level.qty])).toEqual(naive.sorted('asks'))
        for (const [at, qty] of naive.bids) expect(book.qtyAt(BID, at)).toBe(qty)
        for (const at of [...WATCHED, ...naive.bids.keys(), ...naive.asks.keys()]) {
          expect(book.isShown(BID, at), `bid ${at}`).toBe(naive.isShown('bids', at))
          expect(book.isShown(ASK, at), `ask ${at}`).toBe(naive.isShown('asks', at))
          reached.outOfSight += book.isKnown && !book.isShown(BID, at) ? 1 : 0
        }
        if (typeof taken === 'object' && 'qty' in taken) reached.lowered += resting > 0 ? 1 : 0
        reached.reportedEmpty += naive.isKnown && naive.shownTo.asks === 0 ? 1 : 0
        expect((book.bestBid ?? 0) < (book.bestAsk ?? Infinity)).toBe(true)
        reached.unknown += book.isKnown ? 0 : 1
        reached.moved += bids.some(({ price: at }) => (book.bestBid ?? 0) - at > 131_072) ? 1 : 0
        reached.oneSided += (bids.length === 0) === (asks.length === 0) ? 0 : 1
      }
      reached.dropped += book.dropped
    }),
    { numRuns: runs(600) },
  )
  for (const [corner, count] of Object.entries(reached)) expect(count, corner).toBeGreaterThan(needed(20))
})

it('goes on from its state as if it had seen everything before', () => {
  fc.assert(
    fc.property(
      fc.array(step, { maxLength: 12 }),
      fc.array(step, { maxLength: 6 }),
      fc.array(step, { maxLength: 4 }),
      (before, after, other) => {
        const [book, naive] = [new RecordedBook(), new NaiveBook()]
        for (const taken of before) play(book, naive, taken)
        // Whatever it had held.
        const next = new RecordedBook()
        for (const taken of other) play(next, new NaiveBook(), taken)
        next.restore(book.state())
        expect(next.state()).toEqual(book.state())
        for (const taken of after) {
          play(book, naive, taken)
          play(next, new NaiveBook(), taken)
          expect(next.state()).toEqual(book.state())
          expect(next.bestBid).toBe(book.bestBid)
        }
      },
    ),
    { numRuns: runs(200) },
  )
})

it('asks an order for exactly what it takes, level by level', () => {
  const amounts = fc.constantFrom(0, 1, 5, 20, 2 ** 53 - 1)
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), amounts, fc.constantFrom(BID, ASK), (steps, qty, side) => {
      const [book, naive] = [new RecordedBook(), new NaiveBook()]
      for (const taken of steps) play(book, naive, taken)
      let left = qty
      let notional = 0n
      for (const [at, there] of naive.sorted(side === ASK ? 'asks' : 'bids')) {
        const met = Math.min(left, there)
        notional += BigInt(at) * BigInt(met)
        left -= met
      }
      expect(book.costOf(side, qty)).toMatchObject({ lots: qty - left, notional })
    }),
    { numRuns: runs(200) },
  )
})
