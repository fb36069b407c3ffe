/** Recorded print in quarantine until the outlier filter confirms or drops it. */
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
