import fc from 'fast-check'
import { crc32 } from 'node:zlib'
import { describe, expect, it } from 'vitest'
import { BlockCodec, type StoredRows } from '../../../../src/store/tapes/blocks/block-codec.ts'
import { BlockFault, ByteReader } from '../../../../src/store/tapes/blocks/byte-reader.ts'
import { ByteWriter } from '../../../../src/store/tapes/blocks/byte-writer.ts'
import { ColumnCodec } from '../../../../src/store/tapes/blocks/column-codec.ts'
import { MAX_BLOCK_ROWS } from '../../../../src/tape/tape.ts'
import { runs, needed } from '../../../property/property.ts'

const codec = new BlockCodec()
const MAX = Number.MAX_SAFE_INTEGER

/** Steps of every size, so that each form of a column is met, and values at both ends. */
const anyColumn = fc.oneof(
  fc.array(fc.integer({ min: -MAX, max: MAX }), { minLength: 1, maxLength: 40 }),
  fc
    .tuple(
      fc.integer({ min: -1e15, max: 1e15 }),
      fc.constantFrom(0, 1, 63, 127, 128, 16_383, 16_384, 2 ** 21, 2 ** 28, 2 ** 31 - 1, 2 ** 31, 2 ** 32 - 1, 2 ** 32),
      fc.array(fc.constantFrom(-1, 0, 1, 0.5, -0.5), { maxLength: 40 }),
    )
    .map(([first, size, steps]) => {
      const column = [first]
      for (const step of steps) column.push((column.at(-1) ?? 0) + Math.trunc(step * size))
      return column
    }),
  fc
    .tuple(
      fc.integer({ min: -1e12, max: 1e12 }),
      fc.integer({ min: -1000, max: 1000 }),
      fc.integer({ min: 1, max: 40 }),
    )
    .map(([first, step, length]) => Array.from({ length }, (_, row) => first + step * row)),
)

it('a column of any safe integers comes back value by value, in every form', () => {
  const columns = new ColumnCodec(64)
  const forms = new Map<number, number>()
  fc.assert(
    fc.property(anyColumn, (values) => {
      const out = new ByteWriter(1)
      columns.write(Float64Array.from(values), values.length, out)
      const bytes = out.taken()
      forms.set(bytes[0] ?? -1, (forms.get(bytes[0] ?? -1) ?? 0) + 1)
      const source = new ByteReader(bytes)
      const back = new Float64Array(values.length)
      columns.read(source, values.length, back)
      source.end()
      expect([...back].map((value) => value + 0)).toEqual(values.map((value) => value + 0))
      expect(bytes.length).toBeLessThanOrEqual(8 * Math.max(2, values.length) + 1)
    }),
    { numRuns: runs(2000) },
  )
  expect([...forms.keys()].sort()).toEqual([0, 1, 2, 3, 4])
  for (const count of forms.values()) expect(count).toBeGreaterThan(needed(20))
})

const safe = fc.integer({ min: 1, max: MAX })
const decimals = fc.integer({ min: 0, max: 12 })
const tradeRow = fc.record({
  wait: fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 1e11 })),
  price: fc.oneof(fc.integer({ min: 1, max: 300 }), safe),
  qty: fc.oneof(fc.integer({ min: 1, max: 300 }), safe),
  side: fc.integer({ min: 0, max: 2 }),
  isDoubtful: fc.integer({ min: 0, max: 1 }),
})
const trades = fc
  .tuple(
    fc.array(tradeRow, { minLength: 1, maxLength: 60 }),
    fc.constantFrom('none', 'numbers', 'texts'),
    fc.boolean(),
    decimals,
    decimals,
  )
  .map(([rows, idForm, hasDoubts, pricePrecision, qtyPrecision]): StoredRows => {
    let time = 1_700_000_000_000
    const numbers = rows.map((_, row) => 9_000_000_000 + row * 3)
    const texts = rows.map((_, row) => `\ufeffé-${row}"`)
    const block = {
      length: rows.length,
      time: Float64Array.from(rows, ({ wait }) => (time += wait)),
      price: Float64Array.from(rows, ({ price }) => price),
      qty: Float64Array.from(rows, ({ qty }) => qty),
      side: Uint8Array.from(rows, ({ side }) => side),
      ...(hasDoubts ? { isDoubtful: Uint8Array.from(rows, ({ isDoubtful }) => isDoubtful) } : {}),
      ids: idForm === 'none' ? undefined : idForm === 'numbers' ? Float64Array.from(numbers) : texts,
    }
    return { block, pricePrecision, qtyPrecision }
  })

const candleRow = fc.tuple(
  fc.integer({ min: 1, max: 5 }),
  fc.array(fc.oneof(fc.nat(500), safe), { minLength: 4, maxLength: 4 }),
  fc.nat(),
)
const candles = fc
  .tuple(fc.array(candleRow, { minLength: 1, maxLength: 60 }), decimals, decimals)
  .map(([rows, pricePrecision, qtyPrecision]): StoredRows => {
    let time = 0
    const sorted = rows.map(([, prices]) =>
      prices.map((price) => price + 1 - (price === MAX ? 1 : 0)).sort((a, b) => a - b),
    )
    const column = (at: number): Float64Array => Float64Array.from(sorted, (prices) => prices[at] ?? 0)
    const block = {
      length: rows.length,
      time: Float64Array.from(rows, ([steps]) => (time += steps * 60_000)),
      open: column(1),
      high: column(3),
      low: column(0),
      close: column(2),
      volume: Float64Array.from(rows, ([, , volume]) => volume),
    }
    return { block, pricePrecision, qtyPrecision }
  })

describe('a block', () => {
  it.each([false, true])('of trades or candles comes back as it was, compact: %s', (isCompact) => {
    fc.assert(
      fc.property(fc.oneof(trades, candles), (rows) => {
        const { bytes, checksum } = codec.encode(rows, isCompact)
        expect(codec.decode(bytes, checksum)).toEqual(rows)
      }),
      { numRuns: runs(400) },
    )
  })

  it('of the most rows takes about four bytes a trade', () => {
    const length = MAX_BLOCK_ROWS
    const column = (of: (row: number) => number): Float64Array => Float64Array.from({ length }, (_, row) => of(row))
    const block = {
      length,
      time: column((row) => 1_700_000_000_000 + row * 100),
      price: column((row) => 6_500_000 + (row % 50)),
      qty: column((row) => 1 + (row % 100)),
      side: new Uint8Array(length).fill(1),
      ids: column((row) => 5_000_000_000 + row),
    }
    const { bytes, checksum } = codec.encode({ block, pricePrecision: 2, qtyPrecision: 8 })
    expect(bytes.length / length).toBeLessThan(4)
    expect(codec.decode(bytes, checksum).block).toEqual(block)
  })

  it('with any byte changed, added or gone is refused, and reported by its checksum', () => {
    fc.assert(
      fc.property(fc.oneof(trades, candles), fc.nat(), fc.integer({ min: 1, max: 255 }), (rows, at, change) => {
        const { bytes, checksum } = codec.encode(rows)
        const changed = Uint8Array.from(bytes, (byte, index) => (index === at % bytes.length ? byte ^ change : byte))
        for (const wrong of [changed, bytes.subarray(0, -1), Uint8Array.from([...bytes, 0])]) {
          expect(() => codec.decode(wrong, checksum)).toThrow('its checksum is wrong')
        }
      }),
    )
  })

  it('that somebody made with a right checksum is refused, or has rows that a tape can have', () => {
    let refused = 0
    fc.assert(
      fc.property(fc.oneof(trades, candles), fc.nat(), fc.integer({ min: 1, max: 255 }), (rows, at, change) => {
        const { bytes } = codec.encode(rows)
        const changed = Uint8Array.from(bytes, (byte, index) => (index === at % bytes.length ? byte ^ change : byte))
        try {
          const { block } = codec.decode(changed, crc32(changed))
          expect([...block.time]).toEqual([...block.time].sort((a, b) => a - b))
          const numbers = 'open' in block ? [block.low, block.high] : [block.price, block.qty]
          expect(numbers.every((column) => column.every((value) => Number.isSafeInteger(value) && value > 0))).toBe(
            true,
          )
        } catch (error) {
          if (!(error instanceof BlockFault)) throw error
          refused += 1
        }
      }),
      { numRuns: runs(2000) },
    )
    expect(refused).toBeGreaterThan(200)
  })
})
