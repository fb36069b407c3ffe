/** A recorded book, or recorded quotes, of one market as a value: columns in blocks, oldest first. */
import type { DepthBlock } from './depth-block.ts'
import type { QuoteBlock } from './quote-block.ts'
import type { TapeInfo, TapeWindow } from './tape.ts'

/** Contents of a book recording: snapshots and changes of all levels, snapshots only, or best prices only. */
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
  /** Maximum of levels per side of a snapshot; 0 for quotes. */
  readonly levels: number
  /** True for an order-level recording with order ids. */
  readonly reportsOrders: boolean
  /** Places at which updates are missing. */
  readonly gapCount: number
}

/** Changes of a book that can be read more than once, in the precisions of `info`. */
export interface DepthTape {
  readonly info: BookTapeInfo & { readonly kind: 'depth' }
  /**
   * Complete frames. With a window they begin with a snapshot of the book at its start, if one is known.
   *
   * @throws {InputError} naming the file, if its contents are damaged
   */
  blocks(window?: TapeWindow): AsyncIterable<DepthBlock>
}

/** Quotes that can be read more than once, in the precisions of `info`. */
export interface QuoteTape {
  readonly info: BookTapeInfo & { readonly kind: 'quotes' }
  /**
   * With a window they begin with the last quote before it, at its start.
   *
   * @throws {InputError} naming the file, if its contents are damaged
   */
  blocks(window?: TapeWindow): AsyncIterable<QuoteBlock>
}

export type BookTape = DepthTape | QuoteTape
