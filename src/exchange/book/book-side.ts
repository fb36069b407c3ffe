/**
 * One side of an order book: price levels, each a queue of orders.
 *
 * Layout: a price maps to a key that grows the better it is: the price itself for bids, its negative for asks. Levels
 * near the best price are in a window of ticks with direct lookup; levels outside it, worse or better, are in sorted
 * chunks.
 * Invariants: `best` is the best level of all. A level is in the window exactly when the window covers its key.
 * Complexity: constant within the window. The window follows the best price only after as many levels were added
 * outside it as have to move, so that moves are amortized.
 * Known limitation: a single order pays for the whole amortized move, some milliseconds for a full window.
 */
import type { Side } from '../../domain/order.ts'
import { FarLevels } from './far-levels.ts'
import { NearLevels, WINDOW } from './near-levels.ts'
import { NONE, type OrderSlots } from './order-slots.ts'
import { PriceLevels } from './price-levels.ts'

/** Maximum of levels added outside the window before its position is reconsidered. */
const LOOK_EVERY = 64
/** Ticks. A window that covers the best price and is closer than this to its ideal position stays. */
const NEAR_ENOUGH = WINDOW / 4

export class BookSide {
  readonly #slots: OrderSlots
  readonly #levels: PriceLevels
  readonly #sign: 1 | -1
  readonly #near = new NearLevels()
  readonly #far = new FarLevels()
  /** Levels that came outside of the window since it moved. */
  #outside = 0
  #nextLook = 1
  #best = NONE
  #bestKey = Number.NEGATIVE_INFINITY

  constructor(slots: OrderSlots, side: Side) {
    this.#slots = slots
    this.#levels = new PriceLevels(slots)
    this.#sign = side === 'BUY' ? 1 : -1
  }

  /** The best level; NONE when the side is empty. */
  get best(): number {
    return this.#best
  }

  /** Ticks; undefined when the side is empty. */
  get bestPrice(): number | undefined {
    return this.#best === NONE ? undefined : this.#bestKey * this.#sign
  }

  /** Larger is better; -Infinity when the side is empty. */
  get bestKey(): number {
    return this.#bestKey
  }

  /** Key of a price; of 0 for a bid, or Infinity for an ask, every level is at it or better. */
  keyOf(price: number): number {
    return price * this.#sign
  }

  /** The first order of a level. */
  first(level: number): number {
    return this.#levels.first(level)
  }

  /** Open lots of a level. */
  lots(level: number): bigint {
    return this.#levels.lots(level)
  }

  /** Ticks. */
  priceOf(level: number): number {
    return this.#slots.price(this.first(level))
  }

  /** The level at a price; NONE when no order is there. */
  at(price: number): number {
    return this.#find(price * this.#sign)
  }

  /** The next worse level; NONE after the last. */
  worse(level: number): number {
    const key = this.#keyBelow(this.keyOf(this.priceOf(level)))
    return key === Number.NEGATIVE_INFINITY ? NONE : this.#find(key)
  }

  /** Appends an order to the queue of its price. */
  append(slot: number): void {
    const key = this.#slots.price(slot) * this.#sign
    const found = this.#find(key)
    if (found === NONE) this.#open(key, slot)
    else this.#levels.append(found, slot)
  }

  /** Takes an order out of its queue. */
  remove(slot: number): void {
    const level = this.#slots.level(slot)
    if (!this.#levels.remove(level, slot)) this.#close(level, this.#slots.price(slot) * this.#sign)
  }

  /**
   * Reduces an order, which keeps its queue position.
   *
   * @param lots  fewer than remain of it
   */
  reduce(slot: number, lots: number): void {
    const slots = this.#slots
    slots.setRemaining(slot, slots.remaining(slot) - lots)
    this.#levels.subtract(slots.level(slot), lots)
  }

  /** `lots` of the best level are filled, and its orders before `slot` with them; NONE when all are. */
  advanceBest(slot: number, lots: number): void {
    this.#levels.subtract(this.#best, lots)
    if (slot === NONE) this.#close(this.#best, this.#bestKey)
    else this.#levels.advance(this.#best, slot)
  }

  #find(key: number): number {
    return this.#near.covers(key) ? this.#near.find(key) : this.#far.find(key)
  }

  /** The key of the next worse level; -Infinity when there is none. */
  #keyBelow(key: number): number {
    const near = this.#near
    if (key <= near.base) return this.#far.keyBelow(key)
    if (key > near.end) {
      const far = this.#far.keyBelow(key)
      if (far >= near.end) return far
    }
    const inside = near.keyBelow(Math.min(key, near.end))
    return inside === Number.NEGATIVE_INFINITY ? this.#far.keyBelow(near.base) : inside
  }

  #open(key: number, slot: number): void {
    const near = this.#near
    const isFirst = this.#best === NONE
    const level = this.#levels.open(slot)
    if (key > this.#bestKey) {
      this.#best = level
      this.#bestKey = key
    }
    // Nothing has to move when nothing is there.
    if (isFirst && !near.covers(key)) near.moveTo(near.baseFor(key), this.#far)
    if (near.covers(key)) near.set(key, level)
    else this.#openOutside(key, level)
  }

  #openOutside(key: number, level: number): void {
    this.#far.insert(key, level)
    this.#outside += 1
    if (this.#outside >= this.#nextLook) this.#look()
  }

  /** Moves the window if its position is wrong and enough levels were added outside it to amortize the move. */
  #look(): void {
    const near = this.#near
    const base = near.baseFor(this.#bestKey)
    this.#nextLook = this.#outside + Math.min(this.#outside, LOOK_EVERY)
    if (near.covers(this.#bestKey) && Math.abs(base - near.base) < NEAR_ENOUGH) return
    if (near.leaving(base) + this.#far.countBetween(base, base + WINDOW) > this.#outside) return
    near.moveTo(base, this.#far)
    this.#outside = 0
    this.#nextLook = 1
  }

  #close(level: number, key: number): void {
    if (this.#near.covers(key)) this.#near.clear(key)
    else this.#far.remove(key)
    this.#levels.close(level)
    if (level !== this.#best) return
    this.#bestKey = this.#keyBelow(key)
    this.#best = this.#bestKey === Number.NEGATIVE_INFINITY ? NONE : this.#find(this.#bestKey)
  }
}
