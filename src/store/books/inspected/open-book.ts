/**
 * The rows of a recorded book or of quotes in blocks, as often as they are asked for, in the precisions of their market.
 */
import { InputError } from '../../../domain/errors.ts'
import { MAX_PRECISION } from '../../../domain/market.ts'
import type { BookTape, BookTapeInfo } from '../../../tape/book-tape.ts'
import type { DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { TapeWindow } from '../../../tape/tape.ts'
import type { TapePrecisions } from '../../tape-precisions.ts'
import { BookBlocks, type StoredBook } from '../../tapes/blocks/stored-book.ts'
import { largestUnits } from '../../tapes/blocks/stored-market.ts'
import { openBookPlace, type BookPlace } from './book-place.ts'
import { cutDepth, cutQuotes, depthFrom, quotesFrom } from './window-begin.ts'
import type { InspectedBook } from './inspected-book.ts'

// Taken now, because a run puts its own in the place of the global one.
// eslint-disable-next-line papertape/no-clock -- waits for nothing
const { setImmediate: realSetImmediate } = globalThis

/** As when a file is read: signals and timers of the process have their turn between two blocks. */
const turn = (): Promise<void> => new Promise((resolve) => realSetImmediate(resolve))

/**
 * A book, or quotes, whose prices and quantities have the given precisions, which all recordings of one market share.
 *
 * Reading holds a block at a time; each is of arrays of its own. Only blocks that have a row in the window are decoded.
 *
 * @throws {InputError} when it needs more decimals, or has a value that does not fit into a safe integer with these
 */
export function openBook({ info, rows }: InspectedBook, precisions: TapePrecisions): BookTape {
  const { pricePrecision, qtyPrecision } = precisions
  checkPrecision(info.file, 'price', info.pricePrecision, pricePrecision)
  checkPrecision(info.file, 'quantity', info.qtyPrecision, qtyPrecision)
  const { book, close } = openBookPlace(rows)
  checkSizes(book, info.file, precisions)
  close()
  const opened = { ...info, pricePrecision, qtyPrecision }
  return isOfQuotes(opened)
    ? { info: opened, blocks: (window) => whileOpen(rows, opened, (reader) => quoteBlocks(reader, window)) }
    : {
        info: { ...opened, kind: 'depth' },
        blocks: (window) => whileOpen(rows, opened, (reader) => depthBlocks(reader, window)),
      }
}

/** What is read of a book from the first block to the last. */
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

function checkPrecision(file: string, what: string, needed: number, given: number): void {
  if (Number.isInteger(given) && given >= needed && given <= MAX_PRECISION) return
  throw new InputError(file, `expected ${needed} to ${MAX_PRECISION} decimals of the ${what}, got ${given}`)
}

function checkSizes({ entries }: StoredBook, file: string, precisions: TapePrecisions): void {
  const { price, qty } = largestUnits(entries, precisions)
  if (Math.max(price, qty) <= Number.MAX_SAFE_INTEGER) return
  const [what, digits] =
    price > Number.MAX_SAFE_INTEGER ? ['price', precisions.pricePrecision] : ['quantity', precisions.qtyPrecision]
  throw new InputError(file, `expected a ${what} of at most 2^53 - 1 units of 10^-${digits} in every row`)
}

/** Indexes of the blocks that have a row in the window, the first one also where its rows are behind it: it tells what was true before. */
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
  await turn()
  const block = blocks.depth(first)
  const snapshot = window.from === undefined ? undefined : depthFrom(block, blocks.before(first), window.from)
  if (snapshot !== undefined) yield snapshot
  const cut = cutDepth(block, window)
  if (cut.length > 0) yield cut
  for (const index of others) {
    await turn()
    yield cutDepth(blocks.depth(index), window)
  }
}

async function* quoteBlocks(
  { book, blocks }: Reader,
  window: TapeWindow = {},
): AsyncGenerator<QuoteBlock, void, undefined> {
  const [first, ...others] = indexesIn(book, window)
  if (first === undefined) return
  await turn()
  const block = blocks.quotes(first)
  const before = first > 0 ? (): QuoteBlock => blocks.quotes(first - 1) : undefined
  const last = window.from === undefined ? undefined : quotesFrom(block, before, window.from)
  if (last !== undefined) yield last
  const cut = cutQuotes(block, window)
  if (cut.length > 0) yield cut
  for (const index of others) {
    await turn()
    yield cutQuotes(blocks.quotes(index), window)
  }
}
