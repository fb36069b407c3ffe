/** Fixed-fractional sizing: the quantity with which a stop loses a given share of the equity. */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { RiskOfStop } from '../../../strategy/risk-of-stop.ts'
import { numberOf, shareOf, type Sizing } from './sizing.ts'

/**
 * Whole lots; for a buy at most what the available balance pays for, for a sell at most what is available. 0 without a
 * price.
 * @throws {Error} for a stop at the entry, and for invalid values
 */
export function riskQty(market: MarketView, { stop, share, entry }: RiskOfStop, sizing: Sizing): Decimal {
  const lastPrice = sizing.lastPrice(market.symbol)
  const part = shareOf('riskQty: share', share)
  const stopAt = numberOf('riskQty: stop', stop)
  const from = entry === undefined ? lastPrice : numberOf('riskQty: entry', entry)
  const equity = sizing.equity()
  if (from === undefined || equity === undefined) return toDecimal(0)
  const loss = from.minus(stopAt)
  if (loss.isZero()) throw new Error(`riskQty: expected a stop that differs from the entry, both are ${from.toFixed()}`)
  const qty = market.qtyWorth(equity.times(part), loss.abs())
  const most = loss.gt(0) ? sizing.payable(market, from, entry) : market.floorQty(sizing.available(market.baseAsset))
  return Decimal.min(qty, most)
}
