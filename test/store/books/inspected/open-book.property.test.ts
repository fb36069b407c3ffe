import fc from 'fast-check'
import { expect, it } from 'vitest'
import { openBook } from '../../../../src/store/books/inspected/open-book.ts'
import type { InspectedBook } from '../../../../src/store/books/inspected/inspected-book.ts'
import { bookFacts } from '../../../../src/store/tapes/blocks/stored-book.ts'
import { BookSpool } from '../../../../src/store/tapes/book-spool.ts'
import type { BookState } from '../../../../src/tape/book/book-state.ts'
import { RecordedBook } from '../../../../src/tape/book/recorded-book.ts'
import type { DepthTape, QuoteTape } from '../../../../src/tape/book-tape.ts'
import {
  BID,
  frameEnd,
  GAP,
  SEEN_TO_COME,
  SNAPSHOT,
  TRADED,
  type DepthBlock,
} from '../../../../src/tape/depth-block.ts'
import type { QuoteBlock } from '../../../../src/tape/quote-block.ts'
import type { TapeWindow } from '../../../../src/tape/tape.ts'
import { runs } from '../../../property/property.ts'
import { depthBlockOf, type MadeFall, type MadeFrame, type MadeLevel } from '../../../tape/rig/depth-of.ts'

const levels = (from: number, isBids: boolean): fc.Arbitrary<readonly MadeLevel[]> =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: from, max: from + 5 }), fc.nat({ max: 12 })), {
      maxLength: 4,
      selector: ([price]) => price,
    })
    .map((made) => made.sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0])))

/** In blocks; the prices of the sides overlap, so that frames pass each other's levels. */
const blocks = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 1, 7),
      isNewBlock: fc.integer({ min: 0, max: 3 }).map((drawn) => drawn === 0),
      isSnapshot: fc.integer({ min: 0, max: 4 }).map((drawn) => drawn === 0),
      hasGap: fc.integer({ min: 0, max: 7 }).map((drawn) => drawn === 0),
      bids: levels(90, true),
      asks: levels(94, false),
    }),
    { minLength: 1, maxLength: 20 },
  )
  .map((drawn): readonly DepthBlock[] => {
    let time = 1_000
    const made: MadeFrame[][] = [[]]
    for (const { wait, isNewBlock, isSnapshot, hasGap, ...sides } of drawn) {
      time += wait
      const there = (given: readonly MadeLevel[]): readonly MadeLevel[] =>
        isSnapshot ? given.filter(([, qty]) => qty > 0) : given
      const [bids, asks] = [there(sides.bids), there(sides.asks)]
      const isEmpty = bids.length + asks.length === 0
      if (isNewBlock && made.at(-1)?.length !== 0) made.push([])
      made.at(-1)?.push({ time, isSnapshot, hasGap, bids: isEmpty ? [[1, 0]] : bids, asks })
    }
    return made.map((frames) => depthBlockOf(frames))
  })

const PRECISIONS = { pricePrecision: 1, qtyPrecision: 2 }

function inspected(kind: 'depth' | 'quotes', spool: BookSpool): InspectedBook {
  const kept = spool.finish('A_B')
  if (kept === undefined) throw new Error('there is room')
  const facts = bookFacts(kind, kept.blocks.map(({ entry }) => entry)) // prettier-ignore
  return {
    source: { file: 'x' },
    rows: { form: 'spooled', spooled: kept },
    info: { symbol: 'A_B', file: 'x', sha256: '', ...facts, notices: [] },
  }
}

function depthTape(of: readonly DepthBlock[], precisions = PRECISIONS): DepthTape {
  const spool = new BookSpool('depth', { bytes: 1e9 })
  const book = new RecordedBook()
  for (const block of of) {
    spool.add({ kind: 'depth', block, before: book.state(), ...PRECISIONS })
    book.apply(block)
  }
  return openBook(inspected('depth', spool), precisions) as DepthTape
}

interface Seen {
  readonly time: number
  readonly flags: number
  readonly state: BookState
}

/** The book after every frame. */
async function seenIn(tape: DepthTape, window?: TapeWindow): Promise<readonly Seen[]> {
  const book = new RecordedBook()
  const seen: Seen[] = []
  for await (const block of tape.blocks(window)) {
    for (let row = 0; row < block.length; row = frameEnd(block, row)) {
      book.apply(block, row, frameEnd(block, row))
      seen.push({ time: block.time[row] ?? 0, flags: block.flags[row] ?? 0, state: book.state() })
    }
  }
  return seen
}

it('a window is the rest of the whole, with the same book after every frame', async () => {
  const reached = { snapshot: 0, unknown: 0, behind: 0, gap: 0, cutBlock: 0 }
  const window = fc.record({ from: fc.integer({ min: 995, max: 1_100 }), span: fc.integer({ min: 1, max: 60 }) })
  await fc.assert(
    fc.asyncProperty(blocks, window, async (made, { from, span }) => {
      const tape = depthTape(made)
      const whole = await seenIn(tape)
      const to = from + span
      const part = await seenIn(tape, { from, to })
      const before = whole.findLast(({ time }) => time < from)
      const isOver = from > tape.info.to
      const isKnown = before?.state.isKnown === true && !isOver
      const rest = whole.filter(({ time }) => time >= from && time < to)
      const begin = part.slice(0, part.length - rest.length)
      expect(begin.length > 0).toBe(isKnown)
      if (isKnown) {
        reached.snapshot += 1
        if (begin.length > 1) reached.behind += 1
        if (made.some(({ time, length }) => (time[0] ?? 0) < from && (time[length - 1] ?? 0) >= from)) reached.cutBlock += 1 // prettier-ignore
        expect(begin[0]?.flags).toSatisfy((flags: number) => (flags & (SNAPSHOT | GAP)) === SNAPSHOT)
        expect(begin.map(({ time }) => time)).toEqual(begin.map(() => from))
        for (const side of ['bids', 'asks'] as const) {
          expect(begin.at(-1)?.state[side]).toEqual(before.state[side])
        }
      } else if (!isOver) reached.unknown += 1
      for (const [at, { time, flags, state }] of part.slice(begin.length).entries()) {
        const same = rest[at]
        expect({ time, flags, isKnown: state.isKnown }).toEqual({ time: same?.time, flags: same?.flags, isKnown: same?.state.isKnown }) // prettier-ignore
        if ((flags & GAP) !== 0) reached.gap += 1
        if (!state.isKnown) continue
        for (const side of ['bids', 'asks'] as const) {
          expect(state[side].price).toEqual(same?.state[side].price)
          expect(state[side].qty).toEqual(same?.state[side].qty)
        }
      }
    }),
    { numRuns: runs(400) },
  )
  expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
})

it('finer precisions change nothing but the unit', async () => {
  await fc.assert(
    fc.asyncProperty(blocks, fc.nat({ max: 40 }), async (made, begin) => {
      const window = { from: 1_000 + begin }
      const plain = await seenIn(depthTape(made), window)
      const fine = await seenIn(depthTape(made, { pricePrecision: 3, qtyPrecision: 5 }), window)
      const times = (values: Float64Array, by: number): Float64Array => values.map((value) => value * by)
      const scaled = plain.map(({ state, ...rest }) => {
        const side = (of: 'bids' | 'asks') => ({ price: times(state[of].price, 100), qty: times(state[of].qty, 1_000), shownTo: state[of].shownTo * 100 }) // prettier-ignore
        return { ...rest, state: { isKnown: state.isKnown, bids: side('bids'), asks: side('asks') } }
      })
      expect(fine).toEqual(scaled)
    }),
    { numRuns: runs(100) },
  )
})

it('a window of quotes begins with the last one before it', async () => {
  const quotes = fc.array(fc.tuple(fc.constantFrom(0, 1, 5), fc.nat({ max: 3 }), fc.nat({ max: 3 })), { minLength: 1, maxLength: 12 }) // prettier-ignore
  await fc.assert(
    fc.asyncProperty(quotes, fc.integer({ min: 1, max: 4 }), fc.integer({ min: 995, max: 1_060 }), fc.nat({ max: 30 }), async (drawn, size, from, span) => {
        let time = 1_000
        const rows = drawn.map(([wait, bid, ask]) => [(time += wait), bid && 90 + bid, bid, ask && 95 + ask, ask] as const) // prettier-ignore
        const spool = new BookSpool('quotes', { bytes: 1e9 })
        for (let start = 0; start < rows.length; start += size) {
          const block = quoteBlock(rows.slice(start, start + size))
          spool.add({ kind: 'quotes', block, ...PRECISIONS })
        }
        const tape = openBook(inspected('quotes', spool), PRECISIONS) as QuoteTape
        expect(await quotesIn(tape)).toEqual(rows)
        const to = from + span
        const last = rows.findLast(([at]) => at < from)
        const begin = last === undefined || from > tape.info.to ? [] : [[from, ...last.slice(1)]]
        expect(await quotesIn(tape, { from, to })).toEqual([...begin, ...rows.filter(([at]) => at >= from && at < to)])
      }), // prettier-ignore
    { numRuns: runs(200) },
  )
})

type QuoteRow = readonly [time: number, bid: number, bidQty: number, ask: number, askQty: number]

const quoteBlock = (rows: readonly QuoteRow[]): QuoteBlock => ({
  length: rows.length,
  time: Float64Array.from(rows, ([time]) => time),
  bid: Float64Array.from(rows, ([, bid]) => bid),
  bidQty: Float64Array.from(rows, ([, , qty]) => qty),
  ask: Float64Array.from(rows, ([, , , ask]) => ask),
  askQty: Float64Array.from(rows, ([, , , , qty]) => qty),
})

async function quotesIn(tape: QuoteTape, window?: TapeWindow): Promise<readonly (readonly number[])[]> {
  const rows: number[][] = []
  for await (const { length, time, bid, bidQty, ask, askQty } of tape.blocks(window)) {
    for (let row = 0; row < length; row += 1) {
      rows.push([time, bid, bidQty, ask, askQty].map((column) => column[row] ?? 0))
    }
  }
  return rows
}

it('what went of single orders is cut and scaled with its frames', async () => {
  const went = fc.array(fc.record({ side: fc.constantFrom('bid' as const, 'ask' as const), price: fc.integer({ min: 90, max: 99 }), lots: fc.integer({ min: 1, max: 9 }), since: fc.integer({ min: 0, max: 1_000 }), isTraded: fc.boolean(), isSeenToCome: fc.boolean() }), { maxLength: 3 }) // prettier-ignore
  const frames = fc.array(fc.tuple(fc.constantFrom(0, 1, 7), went, fc.boolean()), { minLength: 1, maxLength: 12 })
  const window = fc.record({ from: fc.integer({ min: 995, max: 1_060 }), span: fc.integer({ min: 1, max: 40 }) })
  await fc.assert(
    fc.asyncProperty(frames, window, async (drawn, { from, span }) => {
      let time = 1_000
      const made = drawn.map(([wait, falls, isNewBlock]) => ({ isNewBlock, frame: { time: (time += wait), isSnapshot: true, bids: [[90, 1], [89, 2]] as const, asks: [], falls } })) // prettier-ignore
      const groups: MadeFrame[][] = [[]]
      for (const { isNewBlock, frame } of made) {
        if (isNewBlock && groups.at(-1)?.length !== 0) groups.push([])
        groups.at(-1)?.push(frame)
      }
      const tape = depthTape(groups.map((group) => depthBlockOf(group)), { pricePrecision: 2, qtyPrecision: 4 }) // prettier-ignore
      expect(tape.info.reportsOrders).toBe(true)
      const wanted = made.flatMap(({ frame }) => frame.falls.map((fall) => [frame.time, { ...fall, price: fall.price * 10, lots: fall.lots * 100 }] as const)) // prettier-ignore
      expect(await fallsIn(tape)).toEqual(wanted)
      const to = from + span
      expect(await fallsIn(tape, { from, to })).toEqual(wanted.filter(([at]) => at >= from && at < to))
    }),
    { numRuns: runs(200) },
  )
})

async function fallsIn(tape: DepthTape, window?: TapeWindow): Promise<readonly (readonly [number, MadeFall])[]> {
  const reported: (readonly [number, MadeFall])[] = []
  for await (const { falls, time } of tape.blocks(window)) {
    if (falls === undefined) throw new Error('each block tells orders')
    for (let at = 0; at < falls.length; at += 1) {
      const [row = -1, price = 0, lots = 0, since = 0] = [falls.row, falls.price, falls.lots, falls.since].map((column) => column[at]) // prettier-ignore
      reported.push([time[row] ?? Number.NaN, { side: falls.side[at] === BID ? 'bid' : 'ask', price, lots, since, isTraded: ((falls.kind[at] ?? 0) & TRADED) !== 0, isSeenToCome: ((falls.kind[at] ?? 0) & SEEN_TO_COME) !== 0 }]) // prettier-ignore
    }
  }
  return reported
}
