/**
 * The resting orders of one market as records in one array, linked into the queues of their price levels.
 *
 * A record has 32 bytes, half a cache line: price and remaining quantity as doubles, then neighbours in the queue, the
 * account and the level as integers. A slot is the number of a record. Invariant: a slot that is released is not used
 * again before it is taken again.
 */
import { InvariantError } from '../../domain/errors.ts'

/** No slot, no level. */
export const NONE = -1

const RECORD_BYTES = 32
const FIRST_CAPACITY = 64
const GROWTH = 1.5

// Places in a record: doubles 0 and 1, then integers 4 to 7 of the same bytes.
const PRICE = 0
const REMAINING = 1
const NEXT = 4
const PREVIOUS = 5
const ACCOUNT = 6
const LEVEL = 7
const DOUBLES = RECORD_BYTES / 8
const INTEGERS = RECORD_BYTES / 4

export class OrderSlots {
  #doubles = new Float64Array(0)
  #integers = new Int32Array(0)
  #capacity = 0
  /** Slots below this one were taken at least once. */
  #used = 0
  /** Released slots, linked through NEXT. */
  #firstFree = NONE

  constructor() {
    this.#grow(FIRST_CAPACITY)
  }

  /** @returns a slot that is in no queue yet */
  take(account: number, price: number, remaining: number): number {
    let slot = this.#firstFree
    if (slot === NONE) {
      if (this.#used === this.#capacity) this.#grow(Math.ceil(this.#capacity * GROWTH))
      slot = this.#used
      this.#used += 1
    } else {
      this.#firstFree = this.next(slot)
    }
    this.#doubles[slot * DOUBLES + PRICE] = price
    this.#doubles[slot * DOUBLES + REMAINING] = remaining
    this.#integers[slot * INTEGERS + ACCOUNT] = account
    return slot
  }

  release(slot: number): void {
    if (this.remaining(slot) < 0) throw new InvariantError(`slot ${slot} is released twice`)
    this.#doubles[slot * DOUBLES + REMAINING] = NONE
    this.#integers[slot * INTEGERS + NEXT] = this.#firstFree
    this.#firstFree = slot
  }

  /** Ticks. */
  price(slot: number): number {
    return this.#doubles[slot * DOUBLES + PRICE] ?? 0
  }

  /** Lots; negative in a slot that is released. */
  remaining(slot: number): number {
    return this.#doubles[slot * DOUBLES + REMAINING] ?? 0
  }

  setRemaining(slot: number, remaining: number): void {
    this.#doubles[slot * DOUBLES + REMAINING] = remaining
  }

  account(slot: number): number {
    return this.#integers[slot * INTEGERS + ACCOUNT] ?? 0
  }

  /** The number of its price level on its side. */
  level(slot: number): number {
    return this.#integers[slot * INTEGERS + LEVEL] ?? NONE
  }

  /** Becomes the last in the queue of a level. */
  join(slot: number, level: number, previous: number): void {
    this.#integers[slot * INTEGERS + LEVEL] = level
    this.#integers[slot * INTEGERS + PREVIOUS] = previous
    this.#integers[slot * INTEGERS + NEXT] = NONE
  }

  /** Next order in its queue. */
  next(slot: number): number {
    return this.#integers[slot * INTEGERS + NEXT] ?? NONE
  }

  setNext(slot: number, next: number): void {
    this.#integers[slot * INTEGERS + NEXT] = next
  }

  /** Previous order in its queue. */
  previous(slot: number): number {
    return this.#integers[slot * INTEGERS + PREVIOUS] ?? NONE
  }

  setPrevious(slot: number, previous: number): void {
    this.#integers[slot * INTEGERS + PREVIOUS] = previous
  }

  #grow(capacity: number): void {
    const bytes = new ArrayBuffer(capacity * RECORD_BYTES)
    const integers = new Int32Array(bytes)
    integers.set(this.#integers)
    this.#integers = integers
    this.#doubles = new Float64Array(bytes)
    this.#capacity = capacity
  }
}
