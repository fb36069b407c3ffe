/**
 * A stretch of a market's time of which trades are missing.
 */

/** Trades may have happened between its ends that nobody here saw. */
export interface MarketGap {
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Unix milliseconds of the last trade before it; of the connection's beginning when there was none. */
  readonly from: number
  /** Unix milliseconds of the first trade after it. */
  readonly to: number
}
