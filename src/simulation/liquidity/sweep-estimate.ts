/**
 * Distance between the levels of a recorded market: the mean price span of past sweeps over several prices.
 *
 * A sweep is all trades of one side in one millisecond. Past sweeps decay by 1/64 per sweep.
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

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, time, price, isBuyerMaker }: RecordedColumns): void {
    if (length === 0) return
    this.learn(time[0] ?? 0, price[0] ?? 0, isBuyerMaker[0] === 1)
    let spans = this.#spans
    let count = this.#count
    let firstPrice = this.#firstPrice
    for (let row = 1; row < length; row += 1) {
      if (time[row] === time[row - 1] && isBuyerMaker[row] === isBuyerMaker[row - 1]) continue
      const lastPrice = price[row - 1] ?? 0
      if (firstPrice !== lastPrice) {
        spans += Math.abs(lastPrice - firstPrice) - spans / DECAY
        count += 1 - count / DECAY
      }
      firstPrice = price[row] ?? 0
    }
    this.#spans = spans
    this.#count = count
    this.#time = time[length - 1] ?? 0
    this.#isSell = isBuyerMaker[length - 1] === 1
    this.#firstPrice = firstPrice
    this.#lastPrice = price[length - 1] ?? 0
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
