/**
 * A recorded book, or recorded quotes, from a first pass, stored as encoded blocks.
 *
 * Plain data, as the blocks are.
 */
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import { depthEntryOf, quoteEntryOf, type BookEntry, type BookHead } from './blocks/book-entry.ts'
import { DepthCodec, type StoredDepth } from './blocks/depth-codec.ts'
import { QuoteCodec, type StoredQuotes } from './blocks/quote-codec.ts'
import type { StoredBook } from './blocks/stored-book.ts'
import { BlockSpool, spooledBytes, type SpooledBlocks, type SpoolRoom } from './block-spool.ts'

export interface SpooledBook extends SpooledBlocks<BookEntry> {
  readonly head: BookHead
}

/** Rows of one kind as a pass gives them. */
export type SpooledPart = ({ readonly kind: 'depth' } & StoredDepth) | ({ readonly kind: 'quotes' } & StoredQuotes)

/** Takes the blocks of a first pass, all of one kind. */
export class BookSpool {
  readonly #kind: BookTapeInfo['kind']
  readonly #depth = new DepthCodec()
  readonly #quotes = new QuoteCodec()
  readonly #blocks: BlockSpool<BookEntry>

  /** @param room  memory budget, reduced by the stored blocks */
  constructor(kind: BookTapeInfo['kind'], room: SpoolRoom) {
    this.#kind = kind
    this.#blocks = new BlockSpool(room)
  }

  /** Stores the rows of a block; stops storing if the disk is full too. */
  add(part: SpooledPart): void {
    if (part.kind === 'depth') {
      const encoded = this.#depth.encode(part)
      this.#blocks.add(depthEntryOf(part, encoded), encoded.bytes)
    } else {
      const encoded = this.#quotes.encode(part)
      this.#blocks.add(quoteEntryOf(part, encoded), encoded.bytes)
    }
  }

  /** The stored blocks; undefined if there was not enough room. */
  finish(symbol: string): SpooledBook | undefined {
    const spooled = this.#blocks.finish()
    return spooled && { head: { symbol, kind: this.#kind }, ...spooled }
  }
}

/** Opens the stored rows as a book. */
export const openSpooledBook = (spooled: SpooledBook): StoredBook => ({
  head: spooled.head,
  entries: spooled.blocks.map(({ entry }) => entry),
  bytes: (index) => spooledBytes(spooled, index),
})
