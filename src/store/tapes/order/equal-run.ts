/**
 * Rows that are the same in two blocks, compared column by column.
 */
import { isCandleBlock, type CandleBlock, type TapeBlock } from '../../../tape/tape.ts'
import type { RowAt } from './row-cursor.ts'

/**
 * Number of equal rows from both positions on, value by value, in the same order.
 *
 * Invariant: it covers whole moments, so the next row begins a moment in both blocks; integer ids among them rise. Rows
 * of a moment at the end of a block are not counted, because the next block may have more of it.
 *
 * @param one    the first row of a moment
 * @param other  the same, of a block in the same precisions
 */
export function equalRun(one: RowAt, other: RowAt): number {
  const [a, b] = [one.rows.block, other.rows.block]
  const most = Math.min(a.length - one.row, b.length - other.row)
  let count = 0
  if (isCandleBlock(a)) count = isCandleBlock(b) ? equalCandles(a, one.row, b, other.row, most) : 0
  else if (!isCandleBlock(b)) count = equalTrades(a, one.row, b, other.row, most)
  while (count > 0 && !(beginsMoment(one, count) && beginsMoment(other, count))) count -= 1
  return count
}

function beginsMoment({ rows: { block }, row }: RowAt, count: number): boolean {
  const at = row + count
  return at < block.length && block.time[at] !== block.time[at - 1]
}

function equalCandles(a: CandleBlock, atA: number, b: CandleBlock, atB: number, most: number): number {
  let count = equalColumn(a.time, atA, b.time, atB, most)
  count = equalColumn(a.open, atA, b.open, atB, count)
  count = equalColumn(a.high, atA, b.high, atB, count)
  count = equalColumn(a.low, atA, b.low, atB, count)
  count = equalColumn(a.close, atA, b.close, atB, count)
  return equalColumn(a.volume, atA, b.volume, atB, count)
}

function equalTrades(a: TapeBlock, atA: number, b: TapeBlock, atB: number, most: number): number {
  let count = equalIds(a, atA, b, atB, most)
  count = equalColumn(a.time, atA, b.time, atB, count)
  count = equalColumn(a.price, atA, b.price, atB, count)
  count = equalColumn(a.qty, atA, b.qty, atB, count)
  count = equalColumn(a.side, atA, b.side, atB, count)
  if (a.isDoubtful === undefined && b.isDoubtful === undefined) return count
  let row = 0
  while (row < count && (a.isDoubtful?.[atA + row] ?? 0) === (b.isDoubtful?.[atB + row] ?? 0)) row += 1
  return row
}

function equalIds(a: TapeBlock, atA: number, b: TapeBlock, atB: number, most: number): number {
  if (a.ids === undefined || b.ids === undefined) return a.ids === b.ids ? most : 0
  if (a.ids instanceof Float64Array) {
    return b.ids instanceof Float64Array ? rising(a.ids, atA, equalColumn(a.ids, atA, b.ids, atB, most)) : 0
  }
  let row = 0
  while (row < most && a.ids[atA + row] === b.ids[atB + row]) row += 1
  return row
}

/** Number of rows before the first id that is not above the previous one. */
function rising(ids: Float64Array, start: number, count: number): number {
  for (let row = 1; row < count; row += 1) {
    if ((ids[start + row] ?? 0) <= (ids[start + row - 1] ?? 0)) return row
  }
  return count
}

type Column = Float64Array | Uint8Array

function equalColumn<Of extends Column>(a: Of, atA: number, b: Of, atB: number, most: number): number {
  for (let row = 0; row < most; row += 1) if (a[atA + row] !== b[atB + row]) return row
  return most
}
