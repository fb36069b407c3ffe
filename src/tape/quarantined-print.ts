/**
 * A recorded print as it is judged, and kept while it is not known whether to believe it.
 */
export interface QuarantinedPrint {
  /** Unix milliseconds. */
  readonly time: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  /** SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL. */
  readonly side: number
}
