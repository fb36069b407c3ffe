/** Events of a group's orders, and the listener that applies them to the order first. */
import type { Decimal } from '../../../domain/decimal.ts'
import type { Refusal, Refuser } from '../../../domain/refusal.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupOrders } from './group-orders.ts'
import type { GroupParts } from './group-parts.ts'

export interface GroupOrderEvents {
  readonly onTaken: () => void
  /** The order already includes the fill. @param price  undefined if it is no longer known */
  readonly onFill: (order: GroupOrder, qty: Decimal, price?: Decimal) => void
  readonly onEnd: (order: GroupOrder) => void
  /** @param refusal  undefined for an order assumed absent, which may still appear */
  readonly onRefused: (order: GroupOrder, refusal: Refusal | undefined, by: Refuser | undefined) => void
  /** An order assumed absent has appeared. */
  readonly onLate: (order: GroupOrder) => void
  /** An order of an earlier session was never sent. */
  readonly onUnsent: (order: GroupOrder) => void
}

/** Updates the order's own state, and then reports the event. */
export function listenerOf(
  order: GroupOrder,
  orders: GroupOrders,
  events: GroupOrderEvents,
  linkOf: GroupParts['linkOf'],
): OrderListener {
  const found = ({ id, qty }: { readonly id: string; readonly qty: Decimal }): void => {
    order.id = id
    order.isFollowed = true
    order.qty = order.filled.plus(qty)
  }
  // The end states the filled quantity, and may come before the last fills.
  let heard = order.filled
  const fill = (qty: Decimal, price?: Decimal): void => {
    if (!qty.gt(0)) return
    order.filled = order.filled.plus(qty)
    events.onFill(order, qty, price)
  }
  return {
    onAsked: (reference) => {
      order.reference = reference
      order.link = linkOf(reference)
    },
    onTaken: (own) => {
      found(own)
      events.onTaken()
      if (order.isUnwanted) orders.cancel(order)
    },
    onFill: ({ qty, price }) => {
      heard = heard.plus(qty)
      fill(heard.minus(order.filled), price)
    },
    onRefused: (refusal, by) => {
      events.onRefused(order, refusal, by)
    },
    onLate: (own) => {
      found(own)
      orders.add(order)
      events.onLate(order)
    },
    onEnd: ({ filledQty }) => {
      fill(filledQty.minus(order.filled))
      events.onEnd(order)
    },
    isWanted: () => !order.isUnwanted,
  }
}
