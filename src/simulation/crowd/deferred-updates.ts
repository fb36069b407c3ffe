/**
 * Deferred updates of a liquidity model: recorded trades are buffered, and learnt in a batch when the model is next
 * queried.
 *
 * Invariant: a model obtained here has learnt every trade, each once and in order. A model without `learnAll` learns
 * each trade immediately.
 */
import type { LiquidityModel, RecordedColumns, RecordedTrade } from '../liquidity/liquidity-model.ts'

const MAX_TRADES = 4096

/** Recorded trades in columns, written down in their order to be learnt from later. */
export class WrittenTrades implements RecordedColumns {
  length = 0
  readonly time = new Float64Array(MAX_TRADES)
  readonly price = new Float64Array(MAX_TRADES)
  readonly qty = new Float64Array(MAX_TRADES)
  readonly isBuyerMaker = new Uint8Array(MAX_TRADES)

  get isFull(): boolean {
    return this.length === MAX_TRADES
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

export class DeferredUpdates {
  readonly #model: LiquidityModel
  readonly #learnAll: ((trades: RecordedColumns) => void) | undefined
  readonly #trades = new WrittenTrades()

  constructor(model: LiquidityModel) {
    this.#model = model
    this.#learnAll = model.learnAll?.bind(model)
  }

  get model(): LiquidityModel {
    if (this.#trades.length > 0) this.#tell()
    return this.#model
  }

  /** True if the model need not decide how much of an unmatched trade is printed. */
  get isPrintedWhole(): boolean {
    return this.#learnAll !== undefined
  }

  add(time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    if (this.#learnAll === undefined) {
      this.#model.learn({ time, price, qty, isBuyerMaker })
      return
    }
    this.#trades.push(time, price, qty, isBuyerMaker)
    if (this.#trades.isFull) this.#tell()
  }

  #tell(): void {
    this.#learnAll?.(this.#trades)
    this.#trades.length = 0
  }
}
