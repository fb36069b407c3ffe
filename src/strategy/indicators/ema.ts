/**
 * Exponential moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { SeededAverage } from './windows/seeded-average.ts'

/**
 * Exponential moving average: begins with the mean of the first n inputs, then goes 2/(n + 1) of the way to each, in
 * their unit. First value at row n - 1. Source: TA-Lib EMA.
 *
 * @param n  number of inputs of the seed, and of its length
 * @throws {InputError} unless n is an integer of at least 1
 */
export function ema(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('ema', 'n', n)
  const reader = new ValueReader('ema', options)
  return indicator({
    warmup: length - 1,
    start: () => {
      const average = new SeededAverage(length)
      return { next: (input: IndicatorInput) => average.next(reader.read(input)) }
    },
  })
}
