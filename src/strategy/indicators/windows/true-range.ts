/**
 * True range of candles: the farthest that the price has gone since the close before.
 */

export class TrueRange {
  #close: number | undefined

  /** Undefined for the first candle, which has no close before it. */
  next(high: number, low: number, close: number): number | undefined {
    const before = this.#close
    this.#close = close
    return before === undefined ? undefined : Math.max(high - low, Math.abs(high - before), Math.abs(low - before))
  }
}
