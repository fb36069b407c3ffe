/**
 * Mean of the last n numbers, at a cost that does not grow with n.
 *
 * Invariant: it depends on the numbers in the window and on nothing before; equal numbers have exactly themselves as
 * their mean. Sums are of distances to one number of the window, block by block: see backward-sums.ts.
 */
import { sumBackwards } from './backward-sums.ts'

export class WindowMean {
  /** The current block up to `#filled`, then the suffix sums of the previous block. */
  readonly #cells: Float64Array
  readonly #share: number
  #filled = 0
  #isWarm = false
  /** The last number of the block before. */
  #anchor = 0
  #sum = 0

  constructor(length: number) {
    this.#cells = new Float64Array(length)
    this.#share = 1 / length
  }

  /** Undefined for the first n - 1 numbers. */
  next(value: number): number | undefined {
    const cells = this.#cells
    const filled = this.#filled + 1
    cells[this.#filled] = value
    if (filled === cells.length) return this.#turn(value)
    this.#filled = filled
    const sum = this.#sum + (value - this.#anchor)
    this.#sum = sum
    if (this.#isWarm) return this.#anchor + ((cells[filled] ?? 0) + sum) * this.#share
    return undefined
  }

  #turn(anchor: number): number {
    const cells = this.#cells
    sumBackwards(cells, anchor)
    this.#filled = 0
    this.#isWarm = true
    this.#anchor = anchor
    this.#sum = 0
    return anchor + (cells[0] ?? 0) / cells.length
  }
}
