/**
 * The spread of a recorded market: the median of the last 31 price differences at a change of aggressor, one tick before the first.
 */
import { invariant } from '../../domain/errors.ts'

const FLIPS = 31

export class SpreadEstimate {
  /** The last flips in the order in which they came, a ring; and the same sorted. */
  readonly #ring: number[] = []
  readonly #sorted: number[] = []
  #oldest = 0
  #lastPrice = 0
  #lastIsSell: boolean | undefined

  /** Ticks, at least 1. */
  get ticks(): number {
    return this.#sorted[Math.floor(this.#sorted.length / 2)] ?? 1
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
    if (this.#ring.length < FLIPS) this.#ring.push(difference)
    else {
      const forgotten = this.#ring[this.#oldest]
      invariant(forgotten !== undefined, 'the ring is full')
      this.#sorted.splice(this.#indexOf(forgotten), 1)
      this.#ring[this.#oldest] = difference
      this.#oldest = (this.#oldest + 1) % FLIPS
    }
    this.#sorted.splice(this.#indexOf(difference), 0, difference)
  }

  /** Index of the first that is not below `difference`. */
  #indexOf(difference: number): number {
    const index = this.#sorted.findIndex((each) => each >= difference)
    return index < 0 ? this.#sorted.length : index
  }
}
