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

/** Room for a candle, to be written again: whoever keeps candles, and for how long, makes nothing for each. */
export class CandleRoom implements RecordedCandle {
  time = Number.NaN
  /** Closing time, Unix milliseconds. */
  end = Number.NaN
  open = Number.NaN
  high = Number.NaN
  low = Number.NaN
  close = Number.NaN
  volume = Number.NaN

  write({ time, open, high, low, close, volume }: RecordedCandle, end: number): void {
    this.time = time
    this.end = end
    this.open = open
    this.high = high
    this.low = low
    this.close = close
    this.volume = volume
  }
}
