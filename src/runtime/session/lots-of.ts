/** Quantities of orders and fills in lots of their market, from the exchange's own integers if available. */
import { stepsOf, toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { Market } from '../../domain/market.ts'
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'

/** Ordered or filled quantity; 0 in an unknown market. */
export function lotsOf(reported: OwnOrder | OwnFill, market: Market | undefined): number {
  if (reported instanceof ExactOrder) return reported.exact.qty
  if (reported instanceof ExactFill) return reported.exact.trade.qty
  return lotsOfQty(reported.qty, market)
}

/** Filled quantity of an order; 0 in an unknown market. */
export const filledLotsOf = (order: OwnOrder, market: Market | undefined): number =>
  order instanceof ExactOrder ? order.exact.filledQty : lotsOfQty(order.filledQty, market)

const lotsOfQty = (qty: Decimal, market: Market | undefined): number =>
  market === undefined ? 0 : stepsOf(toDecimal(qty), market.qtyPrecision)
