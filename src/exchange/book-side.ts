/**
 * One side of an order book: price levels, best first.
 *
 * Known limit: the prices are a sorted array, so a new level far from the best price moves those between.
 */
import type { DepthLevel } from '../domain/depth.ts'
import { invariant } from '../domain/errors.ts'
import type { Side } from '../domain/order.ts'
import type { LiveOrder } from './live-order.ts'
import { PriceLevel } from './price-level.ts'

export class BookSide {
  /** 1 when a higher price is better (bids), -1 when a lower one is (asks). */
  readonly #sign: 1 | -1
  /** Worst first, so that the best level is added and removed at the end. */
  readonly #levels: PriceLevel[] = []

  constructor(side: Side) {
    this.#sign = side === 'BUY' ? 1 : -1
  }

  get best(): PriceLevel | undefined {
    return this.#levels.at(-1)
  }

  /** True when an order on the other side that is limited to `limit` would meet an order at `price` here. */
  isReachedBy(limit: number, price: number): boolean {
    return price * this.#sign >= limit * this.#sign
  }

  add(order: LiveOrder): void {
    const index = this.#indexOf(order.price)
    const found = this.#levels[index]
    if (found?.price === order.price) {
      found.append(order)
      return
    }
    const level = new PriceLevel(order.price)
    level.append(order)
    this.#levels.splice(index, 0, level)
  }

  remove(order: LiveOrder): void {
    const index = this.best?.price === order.price ? this.#levels.length - 1 : this.#indexOf(order.price)
    const level = this.#levels[index]
    invariant(level?.price === order.price, `order ${order.id} does not rest`)
    level.remove(order)
    if (level.first === undefined) this.#levels.splice(index, 1)
  }

  /** Resting orders in the order in which they are matched. */
  *orders(): Generator<LiveOrder> {
    for (let index = this.#levels.length - 1; index >= 0; index -= 1) {
      const level = this.#levels[index]
      if (level !== undefined) yield* level
    }
  }

  /** Those at one price, first come first. */
  *ordersAt(price: number): Generator<LiveOrder> {
    const level = this.#levels[this.#indexOf(price)]
    if (level?.price === price) yield* level
  }

  /** Those at `price` or better, in the order in which they are matched. */
  *ordersTo(price: number): Generator<LiveOrder> {
    for (const order of this.orders()) {
      if (!this.isReachedBy(price, order.price)) return
      yield order
    }
  }

  depth(count: number): readonly DepthLevel[] {
    const first = Math.max(0, this.#levels.length - count)
    return this.#levels
      .slice(first)
      .reverse()
      .map((level) => ({ price: level.price, qty: level.qty() }))
  }

  /** Index of the level at `price`, or where it would be inserted. */
  #indexOf(price: number): number {
    let low = 0
    let high = this.#levels.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const level = this.#levels[middle]
      if (level !== undefined && level.price * this.#sign < price * this.#sign) low = middle + 1
      else high = middle
    }
    return low
  }
}
