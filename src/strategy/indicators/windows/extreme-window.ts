/**
 * Highest or lowest of the last n numbers, by a queue of those that can still become it: each enters and leaves once.
 */

export class ExtremeWindow {
  /** Number of inputs since the extreme; of equal ones the latest counts. */
  age = 0
  readonly #length: number
  readonly #sign: number
  /** Signed so that the extreme is the greatest; a ring, falling from `#head` on. */
  readonly #values: Float64Array
  readonly #rows: Float64Array
  #head = 0
  #count = 0
  #row = -1

  /** @param sign  1 for the highest, -1 for the lowest */
  constructor(length: number, sign: 1 | -1) {
    this.#length = length
    this.#sign = sign
    this.#values = new Float64Array(length)
    this.#rows = new Float64Array(length)
  }

  /** The extreme; undefined until the window is full. */
  next(value: number): number | undefined {
    const length = this.#length
    const values = this.#values
    const rows = this.#rows
    const row = this.#row + 1
    const signed = this.#sign * value
    this.#row = row
    if (this.#count > 0 && (rows[this.#head] ?? 0) <= row - length) this.#dropOldest()
    let end = this.#end()
    while (this.#count > 0) {
      const last = end === 0 ? length - 1 : end - 1
      if ((values[last] ?? 0) > signed) break
      end = last
      this.#count -= 1
    }
    values[end] = signed
    rows[end] = row
    this.#count += 1
    this.age = row - (rows[this.#head] ?? 0)
    return row >= length - 1 ? this.#sign * (values[this.#head] ?? 0) : undefined
  }

  #dropOldest(): void {
    this.#head = this.#head + 1 === this.#length ? 0 : this.#head + 1
    this.#count -= 1
  }

  #end(): number {
    const end = this.#head + this.#count
    return end >= this.#length ? end - this.#length : end
  }
}

/** Place of the close between the lowest low, 0, and the highest high, 100, of the last n candles. */
export class PlaceInRange {
  readonly #highs: ExtremeWindow
  readonly #lows: ExtremeWindow

  constructor(length: number) {
    this.#highs = new ExtremeWindow(length, 1)
    this.#lows = new ExtremeWindow(length, -1)
  }

  /**
   * Undefined until the window is full.
   *
   * @param flat  result if the candles have no range
   */
  next(high: number, low: number, close: number, flat = 0): number | undefined {
    const highest = this.#highs.next(high)
    const lowest = this.#lows.next(low)
    if (highest === undefined || lowest === undefined) return undefined
    return highest === lowest ? flat : (100 * (close - lowest)) / (highest - lowest)
  }
}
