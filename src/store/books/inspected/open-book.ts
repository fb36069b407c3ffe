/** Rows of a recorded book or of quotes in blocks, readable repeatedly, in the precisions of their market. */
import type { BookTape, BookTapeInfo } from '../../../tape/book-tape.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { TapeWindow } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { BookBlocks, type StoredBook } from '../../tapes/blocks/stored-book.ts'
import { blockTurn } from '../../tapes/block-turn.ts'
import { checkLargest, checkPrecisions } from '../../tapes/opened-precisions.ts'
import { openBookPlace, type BookPlace } from './book-place.ts'
import { cutDepth, cutQuotes, depthFrom, quotesFrom } from './window-begin.ts'
import type { InspectedBook } from './inspected-book.ts'

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
