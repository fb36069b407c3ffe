/** Events of a group's orders, and the follower that applies them to the order first. */
import type { Decimal } from '../../../domain/decimal.ts'
import type { Refusal, Refuser } from '../../../domain/refusal.ts'
import type { OrderFollower } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupOrders } from './group-orders.ts'
import type { GroupParts } from './group-parts.ts'

export type GroupOrderEvent =
  | { readonly type: 'accepted' }
  /** The order already includes the fill. `price` is undefined if it is no longer known. */
  | { readonly type: 'filled'; readonly qty: Decimal; readonly price: Decimal | undefined }
  /** `refusal` is undefined for an order assumed absent, which may still appear. */
  | { readonly type: 'refused'; readonly refusal: Refusal | undefined; readonly by: Refuser | undefined }
  /** An order assumed absent has appeared. */
  | { readonly type: 'appeared' }
  | { readonly type: 'ended' }
  /** An order of an earlier session was never sent. */
  | { readonly type: 'unsent' }

export type GroupOrderProcess = (order: GroupOrder, event: GroupOrderEvent) => void

/** Updates the order's own state, and then passes on the event. */
export function followerOf(
  order: GroupOrder,
  orders: GroupOrders,
  process: GroupOrderProcess,
  linkOf: GroupParts['linkOf'],
): OrderFollower {
  const found = ({ id, qty }: { readonly id: string; readonly qty: Decimal }): void => {
    order.id = id
    order.isFollowed = true
    order.qty = order.filled.plus(qty)
  }
  // The end states the filled quantity, and may come before the last fills.
  let reported = order.filled
  const fill = (qty: Decimal, price: Decimal | undefined): void => {
    if (qty.gt(0)) order.filled = order.filled.plus(qty)
    if (qty.gt(0)) process(order, { type: 'filled', qty, price })
  }
  return {
    followsLate: true,
    isWanted: () => !order.isUnwanted,
    process: (event) => {
      switch (event.type) {
        case 'requested':
          order.reference = event.reference
          order.link = linkOf(event.reference)
          break
        case 'accepted':
          found(event.order)
          process(order, { type: 'accepted' })
          if (order.isUnwanted) orders.cancel(order)
          break
        case 'filled':
          reported = reported.plus(event.fill.qty)
          fill(reported.minus(order.filled), event.fill.price)
          break
        case 'appeared':
          found(event.order)
          orders.add(order)
          process(order, { type: 'appeared' })
          break
        case 'refused':
          process(order, event)
          break
        case 'ended':
          fill(event.order.filledQty.minus(order.filled), undefined)
          process(order, { type: 'ended' })
          break
      }
    },
  }
}
