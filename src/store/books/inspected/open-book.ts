/** Rows of a recorded book or of quotes in blocks, readable repeatedly, in the precisions of their market. */
import type { BookTape, BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookState } from '../../../tape/book/book-state.ts'
import { RecordedBook } from '../../../tape/book/recorded-book.ts'
import { snapshotOfState } from '../../../tape/book/snapshot-of-state.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import { cutFalls, NO_FALLS } from '../../../tape/order-falls.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import type { TapeWindow } from '../../../tape/tape.ts'
import { firstRowFrom, type TimedRows } from '../../../tape/window.ts'
import { blockTurn, checkLargest, checkPrecisions } from '../../tapes/opened-precisions.ts'
import { BookBlocks, type StoredBook } from '../../tapes/blocks/stored-book.ts'
import { type BookPlace, type InspectedBook, openBookPlace } from './inspected-book.ts'

/**
 * Block from a moment on, beginning with a snapshot of the book at that moment; undefined if it is not known.
 *
 * @param block   the first that has a row from the moment on
 * @param before  the book before its first row
 * @param from    Unix milliseconds
 */
function depthFrom(block: DepthBlock, before: BookState, from: number): DepthBlock | undefined {
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
function quotesFrom(block: QuoteBlock, before: (() => QuoteBlock) | undefined, from: number): QuoteBlock | undefined {
  const start = firstRowFrom(block, from)
  const source = start > 0 ? block : before?.()
  if (source === undefined) return undefined
  const row = start > 0 ? start - 1 : source.length - 1
  return { ...sliceQuotes(source, row, row + 1), time: Float64Array.of(from) }
}

/** Whole frames, for the rows of one have one time. */
function cutDepth(block: DepthBlock, window: TapeWindow): DepthBlock {
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

/** Cuts a block at a window's start, and prepends the state at that time. */
function cutQuotes(block: QuoteBlock, window: TapeWindow): QuoteBlock {
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

/**
 * A book, or quotes, whose prices and quantities have the given precisions, which all recordings of one market share.
 *
 * Reading holds a block at a time; each is of arrays of its own. Only blocks that have a row in the window are decoded.
 *
 * @throws {InputError} when it needs more decimals, or has a value that does not fit into a safe integer with these
 */
export function openBook({ info, rows }: InspectedBook, precisions: TapePrecisions): BookTape {
  checkPrecisions(info, precisions)
  const { book, close } = openBookPlace(rows)
  checkLargest(info.file, book.entries, precisions)
  close()
  const { pricePrecision, qtyPrecision } = precisions
  const opened = { ...info, pricePrecision, qtyPrecision }
  return isOfQuotes(opened)
    ? { info: opened, blocks: (window) => whileOpen(rows, opened, (reader) => quoteBlocks(reader, window)) }
    : {
        info: { ...opened, kind: 'depth' },
        blocks: (window) => whileOpen(rows, opened, (reader) => depthBlocks(reader, window)),
      }
}

/** Reader of the blocks of a stored book. */
interface Reader {
  readonly book: StoredBook
  readonly blocks: BookBlocks
}

async function* whileOpen<Block>(
  rows: BookPlace,
  { file, ...precisions }: BookTapeInfo,
  read: (reader: Reader) => AsyncIterable<Block>,
): AsyncGenerator<Block, void, undefined> {
  const { book, close } = openBookPlace(rows)
  try {
    yield* read({ book, blocks: new BookBlocks(book, file, precisions) })
  } finally {
    close()
  }
}

const isOfQuotes = (info: BookTapeInfo): info is BookTapeInfo & { readonly kind: 'quotes' } => info.kind === 'quotes'

/**
 * Indexes of the blocks for a window: the first one also if all its rows are after the window's start, for the state
 * before it.
 */
const indexesIn = (
  { entries }: StoredBook,
  { from = Number.NEGATIVE_INFINITY, to = Number.POSITIVE_INFINITY }: TapeWindow,
): readonly number[] => {
  const first = entries.findIndex(({ last }) => last >= from)
  if (first < 0) return []
  const isBehind = entries.findIndex((entry, index) => index > first && entry.first >= to)
  const end = isBehind < 0 ? entries.length : isBehind
  return Array.from({ length: end - first }, (_, at) => first + at)
}

async function* depthBlocks(
  { book, blocks }: Reader,
  window: TapeWindow = {},
): AsyncGenerator<DepthBlock, void, undefined> {
  const [first, ...others] = indexesIn(book, window)
  if (first === undefined) return
  await blockTurn()
  const block = blocks.depth(first)
  const snapshot = window.from === undefined ? undefined : depthFrom(block, blocks.before(first), window.from)
  if (snapshot !== undefined) yield snapshot
  const cut = cutDepth(block, window)
  if (cut.length > 0) yield cut
  for (const index of others) {
    await blockTurn()
    yield cutDepth(blocks.depth(index), window)
  }
}

async function* quoteBlocks(
  { book, blocks }: Reader,
  window: TapeWindow = {},
): AsyncGenerator<QuoteBlock, void, undefined> {
  const [first, ...others] = indexesIn(book, window)
  if (first === undefined) return
  await blockTurn()
  const block = blocks.quotes(first)
  const before = first > 0 ? (): QuoteBlock => blocks.quotes(first - 1) : undefined
  const last = window.from === undefined ? undefined : quotesFrom(block, before, window.from)
  if (last !== undefined) yield last
  const cut = cutQuotes(block, window)
  if (cut.length > 0) yield cut
  for (const index of others) {
    await blockTurn()
    yield cutQuotes(blocks.quotes(index), window)
  }
}
