/**
 * Simple moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WindowMean } from './windows/window-mean.ts'

/**
 * Simple moving average: the mean of the last n inputs, in their unit. First value at row n - 1. Source: TA-Lib SMA.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function sma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('sma', 'n', n)
  const reader = new ValueReader('sma', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const mean = new WindowMean(length)
      return { next: (input: IndicatorInput) => mean.next(reader.read(input)) }
    },
  })
}
