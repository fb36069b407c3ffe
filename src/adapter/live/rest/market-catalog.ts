/**
 * The markets that a service lists, by symbol.
 */
import type { Market } from '../../../domain/market.ts'

export class MarketCatalog {
  readonly #bySymbol = new Map<string, Market>()
  readonly #told = new Set<string>()
  readonly #onUnlisted: (symbol: string) => void

  /**
   * @param onUnlisted  told once of each symbol that the account has orders or fills of and the service does not list
   */
  constructor(onUnlisted: (symbol: string) => void) {
    this.#onUnlisted = onUnlisted
  }

  get isEmpty(): boolean {
    return this.#bySymbol.size === 0
  }

  /** One that is not listed any more, or cannot be read now, stays: there may be orders of it. */
  set(markets: readonly Market[]): void {
    for (const market of markets) this.#bySymbol.set(market.symbol, market)
  }

  readonly marketOf = (symbol: string): Market | undefined => this.#bySymbol.get(symbol)

  /** Whether an item of a list names a market that is not listed. */
  isUnlisted(item: unknown): boolean {
    const symbol = symbolOf(item)
    return symbol !== undefined && !this.#bySymbol.has(symbol)
  }

  /** Whether that is not known of its symbol yet. */
  isNews(item: unknown): boolean {
    return this.isUnlisted(item) && !this.#told.has(symbolOf(item) ?? '')
  }

  /** Tells that an item is left out. */
  tell(item: unknown): void {
    const symbol = symbolOf(item)
    if (symbol === undefined || this.#told.has(symbol)) return
    this.#told.add(symbol)
    this.#onUnlisted(symbol)
  }
}

/** Undefined for what has none; whoever reads it says so. */
function symbolOf(item: unknown): string | undefined {
  if (typeof item !== 'object' || item === null || !('symbol' in item)) return undefined
  return typeof item.symbol === 'string' ? item.symbol : undefined
}
