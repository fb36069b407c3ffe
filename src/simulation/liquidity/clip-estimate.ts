/**
 * The clip size of a recorded market: the size of the print in which an average lot was traded.
 *
 * A clip is all lots recorded at one price in one millisecond. Past clips are remembered with a decay of 1/512 a clip, and each
 * counts at most ten times the present clip size, so that one giant print does not stand for the market.
 */
import type { RecordedColumns } from './liquidity-model.ts'

const DECAY = 512
const MOST_CLIP_SIZES = 10

export class ClipEstimate {
  /** Sums of g and of g squared over past clips of g lots. */
  #sum = 0
  #sumOfSquares = 0
  /** The open clip; no lots when there is none. */
  #time = 0
  #price = 0
  #lots = 0

  /** Lots, at least 1. */
  get lots(): number {
    if (this.#sum > 0) return Math.max(1, Math.round(this.#sumOfSquares / this.#sum))
    return Math.max(1, this.#lots)
  }

  learn(time: number, price: number, qty: number): void {
    if (this.#lots > 0 && time === this.#time && price === this.#price) {
      this.#lots += qty
      return
    }
    this.close()
    this.#time = time
    this.#price = price
    this.#lots = qty
  }

  learnAll({ length, time, price, qty }: RecordedColumns): void {
    for (let row = 0; row < length; row += 1) this.learn(time[row] ?? 0, price[row] ?? 0, qty[row] ?? 0)
  }

  /** Counts the open clip, if any, among the past ones. */
  close(): void {
    if (this.#lots === 0) return
    const most = this.#sum > 0 ? (MOST_CLIP_SIZES * this.#sumOfSquares) / this.#sum : this.#lots
    const clip = Math.min(this.#lots, most)
    this.#sum += clip - this.#sum / DECAY
    this.#sumOfSquares += clip * clip - this.#sumOfSquares / DECAY
    this.#lots = 0
  }
}
