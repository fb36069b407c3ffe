/** The rows of one block in the order of time. */
import { isCandleBlock, type RecordedBlock } from '../../../tape/tape.ts'

/** True when no row is later than the one before it, and one is earlier: as a file that begins with the newest. */
function isFalling({ time, length }: RecordedBlock): boolean {
  for (let row = 1; row < length; row += 1) if ((time[row] ?? 0) > (time[row - 1] ?? 0)) return false
  return (time[0] ?? 0) > (time[length - 1] ?? 0)
}

/**
 * Copy in time order; rows of one moment by numeric id, otherwise in original order, reversed if a block of trades is
 * descending.
 */
export function sortedBlock(block: RecordedBlock): RecordedBlock {
  const { time, length } = block
  const ids = !isCandleBlock(block) && block.ids instanceof Float64Array ? block.ids : undefined
  const order = Uint32Array.from({ length }, (_, row) => row)
  const direction = !isCandleBlock(block) && isFalling(block) ? -1 : 1
  order.sort((one, other) => {
    const byTime = (time[one] ?? 0) - (time[other] ?? 0)
    if (byTime !== 0) return byTime
    const byId = ids === undefined ? 0 : (ids[one] ?? 0) - (ids[other] ?? 0)
    return byId !== 0 ? byId : direction * (one - other)
  })
  return inOrder(block, order)
}

function inOrder(block: RecordedBlock, order: Uint32Array): RecordedBlock {
  const { length } = order
  const column = (of: Float64Array): Float64Array => Float64Array.from(order, (row) => of[row] ?? 0)
  if (isCandleBlock(block)) {
    const { time, open, high, low, close, volume } = block
    return {
      length,
      time: column(time),
      open: column(open),
      high: column(high),
      low: column(low),
      close: column(close),
      volume: column(volume),
    }
  }
  const { time, price, qty, side, isDoubtful, ids } = block
  return {
    length,
    time: column(time),
    price: column(price),
    qty: column(qty),
    side: Uint8Array.from(order, (row) => side[row] ?? 0),
    ...(isDoubtful !== undefined && { isDoubtful: Uint8Array.from(order, (row) => isDoubtful[row] ?? 0) }),
    ids: ids instanceof Float64Array ? column(ids) : ids && Array.from(order, (row) => ids[row] ?? ''),
  }
}
