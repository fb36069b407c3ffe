/**
 * The spread of a recorded market: the median of the last 31 price differences at a change of aggressor, one tick
 * before the first.
 */
import type { RecordedColumns } from './liquidity-model.ts'

const FLIPS = 31

export class SpreadEstimate {
  /** Ring buffer of the last flips, and a sorted copy. Plain loops, because every other trade is a flip. */
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

  /** Batch version of `learn`: only the last 31 flips are remembered, so earlier trades are skipped. */
  learnAll(trades: RecordedColumns): void {
    const { length, price, isBuyerMaker } = trades
    for (let row = firstThatCounts(trades); row < length; row += 1) this.learn(price[row] ?? 0, isBuyerMaker[row] === 1)
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

  /** Inserts `difference` into the sorted list, shifting the values between it and the free slot by one. */
  #place(free: number, difference: number): void {
    const sorted = this.#sorted
    let at = free
    for (; at > 0 && (sorted[at - 1] ?? 0) > difference; at -= 1) sorted[at] = sorted[at - 1] ?? 0
    for (; at + 1 < this.#count && (sorted[at + 1] ?? 0) < difference; at += 1) sorted[at] = sorted[at + 1] ?? 0
    sorted[at] = difference
  }
}

/**
 * First row needed for the last `FLIPS` flips, including the trade before the first of them; 0 when there are fewer.
 */
function firstThatCounts({ length, price, isBuyerMaker }: RecordedColumns): number {
  let missing = FLIPS
  for (let row = length - 1; row > 0; row -= 1) {
    if (isBuyerMaker[row] === isBuyerMaker[row - 1]) continue
    const rise = (price[row] ?? 0) - (price[row - 1] ?? 0)
    if (isBuyerMaker[row] === 1 ? rise < 0 : rise > 0) missing -= 1
    if (missing === 0) return row - 1
  }
  return 0
}
