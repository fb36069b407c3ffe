/** True range of candles: the farthest that the price has gone since the close before. */
import { type SeededAverage, wilderAverage } from './seeded-average.ts'

export class TrueRange {
  #close: number | undefined

  /** Undefined for the first candle, which has no close before it. */
  next(high: number, low: number, close: number): number | undefined {
    const before = this.#close
    this.#close = close
    return before === undefined ? undefined : Math.max(high - low, Math.abs(high - before), Math.abs(low - before))
  }
}

/** Average true range of candles, by Wilder: the mean of the first n, then 1/n of the way to each. */
export class AverageRange {
  readonly #range = new TrueRange()
  readonly #average: SeededAverage

  constructor(length: number) {
    this.#average = wilderAverage(length)
  }

  /** Undefined for the first n candles. */
  next(high: number, low: number, close: number): number | undefined {
    const range = this.#range.next(high, low, close)
    return range === undefined ? undefined : this.#average.next(range)
  }
}
