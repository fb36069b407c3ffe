/**
 * Commodity channel index.
 */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { typicalPrice, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WindowMean } from './windows/window-mean.ts'

/**
 * Commodity channel index, a plain number that is mostly a fraction of 100: (tp - mean) / (0.015 times the mean
 * absolute deviation from that mean) of the last n typical prices (high + low + close) / 3, tp the newest; 0 where none
 * deviates. First value at row n - 1. The mean moves with each candle, so that its cost grows with n. Source: Lambert,
 * as TA-Lib CCI.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function cci(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('cci', 'n', n)
  return indicator({ warmup: length - 1, start: () => new Cci(length) })
}

class Cci implements Fold<CandleNumbers, number> {
  readonly #prices: Float64Array
  readonly #mean: WindowMean
  #at = 0

  constructor(length: number) {
    this.#prices = new Float64Array(length)
    this.#mean = new WindowMean(length)
  }

  next(candle: CandleNumbers): number | undefined {
    const prices = this.#prices
    const price = typicalPrice(candle, 'cci')
    prices[this.#at] = price
    this.#at = this.#at + 1 === prices.length ? 0 : this.#at + 1
    const mean = this.#mean.next(price)
    if (mean === undefined) return undefined
    // Two sums, so that an addition need not wait for the one before.
    let [deviations, others] = [0, 0]
    for (let index = 1; index < prices.length; index += 2) {
      deviations += Math.abs((prices[index - 1] ?? 0) - mean)
      others += Math.abs((prices[index] ?? 0) - mean)
    }
    if (prices.length % 2 === 1) deviations += Math.abs((prices.at(-1) ?? 0) - mean)
    deviations += others
    return deviations === 0 ? 0 : (price - mean) / ((0.015 * deviations) / prices.length)
  }
}
