/**
 * One side of an order book: price levels, each a queue of orders.
 *
 * A price is turned into a key that is larger the better it is: the price itself for bids, its negative for asks. Levels near the best
 * price live in a window of ticks, found by their key alone; the worse ones below it are in a sorted array. When an order comes that
 * is better than the window, or below one that is empty, the window moves and takes its levels along.
 *
 * Known limit: a move costs what moves with it, at most 8 192 levels; who makes the window jump to and fro pays for it.
 * Invariant: every level in the window is better than every level outside of it, and `best` is the best of all.
 */
import type { Side } from '../../domain/order.ts'
import { FarLevels } from './far-levels.ts'
import { OccupiedTicks } from './occupied-ticks.ts'
import { NONE, type OrderSlots } from './order-slots.ts'

/** Ticks; a level's number is its tick in the window, or from here on. */
const WINDOW = 8192
/** Where in the window the best level is after it has moved: most orders come below the best price, some above it. */
const BEST_AT = WINDOW - WINDOW / 4
const FIRST_FAR_LEVELS = 8

export class BookSide {
  readonly #slots: OrderSlots
  readonly #sign: 1 | -1
  readonly #occupied = new OccupiedTicks(WINDOW)
  readonly #far = new FarLevels()
  readonly #freeFarLevels: number[] = []
  /** First and last order of each level. */
  #first = new Int32Array(WINDOW + FIRST_FAR_LEVELS)
  #last = new Int32Array(WINDOW + FIRST_FAR_LEVELS)
  #farLevelCount = 0
  /** Key of the window's first tick. */
  #base = 0
  #best = NONE
  #bestKey = Number.NEGATIVE_INFINITY

  constructor(slots: OrderSlots, side: Side) {
    this.#slots = slots
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
    return this.#first[level] ?? NONE
  }

  /** Ticks. */
  priceOf(level: number): number {
    return this.#slots.price(this.first(level))
  }

  /** The level at a price; NONE when no order is there. */
  at(price: number): number {
    const key = price * this.#sign
    const tick = key - this.#base
    if (tick < 0) return this.#far.find(key)
    return tick < WINDOW && this.#occupied.has(tick) ? tick : NONE
  }

  /** The next worse level; NONE after the last. */
  worse(level: number): number {
    if (level >= WINDOW) return this.#far.below(this.keyOf(this.priceOf(level)))
    const tick = this.#occupied.highestBelow(level)
    return tick === NONE ? this.#far.best : tick
  }

  /** Appends an order to the queue of its price. */
  append(slot: number): void {
    const key = this.#slots.price(slot) * this.#sign
    let tick = key - this.#base
    if (tick >= WINDOW || (tick < 0 && !this.#isWindowUsed())) {
      this.#moveWindow(Math.max(key, this.#far.bestKey) - BEST_AT)
      tick = key - this.#base
    }
    if (tick < 0) this.#appendFar(slot, key)
    else if (this.#occupied.has(tick)) this.#appendTo(tick, slot)
    else {
      this.#occupied.set(tick)
      this.#start(tick, slot)
      if (key > this.#bestKey) this.#setBest(tick, key)
    }
  }

  /** Takes an order out of its queue. */
  remove(slot: number): void {
    const slots = this.#slots
    const next = slots.next(slot)
    const previous = slots.previous(slot)
    if (next !== NONE && previous !== NONE) {
      slots.setNext(previous, next)
      slots.setPrevious(next, previous)
      return
    }
    const level = this.at(slots.price(slot))
    if (next === NONE && previous === NONE) {
      this.#removeLevel(level, slots.price(slot) * this.#sign)
    } else if (previous === NONE) {
      this.#first[level] = next
      slots.setPrevious(next, NONE)
    } else {
      this.#last[level] = previous
      slots.setNext(previous, NONE)
    }
  }

  /** The orders of the best level before `slot` are gone; NONE when all are. */
  advanceBest(slot: number): void {
    if (slot === NONE) this.#removeLevel(this.#best, this.#bestKey)
    else {
      this.#first[this.#best] = slot
      this.#slots.setPrevious(slot, NONE)
    }
  }

  #isWindowUsed(): boolean {
    return this.#best !== NONE && this.#best < WINDOW
  }

  #setBest(level: number, key: number): void {
    this.#best = level
    this.#bestKey = key
  }

  #start(level: number, slot: number): void {
    this.#first[level] = slot
    this.#last[level] = slot
    this.#slots.setNext(slot, NONE)
    this.#slots.setPrevious(slot, NONE)
  }

  #appendTo(level: number, slot: number): void {
    const last = this.#last[level] ?? NONE
    this.#last[level] = slot
    this.#slots.setNext(slot, NONE)
    this.#slots.setPrevious(slot, last)
    this.#slots.setNext(last, slot)
  }

  #appendFar(slot: number, key: number): void {
    const found = this.#far.find(key)
    if (found !== NONE) {
      this.#appendTo(found, slot)
      return
    }
    const level = this.#takeFarLevel()
    this.#start(level, slot)
    this.#far.insert(key, level)
    if (key > this.#bestKey) this.#setBest(level, key)
  }

  #removeLevel(level: number, key: number): void {
    if (level < WINDOW) this.#occupied.clear(level)
    else {
      this.#far.remove(key)
      this.#freeFarLevels.push(level)
    }
    if (level !== this.#best) return
    const next = level < WINDOW ? this.worse(level) : this.#far.best
    this.#setBest(next, next === NONE ? Number.NEGATIVE_INFINITY : this.keyOf(this.priceOf(next)))
  }

  /** Levels move out at the lower end of the window, or in from below it. Costs what has to move, and the bitmap. */
  #moveWindow(base: number): void {
    const from = this.#base
    const ticks = this.#ticksInUse()
    this.#occupied.clearAll()
    this.#base = base
    // It moves up, or it is empty; so the lowest level goes first, into room that no other level needs any more.
    for (let index = ticks.length - 1; index >= 0; index -= 1) {
      const tick = ticks[index] ?? NONE
      this.#moveLevel(tick, from + tick)
    }
    while (this.#far.bestKey >= base) this.#moveIn(this.#far.best, this.#far.bestKey)
    this.#best = this.at(this.#bestKey * this.#sign)
  }

  /** Highest first. */
  #ticksInUse(): readonly number[] {
    const ticks: number[] = []
    let tick = this.#occupied.highestBelow(WINDOW)
    for (; tick !== NONE; tick = this.#occupied.highestBelow(tick)) ticks.push(tick)
    return ticks
  }

  #moveLevel(level: number, key: number): void {
    const tick = key - this.#base
    if (tick >= 0) {
      this.#occupied.set(tick)
      this.#copyQueue(level, tick)
      return
    }
    const far = this.#takeFarLevel()
    this.#far.insert(key, far)
    this.#copyQueue(level, far)
  }

  #moveIn(level: number, key: number): void {
    this.#far.remove(key)
    this.#freeFarLevels.push(level)
    this.#occupied.set(key - this.#base)
    this.#copyQueue(level, key - this.#base)
  }

  #copyQueue(from: number, to: number): void {
    this.#first[to] = this.#first[from] ?? NONE
    this.#last[to] = this.#last[from] ?? NONE
  }

  #takeFarLevel(): number {
    const free = this.#freeFarLevels.pop()
    if (free !== undefined) return free
    const level = WINDOW + this.#farLevelCount
    this.#farLevelCount += 1
    if (level === this.#first.length) {
      this.#first = grown(this.#first)
      this.#last = grown(this.#last)
    }
    return level
  }
}

function grown(column: Int32Array): Int32Array<ArrayBuffer> {
  const wider = new Int32Array(WINDOW + (column.length - WINDOW) * 2)
  wider.set(column)
  return wider
}
