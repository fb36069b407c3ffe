/**
 * Recorded quotes as a value: the best bid and the best ask with what rests there, each time that either changed.
 */

/** Quotes in columns, oldest first; only the first `length` entries of each count. */
export interface QuoteBlock {
  readonly length: number
  /** Unix milliseconds, never decreasing. */
  readonly time: Float64Array
  /** Ticks; 0 while nobody buys. */
  readonly bid: Float64Array
  /** Lots; 0 while nobody buys. */
  readonly bidQty: Float64Array
  /** Ticks; 0 while nobody sells. */
  readonly ask: Float64Array
  /** Lots; 0 while nobody sells. */
  readonly askQty: Float64Array
}
