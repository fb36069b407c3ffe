/** A recorded candle, whole: prices in ticks, volume in lots. */

export interface RecordedCandle {
  /** Opening time, Unix milliseconds. */
  readonly time: number
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Volume above 0: an interval without trades has no candle. */
  readonly volume: number
}

/** Reusable candle, so that storing candles allocates nothing per candle. */
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
