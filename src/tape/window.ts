/** The part of a tape between two moments. */
import { firstIndex } from '../domain/first-index.ts'
import type { BookTape, DepthTape } from './book-tape.ts'
import { isCandleBlock, type RecordedBlock, type Tape, type TapeWindow } from './tape.ts'

/**
 * A tape whose blocks hold only the rows inside the window; `info` still describes the whole.
 *
 * A plain file is read beyond the window to its end, because only there can it be verified that it has not changed.
 */
export function restrictTape(tape: Tape, window: TapeWindow): Tape {
  const { from = -Infinity, to = Infinity } = window
  return { info: tape.info, gaps: tape.gaps, blocks: () => trimmedBlocks(tape, from, to) }
}

/** A recorded book, or quotes, that has only the rows inside the window; `info` still describes the whole. */
export const restrictBook = (book: BookTape, window: TapeWindow): BookTape =>
  isDepthTape(book)
    ? { info: book.info, blocks: (inner) => book.blocks(bothOf(window, inner)) }
    : { info: book.info, blocks: (inner) => book.blocks(bothOf(window, inner)) }

const isDepthTape = (book: BookTape): book is DepthTape => book.info.kind === 'depth'

const bothOf = (one: TapeWindow, other: TapeWindow = {}): TapeWindow => ({
  from: Math.max(one.from ?? -Infinity, other.from ?? -Infinity),
  to: Math.min(one.to ?? Infinity, other.to ?? Infinity),
})

async function* trimmedBlocks(tape: Tape, from: number, to: number): AsyncGenerator<RecordedBlock, void, undefined> {
  for await (const block of tape.blocks({ from, to })) {
    const start = firstRowFrom(block, from)
    const end = firstRowFrom(block, to)
    if (end > start) yield start === 0 && end === block.length ? block : sliceBlock(block, start, end)
  }
}

/** Rows in the order of their times, in Unix milliseconds. */
export type TimedRows = Pick<RecordedBlock, 'length' | 'time'>

/** Index of the first row at or after a moment, from `start` on; the length when all are before it. */
export const firstRowFrom = ({ time, length }: TimedRows, from: number, start = 0): number =>
  firstIndex(start, length, (row) => (time[row] ?? Infinity) >= from)

/** The rows from `start` up to `end`, exclusive: views of the same columns where possible. */
export function sliceBlock(block: RecordedBlock, start: number, end: number): RecordedBlock {
  const view = (column: Float64Array): Float64Array => column.subarray(start, end)
  const length = end - start
  const time = view(block.time)
  if (isCandleBlock(block)) {
    const { open, high, low, close, volume, end: ends } = block
    return {
      length,
      time,
      open: view(open),
      high: view(high),
      low: view(low),
      close: view(close),
      volume: view(volume),
      ...(ends !== undefined && { end: view(ends) }),
    }
  }
  return {
    length,
    time,
    price: view(block.price),
    qty: view(block.qty),
    side: block.side.subarray(start, end),
    ...(block.isDoubtful === undefined ? {} : { isDoubtful: block.isDoubtful.subarray(start, end) }),
    ids: block.ids instanceof Float64Array ? view(block.ids) : block.ids?.slice(start, end),
  }
}
