/** The number of n inputs ago. */

export class Lag {
  readonly #cells: Float64Array
  #at = 0
  #isFull = false

  constructor(length: number) {
    this.#cells = new Float64Array(length)
  }

  /** Undefined for the first n numbers. */
  next(value: number): number | undefined {
    const at = this.#at
    const before = this.#isFull ? this.#cells[at] : undefined
    this.#cells[at] = value
    this.#at = at + 1 === this.#cells.length ? 0 : at + 1
    if (this.#at === 0) this.#isFull = true
    return before
  }
}
