/**
 * The part of a tape between two moments.
 */
import type { Tape, TapeBlock } from './tape.ts'

/** Unix milliseconds, `from` inclusive, `to` exclusive; without them, the tape's own beginning and end. */
export interface TapeWindow {
  readonly from?: number
  readonly to?: number
}

/**
 * A tape whose blocks hold only the rows inside the window; `info` still describes the whole.
 *
 * What lies behind the window is read too and passed over, for a tape proves only at its end that it has not changed.
 */
export function restrictTape(tape: Tape, window: TapeWindow): Tape {
  const { from = -Infinity, to = Infinity } = window
  return { info: tape.info, blocks: () => trimmedBlocks(tape, from, to) }
}

async function* trimmedBlocks(tape: Tape, from: number, to: number): AsyncGenerator<TapeBlock, void, undefined> {
  for await (const block of tape.blocks()) {
    const start = firstRowFrom(block, from)
    const end = firstRowFrom(block, to)
    if (end > start) yield start === 0 && end === block.length ? block : sliceBlock(block, start, end)
  }
}

/** Index of the first row at or after `time`; the block's length when all are before it. */
function firstRowFrom(block: TapeBlock, time: number): number {
  let low = 0
  let high = block.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((block.time[middle] ?? Infinity) < time) low = middle + 1
    else high = middle
  }
  return low
}

/** Views of the same columns, where a column allows it. */
const sliceBlock = (block: TapeBlock, start: number, end: number): TapeBlock => ({
  length: end - start,
  time: block.time.subarray(start, end),
  price: block.price.subarray(start, end),
  qty: block.qty.subarray(start, end),
  side: block.side.subarray(start, end),
  ...(block.isDoubtful === undefined ? {} : { isDoubtful: block.isDoubtful.subarray(start, end) }),
  ...(block.candleTime === undefined ? {} : { candleTime: block.candleTime.subarray(start, end) }),
  ids: block.ids instanceof Float64Array ? block.ids.subarray(start, end) : block.ids?.slice(start, end),
})
