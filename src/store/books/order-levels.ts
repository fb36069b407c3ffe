/**
 * Orders by their ids added up to price levels: for formats that tell each order.
 *
 * Invariant: a level has the sum of what is left of its orders. Quantities are whole numbers, as shares and contracts are.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import type { LevelText } from './book-event.ts'

export type OrderSide = 'bids' | 'asks'

interface Resting {
  readonly side: OrderSide
  readonly price: string
  qty: number
}

export class OrderLevels {
  readonly #orders = new Map<string, Resting>()
  readonly #levels = { bids: new Map<string, number>(), asks: new Map<string, number>() }
  #changed = { bids: new Set<string>(), asks: new Set<string>() }

  /** An order comes to rest, or is another than it was. */
  put(id: string, side: OrderSide, price: string, qty: number, where: string): void {
    this.remove(id)
    this.#orders.set(id, { side, price, qty })
    this.#add(side, price, qty, where)
  }

  /** False for an order that nobody knows, and for more than is left of it. */
  reduce(id: string, by: number): boolean {
    const order = this.#orders.get(id)
    if (order === undefined) return false
    const lots = Math.min(by, order.qty)
    this.#add(order.side, order.price, -lots, id)
    order.qty -= lots
    if (order.qty === 0) this.#orders.delete(id)
    return lots === by
  }

  /** False for an order that nobody knows. */
  remove(id: string): boolean {
    const order = this.#orders.get(id)
    return order !== undefined && this.reduce(id, order.qty)
  }

  /** Whether such an order rests. */
  has(id: string, side: OrderSide, price: string, qty: number): boolean {
    const order = this.#orders.get(id)
    return order?.side === side && order.price === price && order.qty === qty
  }

  clear(): void {
    this.#orders.clear()
    for (const side of ['bids', 'asks'] as const) {
      for (const price of this.#levels[side].keys()) this.#changed[side].add(price)
      this.#levels[side].clear()
    }
  }

  /** All levels. */
  all(): Readonly<Record<OrderSide, readonly LevelText[]>> {
    this.#changed = { bids: new Set(), asks: new Set() }
    const of = (side: OrderSide): readonly LevelText[] =>
      Array.from(this.#levels[side], ([price, qty]): LevelText => [price, String(qty)])
    return { bids: of('bids'), asks: of('asks') }
  }

  /** The levels that have changed since the last time. */
  changes(): Readonly<Record<OrderSide, readonly LevelText[]>> {
    const changed = this.#changed
    this.#changed = { bids: new Set(), asks: new Set() }
    const of = (side: OrderSide): readonly LevelText[] =>
      Array.from(changed[side], (price): LevelText => [price, String(this.#levels[side].get(price) ?? 0)])
    return { bids: of('bids'), asks: of('asks') }
  }

  #add(side: OrderSide, price: string, qty: number, where: string): void {
    const levels = this.#levels[side]
    const sum = (levels.get(price) ?? 0) + qty
    if (!Number.isSafeInteger(sum)) throw new InputError(where, 'expected at most 2^53 - 1 at a price, got more')
    invariant(sum >= 0, 'a level has what its orders have')
    if (sum === 0) levels.delete(price)
    else levels.set(price, sum)
    this.#changed[side].add(price)
  }
}
