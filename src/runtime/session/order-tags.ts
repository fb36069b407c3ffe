/**
 * Tags of a strategy's orders, its own text on each, while they live: the exchange knows nothing of them.
 */
import { ExactFill } from '../../strategy/exact-fill.ts'
import { ExactOrder } from '../../strategy/exact-order.ts'
import type { OwnFill, OwnOrder } from '../../strategy/own-order.ts'

export class OrderTags {
  readonly #tagsByOrder = new Map<string, string>()

  write(orderId: string, tag: string): void {
    this.#tagsByOrder.set(orderId, tag)
  }

  /** The order is finished, and nothing more will be told of it. */
  forget(orderId: string): void {
    this.#tagsByOrder.delete(orderId)
  }

  order(order: OwnOrder): OwnOrder {
    const tag = this.#tagsByOrder.get(order.id)
    if (tag === undefined) return order
    return order instanceof ExactOrder ? order.withTag(tag) : { ...order, tag }
  }

  fill(fill: OwnFill): OwnFill {
    const tag = this.#tagsByOrder.get(fill.orderId)
    if (tag === undefined) return fill
    return fill instanceof ExactFill ? fill.withTag(tag) : { ...fill, tag }
  }
}
