/**
 * The resting orders of one side at one price, first come first matched.
 */
import type { LiveOrder } from './live-order.ts'

export class PriceLevel {
  readonly price: number
  first: LiveOrder | undefined
  #last: LiveOrder | undefined

  constructor(price: number) {
    this.price = price
  }

  append(order: LiveOrder): void {
    order.ahead = this.#last
    if (this.#last === undefined) this.first = order
    else this.#last.behind = order
    this.#last = order
  }

  remove(order: LiveOrder): void {
    if (order.ahead === undefined) this.first = order.behind
    else order.ahead.behind = order.behind
    if (order.behind === undefined) this.#last = order.ahead
    else order.behind.ahead = order.ahead
    order.ahead = order.behind = undefined
  }

  *[Symbol.iterator](): Generator<LiveOrder> {
    for (let order = this.first; order !== undefined; order = order.behind) yield order
  }

  /** Lots of all its orders. */
  qty(): bigint {
    let qty = 0n
    for (const order of this) qty += BigInt(order.remaining)
    return qty
  }
}
