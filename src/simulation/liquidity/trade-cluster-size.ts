/**
 * Trade cluster size of a recorded market: the size of the cluster in which an average lot was traded.
 *
 * A cluster is all lots recorded at one price in one millisecond. Past clusters decay by 1/512 per cluster, and each
 * counts at most ten times the present estimate, so that one giant print does not dominate it.
 */
import type { RecordedColumns } from './liquidity-model.ts'

const DECAY = 512
const MAX_CLUSTER_SIZES = 10

export class TradeClusterSize {
  /** Sums of g and of g squared over past clusters of g lots. */
  #sum = 0
  #sumOfSquares = 0
  /** The open cluster; 0 lots when there is none. */
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

  /** Batch version of `learn` with state in local variables: it runs for every recorded trade. */
  learnAll({ length, time, price, qty }: RecordedColumns): void {
    if (length === 0) return
    this.learn(time[0] ?? 0, price[0] ?? 0, qty[0] ?? 0)
    let sum = this.#sum
    let sumOfSquares = this.#sumOfSquares
    let lots = this.#lots
    for (let row = 1; row < length; row += 1) {
      if (time[row] === time[row - 1] && price[row] === price[row - 1]) {
        lots += qty[row] ?? 0
        continue
      }
      const cluster = Math.min(lots, sum > 0 ? (MAX_CLUSTER_SIZES * sumOfSquares) / sum : lots)
      sum += cluster - sum / DECAY
      sumOfSquares += cluster * cluster - sumOfSquares / DECAY
      lots = qty[row] ?? 0
    }
    this.#sum = sum
    this.#sumOfSquares = sumOfSquares
    this.#time = time[length - 1] ?? 0
    this.#price = price[length - 1] ?? 0
    this.#lots = lots
  }

  /** Adds the open cluster, if any, to the past ones. */
  close(): void {
    if (this.#lots === 0) return
    const most = this.#sum > 0 ? (MAX_CLUSTER_SIZES * this.#sumOfSquares) / this.#sum : this.#lots
    const cluster = Math.min(this.#lots, most)
    this.#sum += cluster - this.#sum / DECAY
    this.#sumOfSquares += cluster * cluster - this.#sumOfSquares / DECAY
    this.#lots = 0
  }
}
