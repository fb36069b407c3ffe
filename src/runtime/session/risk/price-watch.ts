/** Price subscriptions of the markets that determine the equity, from the first holding in each. */
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { OwnBalances } from '../../../strategy/own-order.ts'
import { valuingMarket } from '../valued-holdings.ts'

export interface PriceWatchOptions {
  readonly adapter: Pick<ExchangeAdapter, 'markets' | 'prices'>
  /** Present holdings. */
  readonly balances: () => OwnBalances
  readonly quoteAsset: string
  readonly onPrice: () => void
}

export class PriceWatch {
  readonly #options: PriceWatchOptions
  readonly #subscriptions = new Subscription()
  readonly #watched = new Set<string>()

  constructor(options: PriceWatchOptions) {
    this.#options = options
  }

  /** Call after every change of a balance. */
  follow(): void {
    const { adapter, balances, quoteAsset } = this.#options
    for (const [asset, { available, locked }] of balances()) {
      if (available.isZero() && locked.isZero()) continue
      const market = valuingMarket(adapter.markets, asset, quoteAsset)
      if (market !== undefined) this.#watch(market.symbol)
    }
  }

  stop(): void {
    this.#subscriptions.unsubscribe()
  }

  #watch(symbol: string): void {
    if (this.#watched.has(symbol)) return
    this.#watched.add(symbol)
    const { adapter, onPrice } = this.#options
    this.#subscriptions.add(adapter.prices(symbol).subscribe(onPrice))
  }
}
