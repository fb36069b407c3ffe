import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InputError } from '../../../../src/domain/errors.ts'
import { BlockCodec, type StoredRows } from '../../../../src/store/tapes/blocks/block-codec.ts'
import type { EncodedBlock } from '../../../../src/store/tapes/blocks/sealed-block.ts'
import { entryOf, type BlockEntry } from '../../../../src/store/tapes/blocks/block-entry.ts'
import { mergeMarket, type IncomingMarket } from '../../../../src/store/tapes/imports/merge-market.ts'
import { isCandleBlock } from '../../../../src/tape/tape.ts'

function law<Values extends [unknown, ...unknown[]]>(
  title: string,
  numRuns: number,
  arbitraries: { [Index in keyof Values]: fc.Arbitrary<Values[Index]> },
  check: (...values: Values) => void,
): void {
  it(title, () => {
    fc.assert(
      fc.property(fc.tuple(...(arbitraries as fc.Arbitrary<unknown>[])), (values) => {
        check(...(values as Values))
      }),
      { numRuns },
    )
  })
}

interface Row {
  readonly time: number
  /** Undefined for a tape without ids. */
  readonly id: number | string | undefined
  readonly price: number
}

function at<Item>(list: readonly Item[], index: number): Item {
  const item = list[index]
  if (item === undefined) throw new Error(`no item ${index}`)
  return item
}

const codec = new BlockCodec()
const HEAD = { symbol: 'BTC_USD', kind: 'trades', intervalMs: null, hasConditions: false } as const

interface Block {
  readonly entry: BlockEntry
  readonly encoded: EncodedBlock
}

function blockOf(rows: readonly Row[], pricePrecision: number): Block {
  const [first] = rows
  const ids =
    first?.id === undefined
      ? undefined
      : typeof first.id === 'number'
        ? Float64Array.from(rows, ({ id }) => Number(id))
        : rows.map(({ id }) => String(id))
  const stored: StoredRows = {
    block: {
      length: rows.length,
      time: Float64Array.from(rows, ({ time }) => time),
      price: Float64Array.from(rows, ({ price }) => price * 10 ** pricePrecision),
      qty: Float64Array.from(rows, () => 1),
      side: Uint8Array.from(rows, () => 1),
      ids,
    },
    pricePrecision,
    qtyPrecision: 0,
  }
  return written(stored)
}

const written = (rows: StoredRows): Block => {
  const encoded = codec.encode(rows)
  return { entry: entryOf(rows, encoded), encoded }
}

function marketOf(blocks: readonly Block[]): IncomingMarket {
  return {
    head: HEAD,
    gaps: undefined,
    sha256: '',
    entries: blocks.map(({ entry }) => entry),
    read: (index) => {
      const { encoded } = at(blocks, index)
      return codec.decode(encoded.bytes, encoded.checksum)
    },
    encoded: (index) => blocks[index]?.encoded,
  }
}

/** Rows in blocks of the given sizes, again and again. */
function cut(rows: readonly Row[], sizes: readonly number[], precision: number): readonly Block[] {
  const blocks: Block[] = []
  for (let at = 0, turn = 0; at < rows.length; turn += 1) {
    const size = sizes[turn % sizes.length] ?? 1
    blocks.push(blockOf(rows.slice(at, at + size), precision))
    at += size
  }
  return blocks
}

function merged(stored: readonly Block[], incoming: readonly Block[]) {
  const next: Block[] = []
  const dropped: number[] = []
  const counts = mergeMarket('file.csv', marketOf(stored), marketOf(incoming), {
    keep: (index) => next.push(at(stored, index)),
    drop: (index) => dropped.push(index),
    add: (rows) => next.push(written({ ...rows, block: structuredClone(rows.block) })),
    addEncoded: (entry, encoded) => next.push({ entry, encoded }),
  })
  return { blocks: next, counts, dropped }
}

function rowsOf(blocks: readonly Block[]): Row[] {
  return blocks.flatMap(({ encoded }) => {
    const { block, pricePrecision } = codec.decode(encoded.bytes, encoded.checksum)
    if (isCandleBlock(block)) throw new Error('trades')
    return Array.from({ length: block.length }, (_, row) => ({
      time: block.time[row] ?? 0,
      id: block.ids?.[row],
      price: (block.price[row] ?? 0) / 10 ** pricePrecision,
    }))
  })
}

/** The same by the simplest way: every row looked for among all. */
function twin(
  stored: readonly Row[],
  incoming: readonly Row[],
): { readonly rows: readonly Row[]; readonly imported: number } {
  const left = [...stored]
  const added = incoming.filter((row) => {
    const at = left.findIndex((each) => each.time === row.time && each.id === row.id && each.price === row.price)
    if (at < 0) return true
    left.splice(at, 1)
    return false
  })
  return { rows: [...stored, ...added], imported: added.length }
}

const reported = (rows: readonly Row[]): readonly string[] =>
  rows.map(({ time, id, price }) => `${time} ${id ?? '-'} ${price}`).toSorted()

/** Trades of a market in the order of time, many of them in one moment. */
const tape = (withId: (index: number) => number | string | undefined) =>
  fc
    .array(fc.record({ step: fc.constantFrom(0, 0, 0, 1, 5), price: fc.integer({ min: 1, max: 3 }) }), {
      minLength: 1,
      maxLength: 60,
    })
    .map((rows) => {
      let time = 1000
      return rows.map(({ step, price }, index): Row => ({ time: (time += step), id: withId(index), price }))
    })

const sizes = fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1, maxLength: 4 })
const precision = fc.integer({ min: 0, max: 3 })
const corners = { apart: 0, within: 0, same: 0, sameMoment: 0 }

describe.each([
  ['integer ids', (index: number) => index * 2 + 1],
  ['text ids', (index: number) => `t${index}`],
])('trades with %s', (_, withId) => {
  const files = tape(withId).chain((rows) =>
    fc.record({
      rows: fc.constant(rows),
      files: fc.array(
        fc.subarray(
          rows.map((__, index) => index),
          { minLength: 1 },
        ),
        { minLength: 1, maxLength: 5 },
      ),
    }),
  )

  law(
    'come to the same tape whatever files of it are imported in whatever order',
    400,
    [files, sizes, precision, precision],
    ({ rows, files: parts }, blockSizes, one, other) => {
      let blocks: readonly Block[] = []
      const seen = new Set<number>()
      for (const [turn, part] of parts.entries()) {
        const fresh = part.filter((index) => !seen.has(index))
        const incoming = cut(
          part.map((index) => at(rows, index)),
          blockSizes,
          turn % 2 === 0 ? one : other,
        )
        const result = merged(blocks, incoming)
        expect(result.counts).toEqual({ imported: fresh.length, duplicates: part.length - fresh.length })
        if (fresh.length === 0) corners.same += 1
        if (result.dropped.length === 0) corners.apart += 1
        else corners.within += 1
        blocks = result.counts.imported === 0 ? blocks : result.blocks
        for (const index of part) seen.add(index)
        const expected = [...seen].toSorted((a, b) => a - b).map((index) => at(rows, index))
        const found = rowsOf(blocks)
        if (new Set(expected.map(({ time }) => time)).size < expected.length) corners.sameMoment += 1
        // Text ids of one moment have no order of their own.
        if (typeof rows[0]?.id === 'number') expect(found).toEqual(expected)
        else expect(reported(found)).toEqual(reported(expected))
        expect(found.map(({ time }) => time)).toEqual(expected.map(({ time }) => time))
      }
    },
  )

  law(
    'that contradict a stored one are refused, and nothing is given to the tape behind it',
    200,
    [tape(withId), sizes, fc.nat()],
    (rows, blockSizes, turn) => {
      const stored = cut(rows, blockSizes, 0)
      const other = rows.map((row, index) => (index === turn % rows.length ? { ...row, price: row.price + 1 } : row))
      expect(() => merged(stored, cut(other, blockSizes, 0))).toThrow(InputError)
      expect(() => merged(stored, cut(other, blockSizes, 0))).toThrow(
        /^file\.csv: expected the trade with the id .* as it is there already/,
      )
    },
  )
})

describe('trades without ids', () => {
  law(
    'are there as often as in the file that has more of them, moment by moment',
    400,
    [tape(() => undefined), tape(() => undefined), sizes, precision, precision],
    (one, other, blockSizes, first, second) => {
      const stored = merged([], cut(one, blockSizes, first)).blocks
      const result = merged(stored, cut(other, blockSizes, second))
      const expected = twin(one, other)
      expect(result.counts).toEqual({ imported: expected.imported, duplicates: other.length - expected.imported })
      expect(reported(rowsOf(result.blocks))).toEqual(reported(expected.rows))
      const times = rowsOf(result.blocks).map(({ time }) => time)
      expect(times).toEqual(times.toSorted((a, b) => a - b))
    },
  )

  law('come once when a file comes twice', 100, [tape(() => undefined), sizes], (rows, blockSizes) => {
    const stored = merged([], cut(rows, blockSizes, 2)).blocks
    expect(merged(stored, cut(rows, [7], 0)).counts).toEqual({ imported: 0, duplicates: rows.length })
  })

  law(
    'do not go with such as have some',
    100,
    [tape(() => undefined), tape((index) => index), sizes],
    (plain, named, blockSizes) => {
      expect(() => merged(cut(plain, blockSizes, 0), cut(named, blockSizes, 0))).toThrow(
        'expected rows with no ids, as the tape of BTC_USD has them, got ids that are integers up to 2^53 - 1',
      )
    },
  )
})

describe('the properties', () => {
  it('reach their corners', () => {
    for (const [corner, count] of Object.entries(corners)) expect(count, corner).toBeGreaterThan(20)
  })
})
