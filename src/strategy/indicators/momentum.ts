/**
 * Difference to the input of some time ago.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'

/**
 * Momentum: an input less the one n before, in their unit. First value at row n. Source: TA-Lib MOM.
 *
 * @param n  number of inputs between the two
 * @throws {InputError} unless n is an integer of at least 1
 */
export function momentum(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('momentum', 'n', n)
  const reader = new ValueReader('momentum', options)
  return indicator({
    warmup: length,
    start: () => {
      const lag = new Lag(length)
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const before = lag.next(value)
          return before === undefined ? undefined : value - before
        },
      }
    },
  })
}
