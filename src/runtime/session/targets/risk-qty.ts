/**
 * The quantity with which a stop loses a part of the equity.
 */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { RiskOfStop } from '../../../strategy/risk-of-stop.ts'
import { numberOf, shareOf, type Sizing } from './sizing.ts'

/**
 * In whole lots; of a buy at most what the available balance pays for, of a sell at most what is free. 0 where there is
 * no price yet.
 *
 * @throws {Error} for a stop at the entry, and for values that are none
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
