/**
 * Price levels of one side as records in one array: each a queue of orders with its total of open lots.
 *
 * A record has 16 bytes, a quarter of a cache line: lots as a double, then the first and the last order as integers. A
 * level keeps its index for as long as it has an order. Invariant: a level's lots are the sum of the open lots of its
 * orders, exact beyond 2^53.
 */
import { invariant } from '../../domain/errors.ts'
import { NONE, type OrderSlots } from './order-slots.ts'

const RECORD_BYTES = 16
const FIRST_CAPACITY = 32
const GROWTH = 1.5
/** Modulus of the lots in the double; the number of wraps is stored separately. */
const WRAP = 2 ** 53

// Places in a record: double 0, then integers 2 and 3 of the same bytes.
const FIRST = 2
const LAST = 3
const DOUBLES = RECORD_BYTES / 8
const INTEGERS = RECORD_BYTES / 4

export class PriceLevels {
  readonly #slots: OrderSlots
  #lots = new Float64Array(0)
  #integers = new Int32Array(0)
  #capacity = 0
  /** Levels below this one were opened at least once. */
  #used = 0
  /** Closed levels, linked through FIRST. */
  #firstFree = NONE
  /** Multiples of 2^53 lots of a level beyond its double; only for levels that have any. */
  readonly #wraps = new Map<number, number>()

  constructor(slots: OrderSlots) {
    this.#slots = slots
    this.#grow(FIRST_CAPACITY)
  }

  /** @returns a level with one order */
  open(slot: number): number {
    let level = this.#firstFree
    if (level === NONE) {
      if (this.#used === this.#capacity) this.#grow(Math.ceil(this.#capacity * GROWTH))
      level = this.#used
      this.#used += 1
    } else {
      this.#firstFree = this.first(level)
    }
    const slots = this.#slots
    this.#lots[level * DOUBLES] = slots.remaining(slot)
    this.#integers[level * INTEGERS + FIRST] = slot
    this.#integers[level * INTEGERS + LAST] = slot
    slots.join(slot, level, NONE)
    return level
  }

  /** Appends an order at the end of the level's queue. */
  append(level: number, slot: number): void {
    const slots = this.#slots
    const last = this.#integers[level * INTEGERS + LAST] ?? NONE
    this.#integers[level * INTEGERS + LAST] = slot
    slots.join(slot, level, last)
    slots.setNext(last, slot)
    this.#add(level, slots.remaining(slot))
  }

  /** Takes an order out of its queue. @returns false when no other is there: the level is to be closed */
  remove(level: number, slot: number): boolean {
    const slots = this.#slots
    const next = slots.next(slot)
    const previous = slots.previous(slot)
    this.subtract(level, slots.remaining(slot))
    if (previous === NONE) this.#integers[level * INTEGERS + FIRST] = next
    else slots.setNext(previous, next)
    if (next === NONE) this.#integers[level * INTEGERS + LAST] = previous
    else slots.setPrevious(next, previous)
    return previous !== NONE || next !== NONE
  }

  /** Removes the orders before `slot`. */
  advance(level: number, slot: number): void {
    this.#integers[level * INTEGERS + FIRST] = slot
    this.#slots.setPrevious(slot, NONE)
  }

  /** A level without orders; its number is free. */
  close(level: number): void {
    invariant(this.#lots[level * DOUBLES] === 0, 'a level without orders has no lots')
    this.#integers[level * INTEGERS + FIRST] = this.#firstFree
    this.#firstFree = level
  }

  /** The first order of a level. */
  first(level: number): number {
    return this.#integers[level * INTEGERS + FIRST] ?? NONE
  }

  /** Open lots of a level. */
  lots(level: number): bigint {
    const wraps = this.#wraps.get(level) ?? 0
    return BigInt(wraps) * BigInt(WRAP) + BigInt(this.#lots[level * DOUBLES] ?? 0)
  }

  /** Lots that are no longer open. @param lots  a safe integer */
  subtract(level: number, lots: number): void {
    const left = (this.#lots[level * DOUBLES] ?? 0) - lots
    if (left >= 0) {
      this.#lots[level * DOUBLES] = left
      return
    }
    // Both are below 2^53, and so is every difference on the way: exact.
    this.#lots[level * DOUBLES] = (this.#lots[level * DOUBLES] ?? 0) + (WRAP - lots)
    this.#wrap(level, -1)
  }

  #add(level: number, lots: number): void {
    const sum = (this.#lots[level * DOUBLES] ?? 0) + lots
    if (sum < WRAP) {
      this.#lots[level * DOUBLES] = sum
      return
    }
    this.#lots[level * DOUBLES] = (this.#lots[level * DOUBLES] ?? 0) - (WRAP - lots)
    this.#wrap(level, 1)
  }

  #wrap(level: number, by: number): void {
    const wraps = (this.#wraps.get(level) ?? 0) + by
    invariant(wraps >= 0, 'no more leaves a level than came to it')
    if (wraps === 0) this.#wraps.delete(level)
    else this.#wraps.set(level, wraps)
  }

  #grow(capacity: number): void {
    const bytes = new ArrayBuffer(capacity * RECORD_BYTES)
    const integers = new Int32Array(bytes)
    integers.set(this.#integers)
    this.#integers = integers
    this.#lots = new Float64Array(bytes)
    this.#capacity = capacity
  }
}
