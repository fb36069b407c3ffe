/**
 * Recorded trades in columns, written down in their order to be learnt from later.
 */
import type { RecordedColumns, RecordedTrade } from './liquidity-model.ts'

const MOST_TRADES = 4096

export class WrittenTrades implements RecordedColumns {
  length = 0
  readonly time = new Float64Array(MOST_TRADES)
  readonly price = new Float64Array(MOST_TRADES)
  readonly qty = new Float64Array(MOST_TRADES)
  readonly isBuyerMaker = new Uint8Array(MOST_TRADES)

  get isFull(): boolean {
    return this.length === MOST_TRADES
  }

  /** Appends a trade; the caller checks that there is room. */
  push(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    const row = this.length
    this.time[row] = time
    this.price[row] = price
    this.qty[row] = qty
    this.isBuyerMaker[row] = isBuyerMaker ? 1 : 0
    this.length = row + 1
  }

  at(row: number): RecordedTrade {
    const [time = 0, price = 0, qty = 0] = [this.time[row], this.price[row], this.qty[row]]
    return { time, price, qty, isBuyerMaker: this.isBuyerMaker[row] === 1 }
  }
}
