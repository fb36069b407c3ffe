/**
 * Average true range of candles, by Wilder: the mean of the first n, then 1/n of the way to each.
 */
import { wilderAverage, type SeededAverage } from './seeded-average.ts'
import { TrueRange } from './true-range.ts'

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
