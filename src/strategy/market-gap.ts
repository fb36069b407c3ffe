/** Period in which trades of a market are missing. */

/** Period in which trades may be missing from the data. */
export interface MarketGap {
  /** Symbol of the market. */
  readonly symbol: string
  /** Time of the last trade before the gap, or of the start of the connection, in Unix milliseconds. */
  readonly from: number
  /** Time of the first trade after the gap, in Unix milliseconds. */
  readonly to: number
}
