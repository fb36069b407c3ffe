/**
 * One-step change of a triple exponential average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { percentChange } from './percent-change.ts'
import { Lag } from './windows/lag.ts'
import { TripleAverage } from './windows/triple-average.ts'

/**
 * TRIX: the change of a triple EMA over n from one input to the next, 100 times the fraction of the one before; 0 where
 * that is 0. First value at row 3n - 2. Source: TA-Lib TRIX.
 *
 * @param n  number of inputs of each average
 * @throws {InputError} unless n is an integer of at least 1
 */
export function trix(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('trix', 'n', n)
  const reader = new ValueReader('trix', options)
  return indicator({
    warmup: 3 * length - 2,
    start: () => {
      const [average, last] = [new TripleAverage(length), new Lag(1)]
      return {
        next: (input: IndicatorInput) => {
          const third = average.next(reader.read(input))
          return third === undefined ? undefined : percentChange(last.next(third), third)
        },
      }
    },
  })
}
