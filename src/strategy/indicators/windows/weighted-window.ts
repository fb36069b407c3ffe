/**
 * Sums of the last n numbers, plain and weighted 1 to n, the newest heaviest: of their distances to one of them, the
 * anchor.
 *
 * Invariant: as of WindowMean; the sums of equal numbers are exactly 0.
 */
import { sumBackwards } from './backward-sums.ts'

export class WeightedWindow {
  /** Undefined until the window is full. */
  anchor: number | undefined
  sum = 0
  weighted = 0
  readonly #length: number
  readonly #sums: Float64Array
  readonly #weightedSums: Float64Array
  #filled = 0
  #newSum = 0
  #newWeighted = 0

  constructor(length: number) {
    this.#length = length
    this.#sums = new Float64Array(length)
    this.#weightedSums = new Float64Array(length)
  }

  push(value: number): void {
    const filled = this.#filled + 1
    this.#sums[filled - 1] = value
    if (filled === this.#length) {
      this.#turn(value)
      return
    }
    this.#filled = filled
    if (this.anchor === undefined) return
    const distance = value - this.anchor
    this.#newSum += distance
    this.#newWeighted += filled * distance
    this.sum = (this.#sums[filled] ?? 0) + this.#newSum
    this.weighted = (this.#weightedSums[filled] ?? 0) + this.#newWeighted + (this.#length - filled) * this.#newSum
  }

  #turn(anchor: number): void {
    const sums = this.#sums
    sumBackwards(sums, anchor)
    // Suffix sums of suffix sums: the k-th of the rest counts k times.
    this.#weightedSums.set(sums)
    sumBackwards(this.#weightedSums)
    this.anchor = anchor
    this.sum = sums[0] ?? 0
    this.weighted = this.#weightedSums[0] ?? 0
    this.#filled = 0
    this.#newSum = 0
    this.#newWeighted = 0
  }
}

/** Mean of the last n numbers, weighted 1 to n, the newest heaviest. */
export class WeightedMean {
  readonly #window: WeightedWindow
  readonly #weight: number

  constructor(length: number) {
    this.#window = new WeightedWindow(length)
    this.#weight = (length * (length + 1)) / 2
  }

  /** Undefined for the first n - 1 numbers. */
  next(value: number): number | undefined {
    const window = this.#window
    window.push(value)
    return window.anchor === undefined ? undefined : window.anchor + window.weighted / this.#weight
  }
}
