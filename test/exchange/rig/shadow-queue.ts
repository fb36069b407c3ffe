/**
 * One side of a book, kept from the events alone: who comes first.
 */
import type { DepthLevel } from '../../../src/domain/depth.ts'
import type { Side } from '../../../src/domain/order.ts'

/** What a queue must know of an order. */
interface Queued {
  /** Ticks. */
  readonly price: number
  /** Lots that are still open. */
  readonly remaining: number
}

interface ShadowLevel<T> {
  readonly price: number
  readonly orders: T[]
}

export class ShadowQueue<T extends Queued> {
  readonly #isBid: boolean
  /** Best last. */
  readonly #levels: ShadowLevel<T>[] = []

  constructor(side: Side) {
    this.#isBid = side === 'BUY'
  }

  get levelCount(): number {
    return this.#levels.length
  }

  /** The one that must be matched next: the oldest at the best price. */
  get first(): T | undefined {
    return this.#levels.at(-1)?.orders[0]
  }

  /** Lots at the best `count` levels. */
  depth(count: number): readonly DepthLevel[] {
    const best = this.#levels.slice(Math.max(0, this.#levels.length - count)).reverse()
    return best.map(({ price, orders }) => ({
      price,
      qty: orders.reduce((qty, { remaining }) => qty + BigInt(remaining), 0n),
    }))
  }

  ordersAt(price: number): readonly T[] {
    return this.#levels.find((level) => level.price === price)?.orders ?? []
  }

  /** Those at its price that are to be matched after it. */
  behind(order: T): readonly T[] {
    const queue = this.ordersAt(order.price)
    return queue.slice(queue.indexOf(order) + 1)
  }

  add(order: T): void {
    const index = this.#placeOf(order.price)
    const level = this.#levels[index]
    if (level?.price === order.price) level.orders.push(order)
    else this.#levels.splice(index, 0, { price: order.price, orders: [order] })
  }

  /** @returns whether it was there */
  remove(order: T): boolean {
    const place = this.#placeOf(order.price)
    const level = this.#levels[place]
    const index = level?.price === order.price ? level.orders.indexOf(order) : -1
    if (level === undefined || index < 0) return false
    level.orders.splice(index, 1)
    if (level.orders.length === 0) this.#levels.splice(place, 1)
    return true
  }

  /** How many levels are worse than `price`. */
  #placeOf(price: number): number {
    const isWorse = (level: ShadowLevel<T>): boolean => (this.#isBid ? level.price < price : level.price > price)
    let [low, high] = [0, this.#levels.length]
    while (low < high) {
      const middle = (low + high) >>> 1
      const level = this.#levels[middle]
      if (level !== undefined && isWorse(level)) low = middle + 1
      else high = middle
    }
    return low
  }
}
