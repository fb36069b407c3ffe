/**
 * Exponential average seeded with the mean of its first n numbers.
 *
 * The smoothing factor is 2/(n + 1) for an EMA, and 1/n for Wilder's.
 */

export class SeededAverage {
  readonly #length: number
  readonly #share: number
  #seen = 0
  #average = 0

  constructor(length: number, share = 2 / (length + 1)) {
    this.#length = length
    this.#share = share
  }

  /** Undefined for the first n - 1 numbers. */
  next(value: number): number | undefined {
    if (this.#length === 1) return value
    if (this.#seen === this.#length) return (this.#average += this.#share * (value - this.#average))
    this.#seen += 1
    this.#average += (value - this.#average) / this.#seen
    return this.#seen === this.#length ? this.#average : undefined
  }
}

/** Wilder's average, with smoothing factor 1/n. */
export const wilderAverage = (length: number): SeededAverage => new SeededAverage(length, 1 / length)
