/**
 * Last prices of the markets in which something waits, as the market data tells them; a market in which nothing does costs nothing.
 */
import type { Subscription } from 'rxjs'
import type { ExchangeAdapter } from '../../../adapter/exchange-adapter.ts'
import type { Decimal } from '../../../domain/decimal.ts'

export class PriceFeeds {
  readonly #adapter: Pick<ExchangeAdapter, 'prices'>
  readonly #onPrice: (symbol: string, price: Decimal) => void
  readonly #subscriptions = new Map<string, Subscription>()

  constructor(adapter: Pick<ExchangeAdapter, 'prices'>, onPrice: (symbol: string, price: Decimal) => void) {
    this.#adapter = adapter
    this.#onPrice = onPrice
  }

  /** Listens to these markets, and to no other. */
  watch(symbols: ReadonlySet<string>): void {
    for (const symbol of symbols) {
      if (this.#subscriptions.has(symbol)) continue
      const subscription = this.#adapter.prices(symbol).subscribe((price) => {
        this.#onPrice(symbol, price)
      })
      this.#subscriptions.set(symbol, subscription)
    }
    for (const [symbol, subscription] of this.#subscriptions) {
      if (symbols.has(symbol)) continue
      subscription.unsubscribe()
      this.#subscriptions.delete(symbol)
    }
  }
}
