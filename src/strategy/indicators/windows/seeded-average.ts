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

/** Exponential averages over n of each other, three deep, each seeded by the mean of its own first n numbers. */
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
