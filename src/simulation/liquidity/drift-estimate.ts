/**
 * Drift of the side that a recorded trade touched: the spread, less the mean signed price difference at a change of
 * aggressor.
 *
 * A difference counts towards the new aggressor: above zero when a buyer pays more than the seller before got. Past
 * ones are remembered with a decay of 1/64 a change.
 */
import type { RecordedColumns } from './liquidity-model.ts'

const DECAY = 64

export class DriftEstimate {
  /** Sum of the differences at past changes of aggressor, in ticks, and their number. */
  #sum = 0
  #count = 0
  #lastPrice = 0
  #lastIsSell: boolean | undefined

  /** Whole ticks, at least 0; 0 before the first change of aggressor. */
  ticks(spread: number): number {
    return this.#count === 0 ? 0 : Math.max(0, Math.round(spread - this.#sum / this.#count))
  }

  learn(price: number, isSell: boolean): void {
    if (this.#lastIsSell !== undefined && isSell !== this.#lastIsSell) {
      const difference = isSell ? this.#lastPrice - price : price - this.#lastPrice
      this.#sum += difference - this.#sum / DECAY
      this.#count += 1 - this.#count / DECAY
    }
    this.#lastPrice = price
    this.#lastIsSell = isSell
  }

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, price, isBuyerMaker }: RecordedColumns): void {
    if (length === 0) return
    this.learn(price[0] ?? 0, isBuyerMaker[0] === 1)
    let sum = this.#sum
    let count = this.#count
    for (let row = 1; row < length; row += 1) {
      if (isBuyerMaker[row] === isBuyerMaker[row - 1]) continue
      const rise = (price[row] ?? 0) - (price[row - 1] ?? 0)
      sum += (isBuyerMaker[row] === 1 ? -rise : rise) - sum / DECAY
      count += 1 - count / DECAY
    }
    this.#sum = sum
    this.#count = count
    this.#lastPrice = price[length - 1] ?? 0
    this.#lastIsSell = isBuyerMaker[length - 1] === 1
  }
}
