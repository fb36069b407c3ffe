/**
 * Resting orders of the naive exchange: best price first, then the one that came first to that price (decision 11).
 */
import type { NaiveOrder } from './naive-market.ts'
import { limitPrice } from './naive-order.ts'

/** Behind all that are at its price or better. */
export function rest(order: NaiveOrder): void {
  const { side } = order.request
  const isWorse = (other: NaiveOrder): boolean =>
    side === 'BUY' ? limitPrice(other) < limitPrice(order) : limitPrice(other) > limitPrice(order)
  const orders = order.market.book[side]
  const place = orders.findIndex(isWorse)
  orders.splice(place < 0 ? orders.length : place, 0, order)
}

export function leave(order: NaiveOrder): void {
  const orders = order.market.book[order.request.side]
  const place = orders.indexOf(order)
  if (place >= 0) orders.splice(place, 1)
}
