/**
 * Distance between the levels of a recorded market: the mean price span of past sweeps over several prices.
 *
 * A sweep is what one side did in one millisecond. Past ones are remembered with a decay of 1/64 a sweep.
 */
import type { RecordedColumns } from './liquidity-model.ts'

const DECAY = 64

export class SweepEstimate {
  /** Sum of the spans of past sweeps over several prices, in ticks, and their number. */
  #spans = 0
  #count = 0
  /** The open sweep. */
  #time = Number.NEGATIVE_INFINITY
  #isSell = false
  #firstPrice = 0
  #lastPrice = 0

  /** Mean span in whole ticks; undefined before the first sweep over several prices. */
  get ticks(): number | undefined {
    return this.#count === 0 ? undefined : Math.round(this.#spans / this.#count)
  }

  learn(time: number, price: number, isSell: boolean): void {
    if (time === this.#time && isSell === this.#isSell) {
      this.#lastPrice = price
      return
    }
    this.close()
    this.#time = time
    this.#isSell = isSell
    this.#firstPrice = this.#lastPrice = price
  }

  learnAll({ length, time, price, isBuyerMaker }: RecordedColumns): void {
    for (let row = 0; row < length; row += 1) this.learn(time[row] ?? 0, price[row] ?? 0, isBuyerMaker[row] === 1)
  }

  /** Counts the open sweep, if it went over several prices, among the past ones. */
  close(): void {
    if (this.#firstPrice !== this.#lastPrice) {
      this.#spans += Math.abs(this.#lastPrice - this.#firstPrice) - this.#spans / DECAY
      this.#count += 1 - this.#count / DECAY
    }
    this.#time = Number.NEGATIVE_INFINITY
    this.#firstPrice = this.#lastPrice = 0
  }
}
