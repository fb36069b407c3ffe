/**
 * Trend line that follows the price at a distance of true ranges.
 */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { factorOf, lengthOf } from './parameters.ts'
import { AverageRange } from './windows/average-range.ts'

/** The line below a rising price or above a falling one. */
export interface Trend {
  /** Stop line in the quote asset. */
  readonly line: number
  /** 1 while the price is taken to rise, -1 while it is taken to fall. */
  readonly direction: 1 | -1
}

/**
 * Supertrend, in the quote asset: bands at (high + low) / 2 ± k ATR(n) that only tighten while the close before is
 * within them. The line is the lower band until a close is below it, then the upper one until a close is above that. It
 * starts up. First value at row n. Source: Seban, with TA-Lib's ATR.
 *
 * @param n  number of true ranges
 * @param k  number of average true ranges, above 0
 * @throws {InputError} unless n is an integer of at least 1 and k above 0
 */
export function superTrend(n: number, k: number): Indicator<CandleNumbers, Trend> {
  const length = lengthOf('superTrend', 'n', n)
  const width = factorOf('superTrend', 'k', k)
  return indicator({ warmup: length, start: () => new SuperTrend(length, width) })
}

class SuperTrend implements Fold<CandleNumbers, Trend> {
  readonly #range: AverageRange
  readonly #width: number
  #upper = 0
  #lower = 0
  /** Close of the candle before, once there are bands. */
  #close: number | undefined
  #direction: 1 | -1 = 1

  constructor(length: number, width: number) {
    this.#range = new AverageRange(length)
    this.#width = width
  }

  next(candle: CandleNumbers): Trend | undefined {
    const high = finite(candle.highNumber, 'superTrend')
    const low = finite(candle.lowNumber, 'superTrend')
    const close = finite(candle.closeNumber, 'superTrend')
    const range = this.#range.next(high, low, close)
    if (range === undefined) return undefined
    const middle = (high + low) / 2
    this.#tighten(middle + this.#width * range, middle - this.#width * range)
    this.#turn(close)
    this.#close = close
    return { line: this.#direction === 1 ? this.#lower : this.#upper, direction: this.#direction }
  }

  #tighten(upper: number, lower: number): void {
    if (this.#close === undefined || upper < this.#upper || this.#close > this.#upper) this.#upper = upper
    if (this.#close === undefined || lower > this.#lower || this.#close < this.#lower) this.#lower = lower
  }

  #turn(close: number): void {
    if (this.#close === undefined) return
    if (this.#direction === 1 && close < this.#lower) this.#direction = -1
    else if (this.#direction === -1 && close > this.#upper) this.#direction = 1
  }
}
