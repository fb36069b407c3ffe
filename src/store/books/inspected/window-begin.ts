/** Cuts a block at a window's start, and prepends the state at that time. */
import type { BookState } from '../../../tape/book/book-state.ts'
import { RecordedBook } from '../../../tape/book/recorded-book.ts'
import { snapshotOfState } from '../../../tape/book/snapshot-of-state.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { TapeWindow } from '../../../tape/tape.ts'
import { cutFalls, NO_FALLS } from '../../../tape/order-falls.ts'
import { firstRowFrom, type TimedRows } from '../../../tape/window.ts'

/**
 * Block from a moment on, beginning with a snapshot of the book at that moment; undefined if it is not known.
 *
 * @param block   the first that has a row from the moment on
 * @param before  the book before its first row
 * @param from    Unix milliseconds
 */
export function depthFrom(block: DepthBlock, before: BookState, from: number): DepthBlock | undefined {
  const start = firstRowFrom(block, from)
  const state = start === 0 ? before : stateAfter(block, before, start)
  if (!state.isKnown) return undefined
  const snapshot = snapshotOfState(state, from)
  return block.falls === undefined ? snapshot : { ...snapshot, falls: NO_FALLS }
}

function stateAfter(block: DepthBlock, before: BookState, end: number): BookState {
  const book = new RecordedBook()
  book.restore(before)
  book.apply(block, 0, end)
  return book.state()
}

/**
 * Block from a moment on, beginning with the last quote before it; undefined if there is none.
 *
 * @param block   the first that has a row from the moment on
 * @param before  returns the block before it; undefined if there is none
 * @param from    Unix milliseconds
 */
export function quotesFrom(
  block: QuoteBlock,
  before: (() => QuoteBlock) | undefined,
  from: number,
): QuoteBlock | undefined {
  const start = firstRowFrom(block, from)
  const source = start > 0 ? block : before?.()
  if (source === undefined) return undefined
  const row = start > 0 ? start - 1 : source.length - 1
  return { ...sliceQuotes(source, row, row + 1), time: Float64Array.of(from) }
}

/** Whole frames, for the rows of one have one time. */
export function cutDepth(block: DepthBlock, window: TapeWindow): DepthBlock {
  const [start, end] = rowsIn(block, window)
  if (end - start === block.length) return block
  const { time, flags, side, price, qty, falls } = block
  return {
    length: end - start,
    time: time.subarray(start, end),
    flags: flags.subarray(start, end),
    side: side.subarray(start, end),
    price: price.subarray(start, end),
    qty: qty.subarray(start, end),
    ...(falls === undefined ? {} : { falls: cutFalls(falls, start, end) }),
  }
}

export function cutQuotes(block: QuoteBlock, window: TapeWindow): QuoteBlock {
  const [start, end] = rowsIn(block, window)
  return end - start === block.length ? block : sliceQuotes(block, start, end)
}

const sliceQuotes = ({ time, bid, bidQty, ask, askQty }: QuoteBlock, start: number, end: number): QuoteBlock => ({
  length: end - start,
  time: time.subarray(start, end),
  bid: bid.subarray(start, end),
  bidQty: bidQty.subarray(start, end),
  ask: ask.subarray(start, end),
  askQty: askQty.subarray(start, end),
})

const rowsIn = (block: TimedRows, { from = -Infinity, to = Infinity }: TapeWindow): readonly [number, number] => {
  const start = firstRowFrom(block, from)
  return [start, Math.max(start, firstRowFrom(block, to))]
}
