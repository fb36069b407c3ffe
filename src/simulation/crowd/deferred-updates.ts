/**
 * The recorded trades that a liquidity model is yet to learn: written down, and told to it when it is asked something.
 *
 * Invariant: whoever gets the model from here gets one that has learnt from every trade, each once and in its order. A
 * model that does not take many at once is told of each as it comes.
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

  /** True when the model need not be asked what is printed of a trade that met nothing. */
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
