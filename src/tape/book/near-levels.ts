/**
 * Lots by price of one side in a ring buffer of 131 072 ticks, with a bitmap of occupied ticks.
 *
 * A key is a price that grows towards the best: the price of a bid, its negative for an ask. It is stored at its
 * remainder by the ring size, so that levels stay in place when the window moves. The window begins at a multiple of
 * 1024 ticks, so that no group of the bitmap is split.
 */

/** Ticks. */
export const RING = 131_072
const MASK = RING - 1
const GROUP = 1024
const GROUPS = RING / GROUP
/** Offset of the best level after a move of the window: most levels are behind the best price, some come before it. */
const BEST_AT = RING - RING / 8

export class NearLevels {
  /** Key of the window's first tick. */
  base = 0
  /** Number of occupied ticks. */
  count = 0
  readonly #lots = new Float64Array(RING)
  readonly #words = new Int32Array(RING >> 5)
  /** Bit w of a group is set while its word w has a bit. */
  readonly #groups = new Int32Array(GROUPS)

  /** True when the window covers the key. */
  covers(key: number): boolean {
    const tick = key - this.base
    return tick >= 0 && tick < RING
  }

  /** @param key  in the window */
  at(key: number): number {
    return this.#lots[key & MASK] ?? 0
  }

  /** Lots that rest from here on. @param key  in the window */
  set(key: number, lots: number): void {
    const place = key & MASK
    const before = this.#lots[place] ?? 0
    this.#lots[place] = lots
    if (before === 0) {
      if (lots > 0) this.#occupy(place)
    } else if (lots === 0) this.#leave(place)
  }

  /**
   * Highest key with lots below `key`; -Infinity when there is none.
   *
   * @param key  in the window, or its end
   */
  below(key: number): number {
    const from = key - 1
    const tick = from - this.base
    if (tick < 0) return Number.NEGATIVE_INFINITY
    const place = from & MASK
    const word = place >> 5
    const bits = (this.#words[word] ?? 0) & upTo(place & 31)
    if (bits !== 0) return from - (place & 31) + highestBit(bits)
    const group = word >> 5
    let words = (this.#groups[group] ?? 0) & (upTo(word & 31) >>> 1)
    let passed = 0
    for (const most = tick >> 10; words === 0 && passed < most;) {
      passed += 1
      words = this.#groups[(group - passed) & (GROUPS - 1)] ?? 0
    }
    if (words === 0) return Number.NEGATIVE_INFINITY
    const found = (((group - passed) & (GROUPS - 1)) << 5) + highestBit(words)
    const at = (found << 5) + highestBit(this.#words[found] ?? 0)
    return from - ((place - at) & MASK)
  }

  /** Ideal start of the window for a best level. */
  static baseFor(bestKey: number): number {
    return Math.floor((bestKey - BEST_AT) / GROUP) * GROUP
  }

  #occupy(place: number): void {
    const word = place >> 5
    this.#words[word] = (this.#words[word] ?? 0) | (1 << (place & 31))
    const group = word >> 5
    this.#groups[group] = (this.#groups[group] ?? 0) | (1 << (word & 31))
    this.count += 1
  }

  #leave(place: number): void {
    const word = place >> 5
    const bits = (this.#words[word] ?? 0) & ~(1 << (place & 31))
    this.#words[word] = bits
    this.count -= 1
    if (bits !== 0) return
    const group = word >> 5
    this.#groups[group] = (this.#groups[group] ?? 0) & ~(1 << (word & 31))
  }
}

/** The bits up to bit `bit` and with it. */
const upTo = (bit: number): number => (2 << bit) - 1

const highestBit = (bits: number): number => 31 - Math.clz32(bits)
