/**
 * Candles of a range that a tape has already, one byte per candle: what is left to fetch, and what is missing.
 */
import type { MarkedGap } from '../../tape/gap-marks.ts'
import type { TimeRange } from './fetch-world.ts'

export class CandleCoverage {
  readonly #from: number
  readonly #intervalMs: number
  readonly #has: Uint8Array

  /** @param range  opening times, the first one a possible opening time */
  constructor({ from, to }: TimeRange, intervalMs: number) {
    this.#from = from
    this.#intervalMs = intervalMs
    this.#has = new Uint8Array(Math.max(0, Math.ceil((to - from) / intervalMs)))
  }

  /** @param time  opening time; one outside of the range is ignored */
  add(time: number): void {
    this.#has[(time - this.#from) / this.#intervalMs] = 1
  }

  /** True if no candle that opens in the range is missing. */
  isFull({ from, to }: TimeRange): boolean {
    const start = Math.max(0, Math.ceil((from - this.#from) / this.#intervalMs))
    const end = Math.ceil((to - this.#from) / this.#intervalMs)
    return !this.#has.subarray(start, end).includes(0)
  }

  /** Periods without candles, oldest first. @param why  the reason, for display */
  missing(why: string): readonly MarkedGap[] {
    const gaps: MarkedGap[] = []
    const timeAt = (index: number): number => this.#from + index * this.#intervalMs
    for (let start = this.#has.indexOf(0); start >= 0;) {
      const next = this.#has.indexOf(1, start)
      const end = next < 0 ? this.#has.length : next
      gaps.push({ from: timeAt(start), to: timeAt(end), why })
      start = this.#has.indexOf(0, end)
    }
    return gaps
  }
}
