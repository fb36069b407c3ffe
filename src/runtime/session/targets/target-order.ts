/** The order that moves a position to its target. */
import { Decimal, type DecimalInput } from '../../../domain/decimal.ts'
import type { PlaceIntent } from '../../../strategy/intent.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { TargetIntent } from '../../../strategy/target-intent.ts'
import { numberOf, shareOf, type Sizing } from './sizing.ts'

/** An order; undefined if the position is at its target, to a lot; or the reason why it is unknown. */
export type TargetOrder = PlaceIntent | undefined | { readonly reason: string }

/** @throws {Error} for an invalid size or price */
export function targetOrder(intent: TargetIntent, market: MarketView, sizing: Sizing): TargetOrder {
  checkPrice(intent)
  const price = sizing.lastPrice(market.symbol)
  const target = targetOf(intent, market, sizing, price)
  if (typeof target === 'string') return { reason: target }
  const missing = target.minus(sizing.coming(market))
  if (missing.isZero()) return undefined
  if (missing.isNegative()) return orderOf(intent, market, 'SELL', market.floorQty(missing.abs()))
  if (price === undefined && intent.price === undefined) return { reason: NO_PRICE }
  const payable = sizing.payable(market, price ?? Decimal(0), intent.price)
  return orderOf(intent, market, 'BUY', market.floorQty(Decimal.min(missing, payable)))
}

const NO_PRICE = 'there was no price yet'

function targetOf(
  intent: TargetIntent,
  market: MarketView,
  sizing: Sizing,
  price: Decimal | undefined,
): Decimal | string {
  const { symbol, share, qty } = intent
  if ((share === undefined) === (qty === undefined)) throw new Error(`target of ${symbol}: expected a share or a qty`)
  if (qty !== undefined) return qtyOf(symbol, qty)
  const part = shareOf(`target of ${symbol}`, share ?? 0)
  if (part.isZero()) return part
  if (price === undefined) return NO_PRICE
  return sizing.qtyOfShare(market, part, price) ?? 'a holding has no price, so the equity is unknown'
}

function qtyOf(symbol: string, given: DecimalInput): Decimal {
  const qty = numberOf(`target of ${symbol}`, given)
  if (qty.isNegative()) throw new Error(`target of ${symbol}: expected a qty of 0 or more, got ${qty.toFixed()}`)
  return qty
}

/** A price of 0 or less would silently buy nothing. */
function checkPrice({ symbol, price }: TargetIntent): void {
  if (price === undefined || numberOf(`target of ${symbol}: price`, price).gt(0)) return
  throw new Error(`target of ${symbol}: expected a price above 0, got ${String(price)}`)
}

function orderOf(
  { tag, price }: TargetIntent,
  { symbol }: MarketView,
  side: 'BUY' | 'SELL',
  qty: Decimal,
): PlaceIntent | undefined {
  if (qty.isZero()) return undefined
  const tagged = tag === undefined ? {} : { tag }
  return price === undefined
    ? { type: 'market', symbol, side, qty, ...tagged }
    : { type: 'limit', symbol, side, price, qty, ...tagged }
}
