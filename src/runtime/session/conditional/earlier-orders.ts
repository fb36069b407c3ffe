/**
 * Orders of a group that an earlier session requested, and those assumed absent: their fate is looked up until it is
 * known.
 */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { OrderListener } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupOrderEvents } from './group-order-events.ts'
import type { GroupOrders } from './group-orders.ts'
import type { GroupParts } from './group-parts.ts'

type Found = Extract<OrderFate, { readonly filled: Decimal }>

export interface EarlierOrdersParts extends Pick<GroupParts, 'fateOf' | 'follow'> {
  readonly orders: GroupOrders
  readonly events: GroupOrderEvents
  readonly listenerOf: (order: GroupOrder) => OrderListener
}

export class EarlierOrders {
  readonly #parts: EarlierOrdersParts
  /** True while the fate of an earlier session's order is unknown. */
  #isUnsettled = false

  constructor(parts: EarlierOrdersParts) {
    this.#parts = parts
  }

  /** True while something must be looked up again, at the next price. */
  get areUnsettled(): boolean {
    return this.#isUnsettled || this.#parts.orders.absent.some(({ isFollowed }) => !isFollowed)
  }

  /** Applies the known fates; an order that an operator must decide is looked up again later. */
  look(): void {
    const { orders, events } = this.#parts
    this.#isUnsettled = false
    this.#lookForLate()
    const unsent: GroupOrder[] = []
    for (const order of orders.all.filter(({ isFollowed }) => !isFollowed)) {
      const fate = this.#fateOf(order)
      if (fate.type === 'unknown') this.#isUnsettled = true
      else if (fate.type === 'unsent') unsent.push(order)
      else if (fate.type === 'absent') events.onRefused(order, undefined, undefined)
      else this.#found(order, fate)
    }
    // After the fills of the others, which determine how much is left to order.
    for (const order of unsent) events.onUnsent(order)
  }

  #lookForLate(): void {
    const { orders, events } = this.#parts
    for (const order of orders.absent.filter(({ isFollowed }) => !isFollowed)) {
      const fate = this.#fateOf(order)
      // Its time in quarantine is over.
      if (fate.type === 'unsent') orders.delete(order)
      if (fate.type !== 'open' && fate.type !== 'over') continue
      orders.add(order)
      this.#found(order, fate)
      events.onLate(order)
    }
  }

  #fateOf({ link }: GroupOrder): OrderFate {
    return link === undefined ? { type: 'unsent' } : this.#parts.fateOf(link)
  }

  #found(order: GroupOrder, { type, orderId, filled }: Found): void {
    const { orders, follow, listenerOf, events } = this.#parts
    order.id = orderId
    order.isFollowed = true
    const missed = filled.minus(order.filled)
    order.filled = Decimal.max(filled, order.filled)
    if (type === 'open') follow(orderId, listenerOf(order))
    if (missed.gt(toDecimal(0))) events.onFill(order, missed)
    if (type === 'over') events.onEnd(order)
    else if (order.isUnwanted) orders.cancel(order)
  }
}
