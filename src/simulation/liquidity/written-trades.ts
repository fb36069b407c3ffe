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
  /** NaN for a trade that was recorded as one. */
  readonly candleTime = new Float64Array(MOST_TRADES)

  get isFull(): boolean {
    return this.length === MOST_TRADES
  }

  /** There is room for it. */
  push(time: number, price: number, qty: number, isBuyerMaker: boolean, candleTime: number | undefined): void {
    const row = this.length
    this.time[row] = time
    this.price[row] = price
    this.qty[row] = qty
    this.isBuyerMaker[row] = isBuyerMaker ? 1 : 0
    this.candleTime[row] = candleTime ?? Number.NaN
    this.length = row + 1
  }

  at(row: number): RecordedTrade {
    const [time = 0, price = 0, qty = 0] = [this.time[row], this.price[row], this.qty[row]]
    const candleTime = this.candleTime[row] ?? Number.NaN
    return recordedTrade(
      time,
      price,
      qty,
      this.isBuyerMaker[row] === 1,
      Number.isNaN(candleTime) ? undefined : candleTime,
    )
  }
}

/** @param candleTime  undefined for a trade that was recorded as one */
export function recordedTrade(
  time: number,
  price: number,
  qty: number,
  isBuyerMaker: boolean,
  candleTime: number | undefined,
): RecordedTrade {
  const trade = { time, price, qty, isBuyerMaker }
  return candleTime === undefined ? trade : { ...trade, candleTime }
}
