/**
 * A recorded book, or recorded quotes, of one market as a value: columns in blocks, oldest first.
 */
import type { DepthBlock } from './depth-block.ts'
import type { QuoteBlock } from './quote-block.ts'
import type { TapeInfo, TapeWindow } from './tape.ts'

/**
 * What a recording tells of a book: every level and its changes, nothing but snapshots of it, of which one follows the
 * other; or of its best prices alone.
 */
export type BookReach = 'changes' | 'snapshots' | 'quotes'

/** Description of one, as a first pass over its source found it. */
export interface BookTapeInfo extends Pick<
  TapeInfo,
  | 'symbol'
  | 'file'
  | 'sha256'
  | 'rows'
  | 'from'
  | 'to'
  | 'pricePrecision'
  | 'qtyPrecision'
  | 'rowsAtPricePrecision'
  | 'rowsAtQtyPrecision'
  | 'notices'
  | 'warnings'
> {
  readonly kind: 'depth' | 'quotes'
  readonly reach: BookReach
  /** Most levels that a snapshot tells of a side; 0 for quotes. */
  readonly levels: number
  /** Each order is told by its id. */
  readonly tellsOrders: boolean
  /** Places at which updates are missing. */
  readonly gapCount: number
}

/** Changes of a book that can be read more than once, in the precisions of `info`. */
export interface DepthTape {
  readonly info: BookTapeInfo & { readonly kind: 'depth' }
  /**
   * Frames that are never cut. Inside of a window they begin with a snapshot of the book as it was then, at its
   * beginning, where one is known.
   *
   * @throws {InputError} naming the file, when what it holds is damaged
   */
  blocks(window?: TapeWindow): AsyncIterable<DepthBlock>
}

/** Quotes that can be read more than once, in the precisions of `info`. */
export interface QuoteTape {
  readonly info: BookTapeInfo & { readonly kind: 'quotes' }
  /**
   * Inside of a window they begin with the last quote before it, at its beginning.
   *
   * @throws {InputError} naming the file, when what it holds is damaged
   */
  blocks(window?: TapeWindow): AsyncIterable<QuoteBlock>
}

export type BookTape = DepthTape | QuoteTape
