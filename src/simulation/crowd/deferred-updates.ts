/**
 * Deferred updates of a liquidity model: recorded trades are buffered, and learnt in a batch when the model is next
 * queried.
 *
 * Invariant: a model obtained here has learnt every trade, each once and in order. A model without `learnAll` learns
 * each trade immediately.
 */
import type { LiquidityModel, RecordedColumns } from '../liquidity/liquidity-model.ts'
import { WrittenTrades } from '../liquidity/written-trades.ts'

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
