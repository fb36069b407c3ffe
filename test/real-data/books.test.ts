/**
 * The books of real captures against the quotes of the same captures: where a frame and a quote report of the same
 * update, the best prices and what rests there are the same. Then their rows as a tape has them.
 */
import { existsSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import type { LevelText } from '../../src/store/books/book-event.ts'
import { ExactUnits } from '../../src/store/books/exact-units.ts'
import { BookReading } from '../../src/store/books/read-books.ts'
import { DepthCodec } from '../../src/store/tapes/blocks/depth-codec.ts'
import { RecordedBook } from '../../src/tape/book/recorded-book.ts'
import type { BookState } from '../../src/tape/book/book-state.ts'
import { ASK, BID, type DepthBlock } from '../../src/tape/depth-block.ts'
import { depthBlockOf, type MadeLevel } from '../tape/rig/depth-of.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/depth/', import.meta.url))

const CAPTURES = [
  {
    market: 'ETH spot',
    files: ['spot_ethusdt_20240808.gz', 'spot_ethusdt_20240809.gz'],
    // One quantity has a decimal more than all others.
    pricePrecision: 2,
    qtyPrecision: 5,
    rows: { depth: 274_752, quotes: 58_758, trades: 14_515 },
    moved: { 'trades received out of order': 845 },
  },
  {
    market: 'BTC perpetual',
    files: ['usdm_btcusdt_20240808.gz'],
    pricePrecision: 1,
    qtyPrecision: 3,
    rows: { depth: 445_206, quotes: 66_089, trades: 21_313 },
    moved: { 'trades received out of order': 8_881 },
  },
].map((capture) => ({ ...capture, files: capture.files.map((file) => DATA + file) }))

const isAbsent = CAPTURES.some(({ files }) => !files.every((file) => existsSync(file)))

/** Levels of one side in units, best first; of a level that is reported twice the last counts. */
function levelsOf(reported: readonly LevelText[], isBids: boolean, { price, qty }: Units): readonly MadeLevel[] {
  const qtyByPrice = new Map(reported.map(([at, lots]) => [price.of(at, 'capture'), qty.of(lots, 'capture')]))
  return [...qtyByPrice].sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0]))
}

interface Units {
  readonly price: ExactUnits
  readonly qty: ExactUnits
}

/** Compared at once: columns of 65 536 values, one by one, take seconds. */
const hashOf = (...columns: readonly (Float64Array | Uint8Array)[]): readonly number[] =>
  columns.map((column) => crc32(new Uint8Array(column.buffer, column.byteOffset, column.byteLength)))

const bytesOf = ({ time, flags, side, price, qty }: DepthBlock): readonly number[] =>
  hashOf(time, flags, side, price, qty)

const stateBytes = ({ isKnown, bids, asks }: BookState): readonly (number | boolean)[] =>
  [isKnown, bids.shownTo, asks.shownTo, bids.price.length, ...hashOf(bids.price, bids.qty, asks.price, asks.qty)] // prettier-ignore

describe.skipIf(isAbsent)(`real captures${isAbsent ? ' (skipped: /work/shared/data/depth is not there)' : ''}`, () => {
  it.each(CAPTURES)(
    '$market: a book is the quote of the same update, in every case',
    async ({ files, pricePrecision, qtyPrecision }) => {
      const quotesById = new Map<number, readonly number[]>()
      const booksById = new Map<number, readonly (number | undefined)[]>()
      const book = new RecordedBook()
      const units = { price: new ExactUnits('price', pricePrecision), qty: new ExactUnits('quantity', qtyPrecision) }
      const reading = new BookReading({ files })
      for await (const event of reading.events()) {
        if (event.kind === 'trades' || event.id === undefined) continue
        if (event.kind === 'quotes') {
          const sides = [event.bid, event.ask].flatMap((side) => (side === undefined ? [] : [side]))
          quotesById.set(event.id, sides.flatMap((side) => levelsOf([side], true, units).flat())) // prettier-ignore
        } else {
          const [bids, asks] = [levelsOf(event.bids, true, units), levelsOf(event.asks, false, units)]
          if (bids.length + asks.length > 0) book.apply(depthBlockOf([{ ...event, bids, asks, falls: undefined }]))
          const [bid, ask] = [book.bestBid ?? 0, book.bestAsk ?? 0]
          booksById.set(event.id, [bid, book.qtyAt(BID, bid), ask, book.qtyAt(ASK, ask)])
        }
      }
      const both = [...booksById].filter(([id]) => quotesById.has(id))
      expect(both.length).toBeGreaterThan(500)
      expect(both.filter(([id, reported]) => String(reported) !== String(quotesById.get(id)))).toEqual([])
      expect(reading.tally.gapCount).toBe(0)
      expect(book.dropped).toBe(0)
      expect(book.isKnown).toBe(true)
    },
  )

  it.each(CAPTURES)(
    '$market: rows come in the order of matching, and blocks come back from their bytes',
    async ({ files, rows, moved }) => {
      // prettier-ignore
      const reading = new BookReading({ files })
      const codec = new DepthCodec()
      const book = new RecordedBook()
      const counted = { depth: 0, quotes: 0, trades: 0 }
      let bytes = 0
      let qtyPrecision = 0
      for await (const part of reading.parts()) {
        counted[part.kind] += part.block.length
        expect(part.block.time.every((time, row, all) => row === 0 || (all[row - 1] ?? 0) <= time)).toBe(true)
        if (part.kind !== 'depth') continue
        const encoded = codec.encode(part)
        expect(bytesOf(codec.decode(encoded.bytes, encoded.checksum).block)).toEqual(bytesOf(part.block))
        expect(stateBytes(codec.decodeBefore(encoded.bytes, encoded.checksum))).toEqual(stateBytes(part.before))
        // What a window begins with is what a play from the first row comes to, but for decimals that were not known before.
        if (part.qtyPrecision === qtyPrecision) expect(stateBytes(book.state())).toEqual(stateBytes(part.before))
        else book.restore(part.before)
        qtyPrecision = part.qtyPrecision
        book.apply(part.block)
        bytes += encoded.bytes.length
      }
      expect(counted).toEqual(rows)
      expect(bytes / counted.depth).toBeLessThan(4)
      expect(Object.fromEntries(reading.tally.counts)).toMatchObject(moved)
    },
  )
})
