/**
 * Double exponential moving average.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { SeededAverage } from './windows/seeded-average.ts'

/**
 * Double exponential moving average: 2 E - EE, where E is the EMA over n and EE that of E, each seeded by the mean of
 * its own first n values, in the unit of the inputs. First value at row 2n - 2. Source: TA-Lib DEMA.
 *
 * @param n  number of inputs of each average
 * @throws {InputError} unless n is an integer of at least 1
 */
export function dema(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('dema', 'n', n)
  const reader = new ValueReader('dema', options)
  return indicator({
    warmup: 2 * length - 2,
    start: () => {
      const [once, twice] = [new SeededAverage(length), new SeededAverage(length)]
      return {
        next: (input: IndicatorInput) => {
          const first = once.next(reader.read(input))
          const second = first === undefined ? undefined : twice.next(first)
          return first === undefined || second === undefined ? undefined : 2 * first - second
        },
      }
    },
  })
}
