/**
 * Rows of a block, without a copy of its columns of numbers.
 */
import { isCandleBlock, type RecordedBlock } from '../../../tape/tape.ts'

/** The rows from `start` up to `end`, exclusive; the columns are views of those of the block, cut to these rows. */
export function blockSlice(block: RecordedBlock, start: number, end: number): RecordedBlock {
  const cut = (column: Float64Array): Float64Array => column.subarray(start, end)
  const length = end - start
  if (isCandleBlock(block)) {
    const { time, open, high, low, close, volume } = block
    return {
      length,
      time: cut(time),
      open: cut(open),
      high: cut(high),
      low: cut(low),
      close: cut(close),
      volume: cut(volume),
    }
  }
  const { time, price, qty, side, isDoubtful, ids } = block
  return {
    length,
    time: cut(time),
    price: cut(price),
    qty: cut(qty),
    side: side.subarray(start, end),
    ...(isDoubtful !== undefined && { isDoubtful: isDoubtful.subarray(start, end) }),
    ids: ids instanceof Float64Array ? cut(ids) : ids?.slice(start, end),
  }
}
