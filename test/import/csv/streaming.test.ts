import { describe, expect, it } from 'vitest'
import { readRows } from '../../../src/import/csv/read-rows.ts'
import { invariant } from '../../../src/domain/errors.ts'
import { RowIntake } from '../../../src/import/csv/row-intake.ts'
import { BLOCK_ROWS } from '../../../src/import/csv/row-sink.ts'
import { wholeLines } from '../../../src/import/csv/whole-lines.ts'

const CHUNK_ROWS = 5000

/** A file without end, and how many rows of it have been asked for. */
function endless(row: (id: number) => string): {
  readonly chunks: AsyncGenerator<Buffer>
  readonly given: () => number
} {
  let given = 0
  async function* chunks(): AsyncGenerator<Buffer> {
    yield Buffer.from('id,time_ms,price,qty\n')
    for (;;) {
      if (given > 20 * BLOCK_ROWS) throw new Error('the file without end is read without end')
      const rows = Array.from({ length: CHUNK_ROWS }, (_, index) => row(given + index + 1))
      given += CHUNK_ROWS
      yield await Promise.resolve(Buffer.from(rows.join('')))
    }
  }
  return { chunks: chunks(), given: () => given }
}

describe('reading', () => {
  it.each`
    way               | row
    ${'plain rows'}   | ${(id: number) => `${id},${id},1.5,1\n`}
    ${'unusual rows'} | ${(id: number) => `${id},${id},15e-1,1\n`}
    ${'quoted rows'}  | ${(id: number) => `"${id}",${id},1.5,1\n`}
  `('a file without end gives its blocks as it goes: $way', async ({ row }: { row: (id: number) => string }) => {
    const { chunks, given } = endless(row)
    const intake = new RowIntake({ file: 'endless.csv', symbol: 'BTC_USD', pricePrecision: 1, qtyPrecision: 0 })
    let taken = 0
    for await (const rows of readRows('endless.csv', wholeLines('endless.csv', chunks), intake)) {
      const block = rows.takeBlock()
      invariant('ids' in block, 'rows of trades')
      const { length, ids } = block
      expect([length, ids?.[0], ids?.[length - 1]]).toEqual([BLOCK_ROWS, taken + 1, taken + BLOCK_ROWS])
      taken += length
      // What was read ahead is less than two chunks, however many blocks were taken.
      expect(given() - taken).toBeLessThan(2 * CHUNK_ROWS)
      if (taken === 5 * BLOCK_ROWS) break
    }
    expect(taken).toBe(5 * BLOCK_ROWS)
  })
})
