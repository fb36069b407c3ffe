/**
 * Aggregates orders by id to price levels, for order-level formats, and tracks their arrivals and removals.
 *
 * Invariant: a level has the sum of the open quantities of its orders. Quantities are whole numbers, as shares and
 * contracts are.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import type { LevelText, ReportedFall } from './book-event.ts'

export type OrderSide = 'bids' | 'asks'

interface Resting {
  readonly side: OrderSide
  readonly price: string
  qty: number
  /** Unix milliseconds of its first frame; undefined until that is emitted. */
  since: number | undefined
  readonly isSeenToCome: boolean
  /** Quantity already traded but not yet removed from the order. */
  traded: number
}

interface Fall {
  readonly order: Resting
  readonly qty: number
  readonly isTraded: boolean
}

/** Resting order of a record. */
export interface Placing {
  readonly side: OrderSide
  readonly price: string
  readonly qty: number
  /** True if it arrives now; false if it was there before. */
  readonly isNew: boolean
}

/** Contents of a frame. */
export interface LevelsAndFalls extends Readonly<Record<OrderSide, readonly LevelText[]>> {
  readonly falls: readonly ReportedFall[]
}

export class OrderLevels {
  #orders = new Map<string, Resting>()
  /** Orders before the book was cleared: those in the new snapshot have not moved. */
  #former: ReadonlyMap<string, Resting> = new Map()
  readonly #levels = { bids: new Map<string, number>(), asks: new Map<string, number>() }
  #changed = { bids: new Set<string>(), asks: new Set<string>() }
  #falls: Fall[] = []
  readonly #new = new Set<Resting>()
  /** Lots of trades by side and price that are not yet attributed to orders. */
  readonly #tradedAt = new Map<string, number>()

  /** Adds or changes an order: it keeps its queue position if its price is unchanged and it does not grow. */
  put(id: string, { side, price, qty, isNew }: Placing, where: string): void {
    const known = this.#orders.get(id)
    if (known?.side === side && known.price === price && qty <= known.qty && qty > 0) {
      this.reduce(id, known.qty - qty)
      return
    }
    this.remove(id)
    const former = this.#former.get(id)
    const isStill = former?.side === side && former.price === price && qty <= former.qty
    const isSeenToCome = isStill ? former.isSeenToCome : isNew || known !== undefined
    const order = { side, price, qty, since: isStill ? former.since : undefined, isSeenToCome, traded: 0 }
    if (order.since === undefined) this.#new.add(order)
    this.#orders.set(id, order)
    this.#add(side, price, qty, where)
  }

  /** Marks a quantity of an order as traded; it is removed later. */
  trade(id: string, qty: number): void {
    const order = this.#orders.get(id)
    if (order !== undefined) order.traded = Math.min(order.qty, order.traded + qty)
  }

  /** Records a traded quantity at a price; records of the orders may come before it, after it, or not at all. */
  tradeAt(side: OrderSide, price: string, qty: number): void {
    const key = `${side} ${price}`
    this.#tradedAt.set(key, (this.#tradedAt.get(key) ?? 0) + qty)
  }

  /** False for an unknown order, and for more than is left of it. */
  reduce(id: string, by: number): boolean {
    const order = this.#orders.get(id)
    if (order === undefined) return false
    const lots = Math.min(by, order.qty)
    this.#add(order.side, order.price, -lots, id)
    const traded = Math.min(lots, order.traded)
    order.qty -= lots
    order.traded -= traded
    if (traded > 0) this.#falls.push({ order, qty: traded, isTraded: true })
    // An order that arrives and is cancelled within one frame is never visible.
    if (lots > traded && order.since !== undefined) this.#falls.push({ order, qty: lots - traded, isTraded: false })
    if (order.qty === 0) {
      this.#orders.delete(id)
      this.#new.delete(order)
    }
    return lots === by
  }

  /** False for an unknown order. */
  remove(id: string): boolean {
    const order = this.#orders.get(id)
    return order !== undefined && this.reduce(id, order.qty)
  }

  /** Whether such an order rests. */
  has(id: string, side: OrderSide, price: string, qty: number): boolean {
    const order = this.#orders.get(id)
    return order?.side === side && order.price === price && order.qty === qty
  }

  /** Removes all orders, for unknown reasons. */
  clear(): void {
    this.#former = new Map([...this.#former, ...this.#orders])
    this.#orders = new Map()
    this.#falls = []
    for (const side of ['bids', 'asks'] as const) {
      for (const price of this.#levels[side].keys()) this.#changed[side].add(price)
      this.#levels[side].clear()
    }
  }

  /**
   * All levels.
   *
   * @param time  Unix milliseconds of their frame
   */
  all(time: number): LevelsAndFalls {
    this.#changed = { bids: new Set(), asks: new Set() }
    this.#former = new Map()
    const of = (side: OrderSide): readonly LevelText[] =>
      Array.from(this.#levels[side], ([price, qty]): LevelText => [price, String(qty)])
    return { bids: of('bids'), asks: of('asks'), falls: this.#reported(time) }
  }

  /**
   * Levels changed since the last call.
   *
   * @param time  Unix milliseconds of their frame
   */
  changes(time: number): LevelsAndFalls {
    const changed = this.#changed
    this.#changed = { bids: new Set(), asks: new Set() }
    const of = (side: OrderSide): readonly LevelText[] =>
      Array.from(changed[side], (price): LevelText => [price, String(this.#levels[side].get(price) ?? 0)])
    return { bids: of('bids'), asks: of('asks'), falls: this.#reported(time) }
  }

  /** Removals since the last call; orders that arrived since then rest from now on. */
  #reported(time: number): readonly ReportedFall[] {
    for (const order of this.#new) order.since ??= time
    for (const { order, qty, isTraded } of this.#falls) if (isTraded) this.#explain(order, qty)
    const falls = this.#falls
      .flatMap((fall) => this.#withTrades(fall))
      .map(({ order, qty, isTraded }): ReportedFall => {
        const { side, price, isSeenToCome, since = time } = order
        return { side, price, qty: String(qty), since, isSeenToCome, isTraded }
      })
    this.#new.clear()
    this.#falls = []
    this.#tradedAt.clear()
    return falls
  }

  /**
   * Attributes a part of an order to the trades at its price.
   *
   * @returns that part
   */
  #explain({ side, price }: Resting, qty: number): number {
    const key = `${side} ${price}`
    const left = this.#tradedAt.get(key) ?? 0
    const part = Math.min(left, qty)
    if (part > 0) this.#tradedAt.set(key, left - part)
    return part
  }

  /** If trades do not identify their orders, removals at the trade price are attributed to them. */
  #withTrades(fall: Fall): readonly Fall[] {
    const traded = fall.isTraded ? 0 : this.#explain(fall.order, fall.qty)
    if (traded === 0) return [fall]
    const cancelled = { ...fall, qty: fall.qty - traded }
    return [{ ...fall, qty: traded, isTraded: true }, ...(cancelled.qty > 0 ? [cancelled] : [])]
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
