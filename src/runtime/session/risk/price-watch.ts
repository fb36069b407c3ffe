/** Price subscriptions of the markets that determine the equity, from the first holding in each. */
import { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import { valuingMarket } from '../valued-holdings.ts'

export class PriceWatch {
  readonly #adapter: Pick<ExchangeAdapter, 'balances' | 'markets' | 'prices'>
  readonly #quoteAsset: string
  readonly #onPrice: () => void
  readonly #subscriptions = new Subscription()
  readonly #watched = new Set<string>()

  constructor(
    adapter: Pick<ExchangeAdapter, 'balances' | 'markets' | 'prices'>,
    quoteAsset: string,
    onPrice: () => void,
  ) {
    this.#adapter = adapter
    this.#quoteAsset = quoteAsset
    this.#onPrice = onPrice
  }

  /** Call after every change of a balance. */
  follow(): void {
    for (const [asset, { available, locked }] of this.#adapter.balances()) {
      if (available.isZero() && locked.isZero()) continue
      const market = valuingMarket(this.#adapter.markets, asset, this.#quoteAsset)
      if (market !== undefined) this.#watch(market.symbol)
    }
  }

  stop(): void {
    this.#subscriptions.unsubscribe()
  }

  #watch(symbol: string): void {
    if (this.#watched.has(symbol)) return
    this.#watched.add(symbol)
    this.#subscriptions.add(this.#adapter.prices(symbol).subscribe(this.#onPrice))
  }
}
