/**
 * Changes of a recorded book as a value: rows in columns, frame by frame, oldest first.
 *
 * A frame is an atomic update of an exchange. Invariant: a block holds whole frames; the rows of a frame have one time,
 * bids precede asks, each side from its best price outward, and no price occurs twice.
 */

/** Side of a row: an order to buy rests, or one to sell. */
export const BID = 0
export const ASK = 1
export type DepthSide = typeof BID | typeof ASK

/** Flag of the first row of a frame: a full snapshot as far as it reaches; levels it does not contain are removed. */
export const SNAPSHOT = 1
/** Flag of the last row of a frame: the book is consistent again. */
export const FRAME_END = 2
/** Flag of the first row of a frame: data is missing between the previous frame and this one. */
export const GAP = 4

/** Flag of a removal: the lots were traded; otherwise the order was cancelled or moved. */
export const TRADED = 1
/** Flag of a removal: the recording contains the order's arrival; otherwise it was there before the recording began. */
export const SEEN_TO_COME = 2

/**
 * Removals of single orders, in columns: only in order-level recordings.
 *
 * Invariant: for an order that came and went in one frame, `since` is the time of that frame.
 */
export interface OrderFalls {
  readonly length: number
  /** First row of the frame that reports it, never decreasing. */
  readonly row: Float64Array
  /** BID or ASK. */
  readonly side: Uint8Array
  /** Ticks, > 0. */
  readonly price: Float64Array
  /**
   * Arrival of the order at its price: Unix milliseconds of the frame, or the latest possible one; not after that of
   * the row.
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
   * Ticks, > 0. A snapshot without any level is one row of no lots; a side that is known beyond its last level ends
   * with such a row.
   */
  readonly price: Float64Array
  /** Lots that rest at the price from here on; 0 when none do. */
  readonly qty: Float64Array
  /** Undefined unless the recording is order-level. */
  readonly falls?: OrderFalls | undefined
}

/** One past the last row of the frame that contains a row. */
export function frameEnd({ flags, length }: DepthBlock, row: number): number {
  let end = row
  while (end < length) {
    end += 1
    if (((flags[end - 1] ?? 0) & FRAME_END) !== 0) break
  }
  return end
}
