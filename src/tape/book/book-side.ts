/**
 * One side of a recorded book: lots by price, and the best price.
 *
 * Prices near the best are in a ring buffer, the others in a map. Invariant: the best level is in the ring, and no
 * level of the map is better than any tick of the ring.
 * Known limit: a level that appears beyond the ring and disappears again moves the ring twice, at a cost proportional
 * to the levels of the side.
 */

/** Ticks. */
const RING = 131_072
const MASK = RING - 1
const GROUP = 1024
const GROUPS = RING / GROUP
/** Offset of the best level after a move of the window: most levels are behind the best price, some come before it. */
const BEST_AT = RING - RING / 8

/**
 * Lots by price of one side in a ring buffer of 131 072 ticks, with a bitmap of occupied ticks.
 *
 * A key is a price that grows towards the best: the price of a bid, its negative for an ask. It is stored at its
 * remainder by the ring size, so that levels stay in place when the window moves. The window begins at a multiple of
 * 1024 ticks, so that no group of the bitmap is split.
 */
class NearLevels {
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

const NONE = Number.NEGATIVE_INFINITY
/** Minimum of ring ticks behind the best level before the ring moves. */
const MIN_BEHIND = RING / 8

export class BookSide {
  readonly #near = new NearLevels()
  /** Lots by key, of keys below the ring. */
  readonly #far = new Map<number, number>()
  /** Sign of a price: 1 for bids, -1 for asks, so that the best is the highest. */
  readonly #sign: 1 | -1
  #best = NONE

  /** @param isBids  false for asks */
  constructor(isBids: boolean) {
    this.#sign = isBids ? 1 : -1
  }

  /** Ticks; undefined when the side is empty. */
  get best(): number | undefined {
    return this.#best === NONE ? undefined : this.#best * this.#sign
  }

  /** The best price as one that grows towards the best: times -1 for asks; -Infinity when the side is empty. */
  get bestKey(): number {
    return this.#best
  }

  /** Number of levels. */
  get count(): number {
    return this.#near.count + this.#far.size
  }

  /** Lots at a price; 0 for none. */
  at(price: number): number {
    const key = price * this.#sign
    return this.#near.covers(key) ? this.#near.at(key) : (this.#far.get(key) ?? 0)
  }

  /** Lots that rest at a price from here on. */
  set(price: number, lots: number): void {
    const key = price * this.#sign
    const near = this.#near
    const tick = key - near.base
    if (tick >= 0 && tick < RING) {
      near.set(key, lots)
      if (lots > 0) {
        if (key > this.#best) this.#best = key
      } else if (key === this.#best) this.#findBest()
    } else this.#setOutside(key, lots)
  }

  /** Removes the levels that are better than a price and returns their number. */
  dropBetter(price: number): number {
    const key = price * this.#sign
    let dropped = 0
    for (; this.#best > key; dropped += 1) this.set(this.#best * this.#sign, 0)
    return dropped
  }

  /** Prices with lots, best first. */
  *prices(): Generator<number, void, undefined> {
    for (let key = this.#best; key !== NONE; key = this.#near.below(key)) yield key * this.#sign
    if (this.#far.size === 0) return
    for (const key of Float64Array.from(this.#far.keys()).sort().reverse()) yield key * this.#sign
  }

  /** Leaves only the levels of these prices. @param prices  best first */
  keepOnly(prices: Float64Array): void {
    let at = 0
    for (const price of [...this.prices()]) {
      while (at < prices.length && (prices[at] ?? 0) * this.#sign > price * this.#sign) at += 1
      if (prices[at] !== price) this.set(price, 0)
    }
  }

  #setOutside(key: number, lots: number): void {
    if (lots === 0) this.#far.delete(key)
    else if (key > this.#best) {
      this.#moveFor(key)
      this.#near.set(key, lots)
      this.#best = key
    } else this.#far.set(key, lots)
  }

  #findBest(): void {
    const near = this.#near
    const best = near.below(this.#best)
    this.#best = best
    if (this.#far.size === 0 || best - near.base >= MIN_BEHIND) return
    if (best === NONE) for (const key of this.#far.keys()) if (key > this.#best) this.#best = key
    this.#moveFor(this.#best)
  }

  /**
   * Moves the ring to suit a best level: levels that leave it go to the map, levels that it now covers come from there.
   */
  #moveFor(best: number): void {
    const near = this.#near
    const base = NearLevels.baseFor(best)
    const leaving: number[] = []
    for (let key = near.below(near.base + RING); key !== NONE; key = near.below(key)) {
      if (key < base || key >= base + RING) leaving.push(key)
    }
    for (const key of leaving) {
      this.#far.set(key, near.at(key))
      near.set(key, 0)
    }
    near.base = base
    for (const [key, lots] of this.#far) {
      if (!near.covers(key)) continue
      near.set(key, lots)
      this.#far.delete(key)
    }
  }
}
