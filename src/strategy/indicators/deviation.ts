/**
 * Standard deviation.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WindowMoments } from './windows/window-moments.ts'

/**
 * Standard deviation of the last n inputs as a population (divisor n), in their unit. First value at row n - 1. Source:
 * TA-Lib STDDEV.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function deviation(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('deviation', 'n', n)
  const reader = new ValueReader('deviation', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new WindowMoments(length)
      return {
        next: (input: IndicatorInput) => {
          window.push(reader.read(input))
          return window.mean === undefined ? undefined : Math.sqrt(window.variance)
        },
      }
    },
  })
}
