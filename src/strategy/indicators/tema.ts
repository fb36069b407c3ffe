/**
 * Triple exponential moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { TripleAverage } from './windows/triple-average.ts'

/**
 * Triple exponential moving average: 3 E - 3 EE + EEE, EMAs over n of each other, each seeded by the mean of its own
 * first n values, in the unit of the inputs. First value at row 3n - 3. Source: TA-Lib TEMA.
 *
 * @param n  number of inputs of each average
 * @throws {InputError} unless n is an integer of at least 1
 */
export function tema(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('tema', 'n', n)
  const reader = new ValueReader('tema', options)
  return indicator({
    warmup: 3 * length - 3,
    start: () => {
      const average = new TripleAverage(length)
      return {
        next: (input: IndicatorInput) => {
          const third = average.next(reader.read(input))
          return third === undefined ? undefined : 3 * (average.once - average.twice) + third
        },
      }
    },
  })
}
