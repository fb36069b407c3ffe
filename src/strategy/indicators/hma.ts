/**
 * Hull moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { WeightedMean } from './windows/weighted-mean.ts'

/**
 * Hull moving average: the WMA over round(√n) of 2 WMA(n/2) - WMA(n), n/2 rounded down, in the unit of the inputs.
 * First value at row n + round(√n) - 2. Source: Hull (2005).
 *
 * @param n  number of inputs in the longest window
 * @throws {InputError} unless n is an integer of at least 2
 */
export function hma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('hma', 'n', n, 2)
  const reader = new ValueReader('hma', options)
  return indicator({
    warmup: length + Math.round(Math.sqrt(length)) - 2,
    start: () => {
      const fast = new WeightedMean(Math.floor(length / 2))
      const slow = new WeightedMean(length)
      const smooth = new WeightedMean(Math.round(Math.sqrt(length)))
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const [near, far] = [fast.next(value), slow.next(value)]
          return near === undefined || far === undefined ? undefined : smooth.next(2 * near - far)
        },
      }
    },
  })
}
