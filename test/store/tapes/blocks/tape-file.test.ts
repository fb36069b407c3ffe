import { existsSync, readFileSync, truncateSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { TapeFile, TapeFileWriter } from '../../../../src/store/tapes/blocks/tape-file.ts'
import type { TapeHead } from '../../../../src/store/tapes/blocks/stored-market.ts'
import type { StoredRows } from '../../../../src/store/tapes/blocks/block-codec.ts'
import { temporaryFiles } from '../../rig/temporary-files.ts'

const { folder } = temporaryFiles()
let files = 0
const fresh = (): string => join(folder, `tape-${(files += 1)}.tape`)

const HEAD: TapeHead = { symbol: 'BTC_USD', kind: 'trades', intervalMs: null, hasConditions: false }
const GAPS = [{ from: 900, to: 1000, why: 'the line was cut, once' }]

/** Ten trades, 100 ms apart. */
const blockFrom = (time: number): StoredRows => {
  const column = (of: (row: number) => number): Float64Array => Float64Array.from({ length: 10 }, (_, row) => of(row))
  return {
    block: {
      length: 10,
      time: column((row) => time + row * 100),
      price: column((row) => 100 + row),
      qty: column((row) => 1 + row),
      side: new Uint8Array(10).fill(1),
      ids: column((row) => time / 100 + row),
    },
    pricePrecision: 2,
    qtyPrecision: 3,
  }
}
const BLOCKS = [0, 1000, 2000].map(blockFrom)

function written(isCompact = false): string {
  const file = fresh()
  const writer = new TapeFileWriter(file, isCompact)
  for (const rows of BLOCKS) writer.add(rows)
  expect(existsSync(file)).toBe(false)
  writer.finish(HEAD, GAPS)
  return file
}

function read(file: string): readonly StoredRows[] {
  const tape = new TapeFile(file)
  try {
    return tape.entries.map((_, index) => tape.read(index))
  } finally {
    tape.close()
  }
}

describe('a .tape file', () => {
  it.each([false, true])('gives back what was written, compact: %s', (isCompact) => {
    const file = written(isCompact)
    expect(read(file)).toEqual(BLOCKS)
    const tape = new TapeFile(file)
    expect([tape.head, tape.gaps]).toEqual([HEAD, GAPS])
    expect(tape.entries.map(({ first, lastId }) => [first, lastId])).toEqual([[0, 9], [1000, 19], [2000, 29]]) // prettier-ignore
    tape.close()
  })

  it('that was cut anywhere is refused', () => {
    const whole = readFileSync(written())
    for (let length = 0; length < whole.length; length += 1) {
      const file = join(folder, 'cut.tape')
      writeFileSync(file, whole)
      truncateSync(file, length)
      expect(() => read(file), String(length)).toThrow(/is not a \.tape file|is incomplete|was written by a newer/)
    }
  })

  it('with a byte changed is refused by its name, or names its block', () => {
    const whole = readFileSync(written())
    fc.assert(
      fc.property(fc.nat(whole.length - 1), fc.integer({ min: 1, max: 255 }), (at, change) => {
        const file = join(folder, 'changed.tape')
        writeFileSync(
          file,
          whole.map((byte, index) => (index === at ? byte ^ change : byte)),
        )
        expect(() => read(file)).toThrow(
          /changed\.tape: (is not a \.tape file|is incomplete|was written by a newer|block \d of 3: is damaged)/,
        )
      }),
      { numRuns: 500 },
    )
  })

  it('that was begun and given up leaves nothing', () => {
    const file = fresh()
    const writer = new TapeFileWriter(file)
    writer.add(blockFrom(0))
    writer.abandon()
    expect([existsSync(file), existsSync(`${file}.partial`)]).toEqual([false, false])
  })
})
