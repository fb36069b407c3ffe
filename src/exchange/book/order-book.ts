/**
 * Price-time priority order book of one market, in numbers: prices in ticks, quantities in lots, accounts as rows of
 * the ledger.
 *
 * Invariant: after each command no bid meets an ask.
 */
import { opposite, type Side } from '../../domain/order.ts'
import type { Depth, DepthLevel } from '../../domain/depth.ts'
import { BookSide } from './book-side.ts'
import { NONE, OrderSlots } from './order-slots.ts'

export class OrderBook {
  readonly slots = new OrderSlots()
  readonly bids = new BookSide(this.slots, 'BUY')
  readonly asks = new BookSide(this.slots, 'SELL')

  side(side: Side): BookSide {
    return side === 'BUY' ? this.bids : this.asks
  }

  /** Ticks; undefined when no order rests on that side. */
  bestPrice(side: Side): number | undefined {
    return this.side(side).bestPrice
  }

  /** Slots of the orders at one price, first in the queue first. The book must not change while they are read. */
  *ordersAt(side: Side, price: number): Generator<number> {
    const level = this.side(side).at(price)
    if (level !== NONE) yield* this.#queue(this.side(side), level)
  }

  /**
   * Slots of the orders at `price` or better, in matching order. The book must not change during the iteration.
   *
   * @param price  Infinity or 0 for all
   */
  *ordersTo(side: Side, price: number): Generator<number> {
    const levels = this.side(side)
    for (let level = levels.best; level !== NONE; level = levels.worse(level)) {
      if (levels.keyOf(levels.priceOf(level)) < levels.keyOf(price)) return
      yield* this.#queue(levels, level)
    }
  }

  /** Slots that an order would meet if it arrived now, with how much of each. */
  *walk(side: Side, limit: number, qty: number): Generator<Match> {
    let wanted = qty
    for (const maker of this.ordersTo(opposite(side), limit)) {
      if (wanted === 0) return
      const taken = Math.min(wanted, this.slots.remaining(maker))
      yield { maker, price: this.slots.price(maker), qty: taken }
      wanted -= taken
    }
  }

  depth(count: number): Depth {
    return { bids: this.#depthOf(this.bids, count), asks: this.#depthOf(this.asks, count) }
  }

  #depthOf(levels: BookSide, count: number): readonly DepthLevel[] {
    const depth: DepthLevel[] = []
    for (let level = levels.best; level !== NONE && depth.length < count; level = levels.worse(level)) {
      depth.push({ price: levels.priceOf(level), qty: levels.lots(level) })
    }
    return depth
  }

  *#queue(levels: BookSide, level: number): Generator<number> {
    for (let slot = levels.first(level); slot !== NONE; slot = this.slots.next(slot)) yield slot
  }
}

/** Match of an incoming order: the resting order and the lots. */
export interface Match {
  readonly maker: number
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
}
