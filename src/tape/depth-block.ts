/**
 * Changes of a recorded book as a value: rows in columns, frame by frame, oldest first.
 *
 * A frame is what an exchange told at once. Invariant: a block holds whole frames; the rows of one have one time, bids
 * stand before asks, each side from its best price outward, and no price comes twice.
 */

/** Of a row: an order to buy rests, or one to sell. */
export const BID = 0
export const ASK = 1
export type DepthSide = typeof BID | typeof ASK

/**
 * Of the first row of a frame: it tells every level of the book, as far as it reaches; what it does not name is gone.
 */
export const SNAPSHOT = 1
/** Of the last row of a frame: here the book is whole again. */
export const FRAME_END = 2
/** Of the first row of a frame: something is missing between the frame before and this one. */
export const GAP = 4

/** Of what went of an order: it was traded; else it was cancelled, or moved to another place. */
export const TRADED = 1
/** The recording told when the order came; else it was there before anything of it was told. */
export const SEEN_TO_COME = 2

/**
 * What went of single orders, in columns: only a recording that tells each order by its id has them.
 *
 * Invariant: of an order that came and went in one frame, `since` is the time of that frame.
 */
export interface OrderFalls {
  readonly length: number
  /** The first row of the frame that tells it, never decreasing. */
  readonly row: Float64Array
  /** BID or ASK. */
  readonly side: Uint8Array
  /** Ticks, > 0. */
  readonly price: Float64Array
  /**
   * Unix milliseconds of the frame in which the order came to where it rests, or by which it was there; not after that
   * of the row.
   */
  readonly since: Float64Array
  /** Lots, > 0. */
  readonly lots: Float64Array
  /** TRADED and SEEN_TO_COME, added up. */
  readonly kind: Uint8Array
}

/** Changes of price levels in columns; only the first `length` entries of each count. */
export interface DepthBlock {
  readonly length: number
  /** Unix milliseconds, never decreasing. */
  readonly time: Float64Array
  /** SNAPSHOT, FRAME_END and GAP, added up. */
  readonly flags: Uint8Array
  /** BID or ASK. */
  readonly side: Uint8Array
  /**
   * Ticks, > 0. A snapshot without any level is one row of no lots; one that tells a side farther than to its last
   * level ends that side with such a row.
   */
  readonly price: Float64Array
  /** Lots that rest at the price from here on; 0 when none do. */
  readonly qty: Float64Array
  /** Undefined where the recording tells levels, and no order. */
  readonly falls?: OrderFalls | undefined
}

/** The row behind the frame that a row is in. */
export function frameEnd({ flags, length }: DepthBlock, row: number): number {
  let end = row
  while (end < length) {
    end += 1
    if (((flags[end - 1] ?? 0) & FRAME_END) !== 0) break
  }
  return end
}
