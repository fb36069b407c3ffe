/**
 * Bollinger bands.
 */
import type { Bands } from './bands.ts'
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { factorOf, lengthOf } from './parameters.ts'
import { WindowMoments } from './windows/window-moments.ts'

/**
 * Bollinger bands: the mean of the last n inputs, and k deviations (divisor n) above and below it, in their unit. First
 * value at row n - 1. Source: TA-Lib BBANDS.
 *
 * @param n  number of inputs in the window
 * @param k  number of deviations, above 0
 * @throws {InputError} unless n is an integer of at least 1 and k above 0
 */
export function bollinger(n: number, k = 2, options?: ValueOptions): Indicator<IndicatorInput, Bands> {
  const length = lengthOf('bollinger', 'n', n)
  const width = factorOf('bollinger', 'k', k)
  const reader = new ValueReader('bollinger', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new WindowMoments(length)
      return {
        next: (input: IndicatorInput) => {
          window.push(reader.read(input))
          const middle = window.mean
          if (middle === undefined) return undefined
          const distance = width * Math.sqrt(window.variance)
          return { upper: middle + distance, middle, lower: middle - distance }
        },
      }
    },
  })
}
