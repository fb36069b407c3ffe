/** The newest numbers of a sequence, at most `limit` of them, in constant time: whole numbers from 0 to 2^31 - 1. */
import { NONE } from '../book/order-slots.ts'

const FIRST_CAPACITY = 4
const EMPTY = new Int32Array(0)

export class NumberRing {
  readonly limit: number
  #numbers = EMPTY
  /** Place of the oldest. */
  #first = 0
  #length = 0

  /** @param limit  0 or more; `Infinity` stores all */
  constructor(limit: number) {
    this.limit = limit
  }

  get length(): number {
    return this.#length
  }

  /** @returns the evicted number: the oldest, or this one if the limit is 0; NONE if nothing was evicted */
  push(number: number): number {
    if (this.limit === 0) return number
    let forgotten = NONE
    if (this.#length === this.limit) {
      forgotten = this.#numbers[this.#first] ?? NONE
      this.#first = this.#first + 1 === this.#numbers.length ? 0 : this.#first + 1
      this.#length -= 1
    } else if (this.#length === this.#numbers.length) {
      this.#grow()
    }
    const end = this.#first + this.#length
    this.#numbers[end < this.#numbers.length ? end : end - this.#numbers.length] = number
    this.#length += 1
    return forgotten
  }

  /** @param index  0 for the oldest, below `length` */
  at(index: number): number {
    const place = this.#first + index
    return this.#numbers[place < this.#numbers.length ? place : place - this.#numbers.length] ?? NONE
  }

  /** Oldest first; a list of its own. */
  values(): Int32Array {
    const values = new Int32Array(this.#length)
    const straight = this.#numbers.subarray(this.#first, this.#first + this.#length)
    values.set(straight)
    values.set(this.#numbers.subarray(0, this.#length - straight.length), straight.length)
    return values
  }

  #grow(): void {
    const wider = new Int32Array(Math.min(this.limit, Math.max(FIRST_CAPACITY, 2 * this.#numbers.length)))
    wider.set(this.values())
    this.#numbers = wider
    this.#first = 0
  }
}

/** Newest entries, at most `count`, newest first. */
export function newestOf<T>(ring: NumberRing, count: number, view: (number: number) => T): readonly T[] {
  return Array.from({ length: Math.min(count, ring.length) }, (_, index) => view(ring.at(ring.length - 1 - index)))
}
