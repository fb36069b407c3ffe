/**
 * Orders of a group that an earlier session requested, and those assumed absent: their fate is looked up until it is
 * known.
 */
import { Decimal, toDecimal } from '../../../domain/decimal.ts'
import type { OrderFate } from '../../../adapter/live/orders/order-fate.ts'
import type { OrderFollower } from '../followed-orders.ts'
import type { GroupOrder } from './group-order.ts'
import type { GroupOrderProcess } from './group-order-events.ts'
import type { GroupOrders } from './group-orders.ts'
import type { GroupParts } from './group-parts.ts'

type Found = Extract<OrderFate, { readonly filled: Decimal }>

export interface EarlierOrdersParts extends Pick<GroupParts, 'fateOf' | 'follow'> {
  readonly orders: GroupOrders
  readonly process: GroupOrderProcess
  readonly followerOf: (order: GroupOrder) => OrderFollower
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
    const { orders, process } = this.#parts
    this.#isUnsettled = false
    this.#lookForLate()
    const unsent: GroupOrder[] = []
    for (const order of orders.all.filter(({ isFollowed }) => !isFollowed)) {
      const fate = this.#fateOf(order)
      if (fate.type === 'unknown') this.#isUnsettled = true
      else if (fate.type === 'unsent') unsent.push(order)
      else if (fate.type === 'absent') process(order, { type: 'refused', refusal: undefined, by: undefined })
      else this.#found(order, fate)
    }
    // After the fills of the others, which determine how much is left to order.
    for (const order of unsent) process(order, { type: 'unsent' })
  }

  #lookForLate(): void {
    const { orders, process } = this.#parts
    for (const order of orders.absent.filter(({ isFollowed }) => !isFollowed)) {
      const fate = this.#fateOf(order)
      // Its time in quarantine is over.
      if (fate.type === 'unsent') orders.delete(order)
      if (fate.type !== 'open' && fate.type !== 'over') continue
      orders.add(order)
      this.#found(order, fate)
      process(order, { type: 'appeared' })
    }
  }

  #fateOf({ link }: GroupOrder): OrderFate {
    return link === undefined ? { type: 'unsent' } : this.#parts.fateOf(link)
  }

  #found(order: GroupOrder, { type, orderId, filled }: Found): void {
    const { orders, follow, followerOf, process } = this.#parts
    order.id = orderId
    order.isFollowed = true
    const missed = filled.minus(order.filled)
    order.filled = Decimal.max(filled, order.filled)
    if (type === 'open') follow(orderId, followerOf(order))
    if (missed.gt(toDecimal(0))) process(order, { type: 'filled', qty: missed, price: undefined })
    if (type === 'over') process(order, { type: 'ended' })
    else if (order.isUnwanted) orders.cancel(order)
  }
}
