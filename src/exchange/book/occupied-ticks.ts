/**
 * The ticks of a window that have a price level: a bitmap, and a second one of its words that are not empty.
 *
 * The next occupied tick is found with a few instructions however far it is.
 */
import { NONE } from './order-slots.ts'

export class OccupiedTicks {
  readonly #words: Int32Array
  /** Bit w is set while word w has a bit. */
  readonly #summary: Int32Array

  /** @param size  ticks; a multiple of 1024 */
  constructor(size: number) {
    this.#words = new Int32Array(size >> 5)
    this.#summary = new Int32Array(size >> 10)
  }

  has(tick: number): boolean {
    return ((this.#words[tick >> 5] ?? 0) & (1 << (tick & 31))) !== 0
  }

  set(tick: number): void {
    const word = tick >> 5
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (tick & 31))
    this.#summary[word >> 5] = (this.#summary[word >> 5] ?? 0) | (1 << (word & 31))
  }

  clear(tick: number): void {
    const word = tick >> 5
    const bits = (this.#words[word] ?? 0) & ~(1 << (tick & 31))
    this.#words[word] = bits
    if (bits === 0) this.#summary[word >> 5] = (this.#summary[word >> 5] ?? 0) & ~(1 << (word & 31))
  }

  clearAll(): void {
    this.#words.fill(0)
    this.#summary.fill(0)
  }

  /** The highest occupied tick below `tick`; NONE when there is none. */
  highestBelow(tick: number): number {
    const word = tick >> 5
    const bits = (this.#words[word] ?? 0) & below(tick & 31)
    if (bits !== 0) return (word << 5) + highestBit(bits)
    let group = word >> 5
    let words = (this.#summary[group] ?? 0) & below(word & 31)
    while (words === 0 && group > 0) {
      group -= 1
      words = this.#summary[group] ?? 0
    }
    if (words === 0) return NONE
    const found = (group << 5) + highestBit(words)
    return (found << 5) + highestBit(this.#words[found] ?? 0)
  }
}

/** The bits below bit `bit`. */
const below = (bit: number): number => (1 << bit) - 1

const highestBit = (bits: number): number => 31 - Math.clz32(bits)
