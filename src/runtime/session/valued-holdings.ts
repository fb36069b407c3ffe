/**
 * The holdings of an account, valued by its markets: the one rule for the equity that a strategy sees and that its
 * limits look at.
 */
import type { ExchangeAdapter } from '../../adapter/exchange-adapter.ts'
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export interface ValuedHoldings {
  /** In the quote asset, of everything that has a price. */
  readonly equity: Decimal
  /** Assets that are held and whose market has no price yet. */
  readonly unpriced: readonly string[]
  /** Assets that are held and that no market values. */
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

/** The market whose price values an asset in the quote asset; undefined where there is none. */
export const valuingMarket = (
  markets: readonly MarketView[],
  asset: string,
  quoteAsset: string,
): MarketView | undefined => markets.find((each) => each.baseAsset === asset && each.quoteAsset === quoteAsset)
