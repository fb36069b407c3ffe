/**
 * A recorded candle, whole: prices in ticks, volume in lots.
 */

export interface RecordedCandle {
  /** Opening time, Unix milliseconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** More than 0: an interval in which nothing was traded is no candle. */
  readonly volume: number
}
