/**
 * Numbers, first in first out, in constant amortised time.
 */
const COMPACT_AT = 1024

export class NumberQueue {
  #numbers: number[] = []
  #front = 0

  push(number: number): void {
    this.#numbers.push(number)
  }

  /** Takes the first one out; undefined when there is none. */
  shift(): number | undefined {
    const first = this.#numbers[this.#front]
    if (first === undefined) return undefined
    this.#front += 1
    if (this.#front > COMPACT_AT && this.#front * 2 > this.#numbers.length) {
      this.#numbers = this.#numbers.slice(this.#front)
      this.#front = 0
    }
    return first
  }
}
