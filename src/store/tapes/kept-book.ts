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
import { BlockKeeper, keptBytes, type KeptBlocks, type KeptRoom } from './kept-bytes.ts'

export interface KeptBook extends KeptBlocks<BookEntry> {
  readonly head: BookHead
}

/** Rows of one kind as a pass gives them. */
export type KeptPart = ({ readonly kind: 'depth' } & StoredDepth) | ({ readonly kind: 'quotes' } & StoredQuotes)

/** Takes the blocks of a first pass, all of one kind. */
export class BookKeeper {
  readonly #kind: BookTapeInfo['kind']
  readonly #depth = new DepthCodec()
  readonly #quotes = new QuoteCodec()
  readonly #blocks: BlockKeeper<BookEntry>

  /** @param room  memory budget, reduced by the stored blocks */
  constructor(kind: BookTapeInfo['kind'], room: KeptRoom) {
    this.#kind = kind
    this.#blocks = new BlockKeeper(room)
  }

  /** Stores the rows of a block; stops storing if the disk is full too. */
  add(part: KeptPart): void {
    if (part.kind === 'depth') {
      const encoded = this.#depth.encode(part)
      this.#blocks.add(depthEntryOf(part, encoded), encoded.bytes)
    } else {
      const encoded = this.#quotes.encode(part)
      this.#blocks.add(quoteEntryOf(part, encoded), encoded.bytes)
    }
  }

  /** The stored blocks; undefined if there was not enough room. */
  finish(symbol: string): KeptBook | undefined {
    const kept = this.#blocks.finish()
    return kept && { head: { symbol, kind: this.#kind }, ...kept }
  }
}

/** Opens the stored rows as a book. */
export const openKeptBook = (kept: KeptBook): StoredBook => ({
  head: kept.head,
  entries: kept.blocks.map(({ entry }) => entry),
  bytes: (index) => keptBytes(kept, index),
})
