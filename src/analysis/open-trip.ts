/**
 * Report of open round trips: quantity, entry price, and value at the last recorded price.
 *
 * Invariant: exact, except an entry price without a finite decimal form, which is rounded half to even.
 */
import { formatTrimmed, formatUnits } from '../domain/fixed-point.ts'
import type { Market } from '../domain/market.ts'
import { averagePrice, type Side } from '../domain/order.ts'
import type { OpenTrip } from './round-trip.ts'

/** A round trip that had not ended; plain JSON. */
export interface OpenTripReport {
  readonly symbol: string
  /** Side of the fill that opened it: BUY while more was bought than sold. */
  readonly side: Side
  /** Unix milliseconds of its first fill. */
  readonly openedAt: number
  /** Decimal string: the quantity held or, for a SELL, the quantity missing from the initial balance. */
  readonly qty: string
  /** Decimal string: mean price of the fills that opened it or made it grow, to 8 digits more than a price has. */
  readonly entryPrice: string
  /** Decimal string: the last recorded price; null when none was recorded. */
  readonly lastPrice: string | null
  /**
   * Decimal string in the quote asset: profit of the whole trip, including what it has already closed, if it ended at
   * the last recorded price without a further fee. Null without a price.
   */
  readonly unrealizedPnl: string | null
  readonly quoteAsset: string
}

/**
 * @param quoteScale  ledger digits of the market's quote asset
 * @param lastPrice   ticks; 0 when none was recorded
 */
export function openTripReport(trip: OpenTrip, market: Market, quoteScale: number, lastPrice: number): OpenTripReport {
  const { symbol, pricePrecision, qtyPrecision, quoteAsset } = market
  const { side, openedAt, qty, entryNotional, entryQty } = trip
  const isPriced = lastPrice > 0
  return {
    symbol,
    side,
    openedAt,
    qty: formatTrimmed(qty, qtyPrecision),
    entryPrice: averagePrice(entryNotional, entryQty, pricePrecision),
    lastPrice: isPriced ? formatUnits(lastPrice, pricePrecision) : null,
    unrealizedPnl: isPriced ? formatTrimmed(trip.pnlAt(lastPrice), quoteScale) : null,
    quoteAsset,
  }
}
