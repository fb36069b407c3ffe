/**
 * Mean of the last n numbers, weighted 1 to n, the newest heaviest.
 */
import { WeightedWindow } from './weighted-window.ts'

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
