/** Recorded quotes as a value: the best bid and the best ask with what rests there, each time that either changed. */

/** Quotes in columns, oldest first; only the first `length` entries of each count. */
export interface QuoteBlock {
  readonly length: number
  /** Unix milliseconds, never decreasing. */
  readonly time: Float64Array
  /** Ticks; 0 while there is no bid. */
  readonly bid: Float64Array
  /** Lots; 0 while there is no bid. */
  readonly bidQty: Float64Array
  /** Ticks; 0 while there is no ask. */
  readonly ask: Float64Array
  /** Lots; 0 while there is no ask. */
  readonly askQty: Float64Array
}
