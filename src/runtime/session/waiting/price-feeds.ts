/**
 * Prices of the markets in which something waits, as the market data tells it; a market in which nothing does costs nothing.
 */
import type { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { MarketReach } from '../../../adapter/market-reach.ts'
import { reachOf } from './price-reach.ts'

export class PriceFeeds {
  readonly #adapter: Pick<ExchangeAdapter, 'insides' | 'prices'>
  readonly #onReach: (symbol: string, reach: MarketReach) => void
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(
    adapter: Pick<ExchangeAdapter, 'insides' | 'prices'>,
    onReach: (symbol: string, reach: MarketReach) => void,
  ) {
    this.#adapter = adapter
    this.#onReach = onReach
  }

  /** Listens to these markets, and to no other. */
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
      this.#onReach(symbol, reachOf(price))
    })
  }
}
