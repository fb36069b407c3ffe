/**
 * Mean and variance of the last n numbers, at a cost independent of n.
 *
 * Invariant: as in WindowMean; the variance of equal numbers is exactly 0. The anchor is a number of the window, so its
 * distance is part of the variance, and the difference of the two sums loses at most a factor of n of precision.
 */
import { sumBackwards } from './backward-sums.ts'

export class WindowMoments {
  /** Undefined until the window is full. */
  mean: number | undefined
  /** Divided by n. */
  variance = 0
  readonly #length: number
  readonly #sums: Float64Array
  readonly #squares: Float64Array
  #filled = 0
  #anchor = 0
  #sum = 0
  #square = 0

  constructor(length: number) {
    this.#length = length
    this.#sums = new Float64Array(length)
    this.#squares = new Float64Array(length)
  }

  push(value: number): void {
    const filled = this.#filled + 1
    this.#sums[filled - 1] = value
    if (filled === this.#length) {
      this.#turn(value)
      return
    }
    this.#filled = filled
    if (this.mean === undefined) return
    const distance = value - this.#anchor
    this.#sum += distance
    this.#square += distance * distance
    this.#set((this.#sums[filled] ?? 0) + this.#sum, (this.#squares[filled] ?? 0) + this.#square)
  }

  #turn(anchor: number): void {
    for (let index = 0; index < this.#length; index += 1) {
      const distance = (this.#sums[index] ?? 0) - anchor
      this.#squares[index] = distance * distance
    }
    sumBackwards(this.#sums, anchor)
    sumBackwards(this.#squares)
    this.#filled = 0
    this.#anchor = anchor
    this.#sum = 0
    this.#square = 0
    this.#set(this.#sums[0] ?? 0, this.#squares[0] ?? 0)
  }

  #set(sum: number, square: number): void {
    const shift = sum / this.#length
    this.mean = this.#anchor + shift
    this.variance = Math.max(0, square / this.#length - shift * shift)
  }
}
