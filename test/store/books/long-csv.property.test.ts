import fc from 'fast-check'
import { expect, it } from 'vitest'
import { longCsvHeader, LongCsvText } from '../../../src/store/books/long-csv-text.ts'
import { RecordedBook } from '../../../src/tape/book/recorded-book.ts'
import { frameEnd, type DepthBlock } from '../../../src/tape/depth-block.ts'
import { runs } from '../../property/property.ts'
import { depthBlockOf, type MadeFrame, type MadeLevel } from '../../tape/rig/depth-of.ts'
import { eventsOf } from './rig/book-texts.ts'

const T = 1_704_164_645_000

const levels = (from: number, isBids: boolean): fc.Arbitrary<readonly MadeLevel[]> =>
  fc
    .uniqueArray(fc.tuple(fc.integer({ min: from, max: from + 5 }), fc.nat({ max: 12 })), {
      maxLength: 4,
      selector: ([price]) => price,
    })
    .map((made) => made.sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0])))

/**
 * Of every three frames some are of one millisecond; sides never meet, for a frame of the text may be two of the tape.
 */
const frames = fc
  .array(
    fc.record({
      wait: fc.constantFrom(0, 0, 7),
      isSnapshot: fc.boolean(),
      bids: levels(90, true),
      asks: levels(100, false),
    }),
    { minLength: 1, maxLength: 12 },
  )
  .map((drawn): readonly MadeFrame[] => {
    let time = T
    return drawn.flatMap(({ wait, isSnapshot, bids, asks }, at) => {
      const isFirst = at === 0
      const there = (made: readonly MadeLevel[]): readonly MadeLevel[] =>
        isSnapshot || isFirst ? made.filter(([, qty]) => qty > 0) : made
      time += wait
      const frame = { time, isSnapshot: isSnapshot || isFirst, bids: there(bids), asks: there(asks) }
      if (frame.bids.length + frame.asks.length > 0) return [frame]
      return isFirst ? [{ ...frame, bids: [[1, 0] as const] }] : []
    })
  })

/** The book at the end of each moment, in units of its last precisions. */
function moments(blocks: readonly DepthBlock[], toPrice: number, toQty: number): ReadonlyMap<number, string> {
  const book = new RecordedBook()
  const reported = new Map<number, string>()
  for (const block of blocks) {
    for (let row = 0; row < block.length; row = frameEnd(block, row)) {
      book.apply(block, row, frameEnd(block, row))
      const { bids, asks } = book.levels(100)
      const text = [...bids, ...asks].map(({ price, qty }) => `${price * toPrice}x${qty * toQty}`)
      reported.set(block.time[row] ?? 0, text.join(' '))
    }
  }
  return reported
}

it('a book that is written and read again is the same after every moment', async () => {
  const reached = { sameMoment: 0, changes: 0 }
  await fc.assert(
    fc.asyncProperty(frames, async (made) => {
      const block = depthBlockOf(made)
      const text = new LongCsvText(false)
      const lines = [...text.add({ block, pricePrecision: 1, qtyPrecision: 2 }), ...text.end()]
      const { parts } = await eventsOf([longCsvHeader(false), ...lines])
      const read = parts.flatMap((part) => (part.kind === 'depth' ? [part] : []))
      const [first] = read
      if (first === undefined) throw new Error('it has a book')
      const back = moments(
        read.map((part) => part.block),
        10 ** (1 - first.pricePrecision),
        10 ** (2 - first.qtyPrecision),
      )
      expect([...back]).toEqual([...moments([block], 1, 1)])
      reached.sameMoment += made.some(({ time }, at) => time === made[at - 1]?.time) ? 1 : 0
      reached.changes += made.some(({ isSnapshot }) => isSnapshot !== true) ? 1 : 0
    }),
    { numRuns: runs(150) },
  )
  expect(reached.sameMoment).toBeGreaterThan(20)
  expect(reached.changes).toBeGreaterThan(20)
})
