/**
 * The markets that a service lists, by symbol.
 */
import type { Market } from '../../../domain/market.ts'

export class MarketCatalog {
  readonly #bySymbol = new Map<string, Market>()
  readonly #told = new Set<string>()
  readonly #onUnlisted: (symbol: string) => void

  /** @param onUnlisted  called once per symbol that occurs in orders or fills of the account and is not listed */
  constructor(onUnlisted: (symbol: string) => void) {
    this.#onUnlisted = onUnlisted
  }

  get isEmpty(): boolean {
    return this.#bySymbol.size === 0
  }

  /** Markets that are no longer listed or readable stay: there may be orders in them. */
  set(markets: readonly Market[]): void {
    for (const market of markets) this.#bySymbol.set(market.symbol, market)
  }

  readonly marketOf = (symbol: string): Market | undefined => this.#bySymbol.get(symbol)

  /** Whether an item of a list names an unlisted market. */
  isUnlisted(item: unknown): boolean {
    const symbol = symbolOf(item)
    return symbol !== undefined && !this.#bySymbol.has(symbol)
  }

  /** Whether its symbol was not reported yet. */
  isNews(item: unknown): boolean {
    return this.isUnlisted(item) && !this.#told.has(symbolOf(item) ?? '')
  }

  /** Reports that an item is skipped. */
  tell(item: unknown): void {
    const symbol = symbolOf(item)
    if (symbol === undefined || this.#told.has(symbol)) return
    this.#told.add(symbol)
    this.#onUnlisted(symbol)
  }
}

/** Undefined if there is no symbol, which the decoder reports. */
function symbolOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('symbol' in item)) return undefined
  return typeof item.symbol === 'string' ? item.symbol : undefined
}
