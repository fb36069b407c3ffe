/**
 * Weighted moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WeightedMean } from './windows/weighted-mean.ts'

/**
 * Weighted moving average: weights 1 to n, the newest heaviest, in the unit of the inputs. First value at row n - 1.
 * Source: TA-Lib WMA.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function wma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('wma', 'n', n)
  const reader = new ValueReader('wma', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const mean = new WeightedMean(length)
      return { next: (input: IndicatorInput) => mean.next(reader.read(input)) }
    },
  })
}
