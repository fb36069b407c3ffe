/**
 * The spread of a recorded market: the median of the last 31 price differences at a change of aggressor, one tick before the first.
 */
const FLIPS = 31

export class SpreadEstimate {
  /** The last flips in the order in which they came, a ring; and the same sorted. Plain loops, for every other trade is a flip. */
  readonly #ring = new Float64Array(FLIPS)
  readonly #sorted = new Float64Array(FLIPS)
  #count = 0
  #oldest = 0
  #lastPrice = 0
  #lastIsSell: boolean | undefined

  /** Ticks, at least 1. */
  get ticks(): number {
    return this.#count === 0 ? 1 : (this.#sorted[this.#count >> 1] ?? 1)
  }

  learn(price: number, isSell: boolean): void {
    if (this.#lastIsSell !== undefined && isSell !== this.#lastIsSell) {
      const difference = isSell ? this.#lastPrice - price : price - this.#lastPrice
      if (difference > 0) this.#remember(difference)
    }
    this.#lastPrice = price
    this.#lastIsSell = isSell
  }

  #remember(difference: number): void {
    if (this.#count < FLIPS) {
      this.#ring[this.#count] = difference
      this.#count += 1
      this.#place(this.#count - 1, difference)
      return
    }
    const forgotten = this.#ring[this.#oldest] ?? 0
    this.#ring[this.#oldest] = difference
    this.#oldest = (this.#oldest + 1) % FLIPS
    this.#place(this.#sorted.indexOf(forgotten), difference)
  }

  /** Puts `difference` into the sorted ones, in the room at `free`: those between move by one. */
  #place(free: number, difference: number): void {
    const sorted = this.#sorted
    let at = free
    for (; at > 0 && (sorted[at - 1] ?? 0) > difference; at -= 1) sorted[at] = sorted[at - 1] ?? 0
    for (; at + 1 < this.#count && (sorted[at + 1] ?? 0) < difference; at += 1) sorted[at] = sorted[at + 1] ?? 0
    sorted[at] = difference
  }
}
