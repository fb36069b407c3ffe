/**
 * Price levels of one side in a window of 2^18 ticks, looked up directly by key.
 *
 * A circular array: a key is stored at its remainder by the window size, so that levels stay in place when the window
 * moves. A page of ticks is allocated with its first level and freed with its last, so that a narrow market uses little
 * memory.
 */
import type { FarLevels } from './far-levels.ts'
import { OccupiedTicks } from './occupied-ticks.ts'
import { NONE } from './order-slots.ts'

const PAGE_BITS = 10
const PAGE = 1 << PAGE_BITS
const PAGES = 256
/** Ticks. */
export const WINDOW = PAGE * PAGES
/** Offset of the best level after a move of the window: most orders come below the best price, some above it. */
const BEST_AT = WINDOW - WINDOW / 8
const FIRST_PAGES = 2

export class NearLevels {
  /** Number of levels in the window. */
  count = 0
  /** Key of the window's first tick, a multiple of PAGE. */
  base = 0
  /** Position of the window's first tick in the circular array. */
  #shift = 0
  readonly #occupied = new OccupiedTicks(WINDOW)
  /** Start of the cells of each page; 0 is a shared empty page for those not allocated. */
  readonly #begins = new Int32Array(PAGES)
  /** Levels of each page. */
  readonly #counts = new Int32Array(PAGES)
  /** Level + 1 of each tick; 0 for none. */
  #cells = new Int32Array(FIRST_PAGES * PAGE)
  #used = PAGE
  readonly #free: number[] = []

  /** Key of the first tick above the window. */
  get end(): number {
    return this.base + WINDOW
  }

  /** True when the window covers the key. */
  covers(key: number): boolean {
    const tick = key - this.base
    return tick >= 0 && tick < WINDOW
  }

  /** The level of a key in the window; NONE when it has none. */
  find(key: number): number {
    const place = this.#place(key)
    const begin = this.#begins[place >> PAGE_BITS] ?? 0
    return (this.#cells[begin + (place & (PAGE - 1))] ?? 0) - 1
  }

  /**
   * Highest key below `key` that has a level; -Infinity when there is none.
   *
   * @param key  in the window, or its end
   */
  keyBelow(key: number): number {
    if (this.count === 0) return Number.NEGATIVE_INFINITY
    const place = this.#place(key)
    // The window wraps around: its last ticks precede its first ones in the array, so the search may continue at the
    // array's end.
    const isTurned = place <= this.#shift && key !== this.base
    let found = this.#occupied.highestBelow(place)
    if (isTurned && found === NONE) found = this.#occupied.highestBelow(WINDOW)
    else if (isTurned) return this.#keyAt(found)
    return found < this.#shift ? Number.NEGATIVE_INFINITY : this.#keyAt(found)
  }

  set(key: number, level: number): void {
    const place = this.#place(key)
    const page = place >> PAGE_BITS
    if (this.#counts[page] === 0) this.#begins[page] = this.#takePage()
    this.#counts[page] = (this.#counts[page] ?? 0) + 1
    this.count += 1
    this.#occupied.set(place)
    this.#cells[(this.#begins[page] ?? 0) + (place & (PAGE - 1))] = level + 1
  }

  /** Removes the level of a key. */
  clear(key: number): void {
    const place = this.#place(key)
    const page = place >> PAGE_BITS
    const begin = this.#begins[page] ?? 0
    const count = (this.#counts[page] ?? 0) - 1
    this.#cells[begin + (place & (PAGE - 1))] = 0
    this.#occupied.clear(place)
    this.count -= 1
    this.#counts[page] = count
    if (count > 0) return
    this.#begins[page] = 0
    this.#free.push(begin)
  }

  /** Ideal start of the window for a best level. */
  baseFor(bestKey: number): number {
    return Math.floor((bestKey - BEST_AT) / PAGE) * PAGE
  }

  /** Number of levels that would leave if the window moved. */
  leaving(base: number): number {
    let count = 0
    for (let page = 0; page < PAGES; page += 1) {
      const key = this.base + page * PAGE
      if (key < base || key >= base + WINDOW) count += this.#counts[this.#place(key) >> PAGE_BITS] ?? 0
    }
    return count
  }

  /**
   * Moves the window; levels that leave it go to `far`, levels that it now covers come from there. Cost: the moved
   * levels, and one check per page.
   */
  moveTo(base: number, far: FarLevels): void {
    const [from, end] = [this.base, base + WINDOW]
    for (let key = from; this.count > 0 && key < from + WINDOW; key += PAGE) {
      if (key < base || key >= end) this.#leave(key, far)
    }
    this.base = base
    this.#shift = ((base % WINDOW) + WINDOW) % WINDOW
    for (let key = far.keyBelow(end); key >= base; key = far.keyBelow(end)) this.set(key, far.remove(key))
  }

  /** All levels of a page leave. */
  #leave(pageKey: number, far: FarLevels): void {
    const page = this.#place(pageKey) >> PAGE_BITS
    for (let key = pageKey; (this.#counts[page] ?? 0) > 0; key += 1) {
      const level = this.find(key)
      if (level === NONE) continue
      this.clear(key)
      far.insert(key, level)
    }
  }

  #place(key: number): number {
    return (key - this.base + this.#shift) & (WINDOW - 1)
  }

  #keyAt(place: number): number {
    return this.base + ((place - this.#shift) & (WINDOW - 1))
  }

  #takePage(): number {
    const free = this.#free.pop()
    if (free !== undefined) return free
    if (this.#used === this.#cells.length) {
      const wider = new Int32Array(2 * this.#used)
      wider.set(this.#cells)
      this.#cells = wider
    }
    this.#used += PAGE
    return this.#used - PAGE
  }
}
