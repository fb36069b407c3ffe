/**
 * Distance to the mean in deviations.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WindowMoments } from './windows/window-moments.ts'

/**
 * Z-score: (x - mean) / deviation of the last n inputs, x the newest, the deviation with divisor n; a plain number of
 * deviations, 0 where there is none. First value at row n - 1. Source: the definition of a standard score, with the
 * deviation of TA-Lib's STDDEV.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function zScore(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('zScore', 'n', n)
  const reader = new ValueReader('zScore', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new WindowMoments(length)
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          window.push(value)
          if (window.mean === undefined) return undefined
          return window.variance === 0 ? 0 : (value - window.mean) / Math.sqrt(window.variance)
        },
      }
    },
  })
}
