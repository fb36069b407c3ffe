/**
 * Events of the orders of a group, and the listener that counts them in their order.
 */
import type { Decimal } from '../../../domain/decimal.ts'
import type { Refusal, Refuser } from '../../../domain/refusal.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupOrders } from './group-orders.ts'
import type { GroupParts } from './group-parts.ts'

export interface GroupOrderEvents {
  readonly onTaken: () => void
  /** It is counted in its order already. @param price  undefined when it is not known any more */
  readonly onFill: (order: GroupOrder, qty: Decimal, price?: Decimal) => void
  readonly onEnd: (order: GroupOrder) => void
  /** @param refusal  undefined for one that is assumed not to have been executed, and may come yet */
  readonly onRefused: (order: GroupOrder, refusal: Refusal | undefined, by: Refuser | undefined) => void
  /** One that was assumed absent is there. */
  readonly onLate: (order: GroupOrder) => void
  /** Of an earlier session: it never left. */
  readonly onUnsent: (order: GroupOrder) => void
}

/** Keeps what an order knows of itself, and reports what became of it behind that. */
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
  // The end says how much was filled, and may come before the last of the fills.
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
