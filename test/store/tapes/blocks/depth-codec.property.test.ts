import fc from 'fast-check'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BlockFault } from '../../../../src/store/tapes/blocks/byte-reader.ts'
import { DepthCodec, type StoredDepth } from '../../../../src/store/tapes/blocks/depth-codec.ts'
import { QuoteCodec, type StoredQuotes } from '../../../../src/store/tapes/blocks/quote-codec.ts'
import { RecordedBook } from '../../../../src/tape/book/recorded-book.ts'
import { runs } from '../../../property/property.ts'
import { depthBlockOf, type MadeFall, type MadeFrame, type MadeLevel } from '../../../tape/rig/depth-of.ts'

const codec = new DepthCodec()
const quoteCodec = new QuoteCodec()
const MAX = Number.MAX_SAFE_INTEGER

const price = fc.oneof(
  { weight: 6, arbitrary: fc.integer({ min: 990, max: 1_010 }) },
  { weight: 2, arbitrary: fc.integer({ min: 1, max: 300_000 }) },
  { weight: 1, arbitrary: fc.integer({ min: 1, max: MAX }) },
  { weight: 1, arbitrary: fc.constantFrom(1, MAX - 1, MAX) },
)
/** At every length that a varint may have. */
const lots = fc.oneof(
  fc.constantFrom(0, 0x7f, 0x80, 0x3fff, 0x4000, 2 ** 21 - 1, 2 ** 21, 2 ** 28, 2 ** 32, 2 ** 49, MAX),
  fc.nat(500),
)
const wait = fc.oneof(fc.constantFrom(0, 0, 1, 100), fc.integer({ min: 0, max: 1e11 }))
const decimals = fc.integer({ min: 0, max: 12 })

const levels = (isBids: boolean): fc.Arbitrary<readonly MadeLevel[]> =>
  fc
    .uniqueArray(fc.tuple(price, lots), { maxLength: 5, selector: ([at]) => at })
    .map((made) => made.sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0])))

const frame = fc
  .record({ wait, isSnapshot: fc.boolean(), hasGap: fc.boolean(), bids: levels(true), asks: levels(false) })
  .filter(({ bids, asks }) => bids.length + asks.length > 0)

/** What went of an order, and how long it had been there. */
const fall = fc.record({
  side: fc.constantFrom('bid' as const, 'ask' as const),
  price,
  age: fc.oneof(fc.constantFrom(0, 0x7f, 0x80, 2 ** 32), fc.nat(1e9)),
  lots: lots.map((qty) => Math.max(1, qty)),
  isTraded: fc.boolean(),
  isSeenToCome: fc.boolean(),
})
type Aged = typeof fall extends fc.Arbitrary<infer Value> ? Value : never
const falls = fc.array(fall, { maxLength: 4 })

/** The same frames, order by order. */
const withOrders = (made: readonly MadeFrame[], reported: readonly (readonly Aged[])[]): readonly MadeFrame[] =>
  made.map((each, at) => ({
    ...each,
    falls: (reported[at] ?? []).map(({ age, ...rest }): MadeFall => ({ ...rest, since: each.time - age })),
  }))

const frames = fc.array(frame, { minLength: 1, maxLength: 12 }).map((made): readonly MadeFrame[] => {
  let time = 1_700_000_000_000
  return made.map((each) => ({ ...each, time: (time += each.wait) }))
})

/** Rows whose prices and lots are all multiples, as of a market that moves by more than a unit. */
const coarser = fc
  .record({ made: frames, priceUnit: fc.constantFrom(1, 5, 1_000), qtyUnit: fc.constantFrom(1, 10) })
  .map(({ made, priceUnit, qtyUnit }) =>
    made.map((each) => {
      const level = ([at, qty]: MadeLevel): MadeLevel => [(at % 1e9) * priceUnit + priceUnit, (qty % 1e9) * qtyUnit]
      const side = (levelsOf: readonly MadeLevel[], isBids: boolean): readonly MadeLevel[] =>
        [...new Map(levelsOf.map(level))].sort((a, b) => (isBids ? b[0] - a[0] : a[0] - b[0]))
      return { ...each, bids: side(each.bids, true), asks: side(each.asks, false) }
    }),
  )

const depth = fc
  .record({
    before: fc.option(frames),
    after: fc.oneof(frames, coarser),
    reported: fc.option(fc.array(falls, { maxLength: 12 })),
    pricePrecision: decimals,
    qtyPrecision: decimals,
  })
  .map(({ before, after, reported, ...precisions }): StoredDepth => {
    const book = new RecordedBook()
    if (before !== null) book.apply(depthBlockOf(before))
    const rows = reported === null ? after : withOrders(after, reported)
    return { block: depthBlockOf(rows), before: book.state(), ...precisions }
  })

const quoteSide = fc.oneof(fc.constant([0, 0] as const), fc.tuple(price, fc.integer({ min: 1, max: MAX })))
const quotes = fc
  .record({
    rows: fc.array(fc.tuple(wait, quoteSide, quoteSide), { minLength: 1, maxLength: 30 }),
    pricePrecision: decimals,
    qtyPrecision: decimals,
  })
  .map(({ rows, ...precisions }): StoredQuotes => {
    let time = 0
    const column = (of: (row: (typeof rows)[number]) => number): Float64Array => Float64Array.from(rows, of)
    const block = {
      length: rows.length,
      time: column(([waited]) => (time += waited)),
      bid: column(([, [at]]) => at),
      bidQty: column(([, [, qty]]) => qty),
      ask: column(([, , [at]]) => at),
      askQty: column(([, , [, qty]]) => qty),
    }
    return { block, ...precisions }
  })

describe('a block of a book', () => {
  it.each([false, true])('comes back as it was, with the book before it, compact: %s', (isCompact) => {
    fc.assert(
      fc.property(depth, (stored) => {
        const { bytes, checksum } = codec.encode(stored, isCompact)
        const { before, ...rows } = stored
        expect(codec.decode(bytes, checksum)).toEqual(rows)
        expect(codec.decodeBefore(bytes, checksum)).toEqual(before)
      }),
      { numRuns: runs(400) },
    )
  })

  it('is refused when any bit of it is another', () => {
    fc.assert(
      fc.property(depth, fc.nat(), fc.integer({ min: 0, max: 7 }), (stored, at, bit) => {
        const { bytes, checksum } = codec.encode(stored)
        bytes[at % bytes.length] = (bytes[at % bytes.length] ?? 0) ^ (1 << bit)
        expect(() => codec.decode(bytes, checksum)).toThrow(BlockFault)
        expect(() => codec.decodeBefore(bytes, checksum)).toThrow(BlockFault)
      }),
    )
  })

  it('is refused, or a sound one, when its checksum fits to damaged bytes', () => {
    const became = { refused: 0, sound: 0 }
    const attempt = (decode: () => void): void => {
      try {
        decode()
        became.sound += 1
      } catch (error) {
        expect(error).toBeInstanceOf(BlockFault)
        became.refused += 1
      }
    }
    fc.assert(
      fc.property(depth, fc.nat(), fc.nat({ max: 255 }), fc.boolean(), (stored, at, byte, isCut) => {
        const { bytes: whole } = codec.encode(stored)
        const bytes = isCut ? whole.slice(0, at % whole.length) : whole
        if (!isCut) bytes[at % bytes.length] = byte
        // Whatever is decoded is such that it can be written again, which checks every frame.
        attempt(() => void codec.encode({ ...stored, ...codec.decode(bytes, crc32(bytes)) }))
        attempt(() => void codec.encode({ ...stored, before: codec.decodeBefore(bytes, crc32(bytes)) }))
      }),
      { numRuns: runs(1_000) },
    )
    expect(became.refused).toBeGreaterThan(100)
    expect(became.sound).toBeGreaterThan(100)
  })

  it('is no block of quotes, and those are none of a book', () => {
    const [stored] = fc.sample(depth, { numRuns: runs(1), seed: 1 })
    const [reported] = fc.sample(quotes, { numRuns: runs(1), seed: 1 })
    if (stored === undefined || reported === undefined) throw new Error('samples are drawn')
    const [book, other] = [codec.encode(stored), quoteCodec.encode(reported)]
    expect(() => quoteCodec.decode(book.bytes, book.checksum)).toThrow('it has no quotes')
    expect(() => codec.decode(other.bytes, other.checksum)).toThrow('it has no changes of a book')
  })
})

describe('a block of quotes', () => {
  it.each([false, true])('comes back as it was, compact: %s', (isCompact) => {
    fc.assert(
      fc.property(quotes, (stored) => {
        const { bytes, checksum } = quoteCodec.encode(stored, isCompact)
        expect(quoteCodec.decode(bytes, checksum)).toEqual(stored)
      }),
      { numRuns: runs(200) },
    )
  })

  it('is refused, or a sound one, when its checksum fits to damaged bytes', () => {
    fc.assert(
      fc.property(quotes, fc.nat(), fc.nat({ max: 255 }), (stored, at, byte) => {
        const { bytes } = quoteCodec.encode(stored)
        bytes[at % bytes.length] = byte
        try {
          const { block } = quoteCodec.decode(bytes, crc32(bytes))
          for (let row = 0; row < block.length; row += 1) expect(block.bid[row] === 0).toBe(block.bidQty[row] === 0)
        } catch (error) {
          expect(error).toBeInstanceOf(BlockFault)
        }
      }),
      { numRuns: runs(500) },
    )
  })
})
