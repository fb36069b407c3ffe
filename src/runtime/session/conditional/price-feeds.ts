/** Price subscriptions of the markets that have conditional orders; other markets cost nothing. */
import type { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { PriceRange } from '../../../adapter/intrabar-execution.ts'
import { priceRangeOf } from './price-range.ts'

export class PriceFeeds {
  readonly #adapter: Pick<ExchangeAdapter, 'insides' | 'prices'>
  readonly #onReach: (symbol: string, reach: PriceRange) => void
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(
    adapter: Pick<ExchangeAdapter, 'insides' | 'prices'>,
    onReach: (symbol: string, reach: PriceRange) => void,
  ) {
    this.#adapter = adapter
    this.#onReach = onReach
  }

  /** Subscribes to these markets, and to no other. */
  watch(symbols: ReadonlySet<string>): void {
    for (const symbol of symbols) {
      if (!this.#subscriptions.has(symbol)) this.#subscriptions.set(symbol, this.#subscribe(symbol))
    }
    for (const [symbol, subscription] of this.#subscriptions) {
      if (symbols.has(symbol)) continue
      subscription.unsubscribe()
      this.#subscriptions.delete(symbol)
    }
  }

  #subscribe(symbol: string): Subscription {
    const insides = this.#adapter.insides?.(symbol)
    if (insides !== undefined)
      return insides.reaches$.subscribe((reach) => {
        this.#onReach(symbol, reach)
      })
    return this.#adapter.prices(symbol).subscribe((price) => {
      this.#onReach(symbol, priceRangeOf(price))
    })
  }
}
