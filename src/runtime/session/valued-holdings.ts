/**
 * Values an account's holdings by its markets: the single rule for the equity that a strategy sees and that its limits
 * check.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export interface ValuedHoldings {
  /** Total value in the quote asset of everything that has a price. */
  readonly equity: Decimal
  /** Held assets whose market has no price yet. */
  readonly unpriced: readonly string[]
  /** Held assets that no market values. */
  readonly unvalued: readonly string[]
}

export function valuedHoldings(
  account: Pick<ExchangeAdapter, 'balances' | 'lastPrice' | 'markets'>,
  quoteAsset: string,
): ValuedHoldings {
  let equity = toDecimal(0)
  const unpriced: string[] = []
  const unvalued: string[] = []
  for (const [asset, { available, locked }] of account.balances()) {
    const held = available.plus(locked)
    if (asset === quoteAsset) equity = equity.plus(held)
    else if (!held.isZero()) {
      const market = valuingMarket(account.markets, asset, quoteAsset)
      const price = market && account.lastPrice(market.symbol)
      if (price !== undefined) equity = equity.plus(held.times(price))
      else (market === undefined ? unvalued : unpriced).push(asset)
    }
  }
  return { equity, unpriced, unvalued }
}

/** The market whose price values an asset in the quote asset; undefined if there is none. */
export const valuingMarket = (
  markets: readonly MarketView[],
  asset: string,
  quoteAsset: string,
): MarketView | undefined => markets.find((each) => each.baseAsset === asset && each.quoteAsset === quoteAsset)
