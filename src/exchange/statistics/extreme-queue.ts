/**
 * The extreme of a sliding window of numbered values: a monotonic queue, constant amortised time.
 *
 * Invariant: numbers rise and values fall (for a maximum; rise for a minimum) from front to back.
 */
const COMPACT_AT = 1024

export class ExtremeQueue {
  readonly #sign: 1 | -1
  #numbers: number[] = []
  #values: number[] = []
  #front = 0

  constructor(extreme: 'maximum' | 'minimum') {
    this.#sign = extreme === 'maximum' ? 1 : -1
  }

  /** @param number  larger than every number pushed before */
  push(number: number, value: number): void {
    while (this.#values.length > this.#front && this.#isDominated(this.#values.at(-1) ?? value, value)) {
      this.#numbers.pop()
      this.#values.pop()
    }
    this.#numbers.push(number)
    this.#values.push(value)
  }

  /** Forgets the values with numbers below `number`. */
  dropBelow(number: number): void {
    while (this.#front < this.#numbers.length && (this.#numbers[this.#front] ?? number) < number) this.#front += 1
    if (this.#front > COMPACT_AT && this.#front * 2 > this.#numbers.length) {
      this.#numbers = this.#numbers.slice(this.#front)
      this.#values = this.#values.slice(this.#front)
      this.#front = 0
    }
  }

  /** Extreme of the window; undefined when it is empty. */
  get extreme(): number | undefined {
    return this.#values[this.#front]
  }

  #isDominated(older: number, newer: number): boolean {
    return older * this.#sign <= newer * this.#sign
  }
}
