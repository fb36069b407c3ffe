/**
 * Position of a market after each of its fills, and the lowest, highest and last of each step of a chart.
 *
 * Known limit: a position of more than 2^53 units of its last digit is rounded to a double.
 */
import type { FillColumns } from '../../src/report/page/page-data.ts'
import { firstFrom, type Steps } from './candle-bars.ts'

/** Position within one step. */
export interface HeldStep {
  readonly low: number
  readonly high: number
  readonly last: number
}

export class HeldPosition {
  readonly #times: readonly number[]
  /** After each fill, in units of the last digit of all quantities. */
  readonly #units: Float64Array
  readonly #scale: number
  readonly #initial: number

  /** @param initial  position before the first fill, a decimal string */
  constructor({ times, sides, qtys }: FillColumns, initial = '0') {
    const decimals = [initial, ...qtys].reduce((most, qty) => Math.max(most, qty.split('.')[1]?.length ?? 0), 0)
    this.#times = times
    this.#scale = 10 ** decimals
    this.#units = new Float64Array(times.length)
    let held = Math.round(Number(initial) * this.#scale)
    this.#initial = held
    qtys.forEach((qty, index) => {
      const units = Math.round(Number(qty) * this.#scale)
      held += sides[index] === 'BUY' ? units : -units
      this.#units[index] = held
    })
  }

  /** Position at a moment, after all its fills. */
  at(moment: number): number {
    return this.#after(firstFrom(this.#times, moment + 1) - 1)
  }

  over({ from, intervalMs, count }: Steps): readonly HeldStep[] {
    let at = firstFrom(this.#times, from)
    let last = this.#after(at - 1)
    return Array.from({ length: count }, (_, step) => {
      const end = from + (step + 1) * intervalMs
      let [low, high] = [last, last]
      for (; at < this.#times.length && (this.#times[at] ?? 0) < end; at += 1) {
        last = this.#after(at)
        low = Math.min(low, last)
        high = Math.max(high, last)
      }
      return { low, high, last }
    })
  }

  #after(fill: number): number {
    return (this.#units[fill] ?? this.#initial) / this.#scale
  }
}
