/**
 * Exponential averages over n of each other, three deep, each seeded by the mean of its own first n numbers.
 */
import { SeededAverage } from './seeded-average.ts'

export class TripleAverage {
  once = 0
  twice = 0
  readonly #first: SeededAverage
  readonly #second: SeededAverage
  readonly #third: SeededAverage

  constructor(length: number) {
    this.#first = new SeededAverage(length)
    this.#second = new SeededAverage(length)
    this.#third = new SeededAverage(length)
  }

  /** The triple average; `once` and `twice` hold the other two. Undefined for the first 3n - 3 numbers. */
  next(value: number): number | undefined {
    const once = this.#first.next(value)
    if (once === undefined) return undefined
    const twice = this.#second.next(once)
    if (twice === undefined) return undefined
    this.once = once
    this.twice = twice
    return this.#third.next(twice)
  }
}
