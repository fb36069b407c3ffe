/**
 * Rate of change.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { percentChange } from './percent-change.ts'
import { Lag } from './windows/lag.ts'

/**
 * Rate of change: 100 times the fraction by which an input differs from the one n before; 0 where that is 0. First
 * value at row n. Source: TA-Lib ROC.
 *
 * @param n  number of inputs between the two
 * @throws {InputError} unless n is an integer of at least 1
 */
export function roc(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('roc', 'n', n)
  const reader = new ValueReader('roc', options)
  return indicator({
    warmup: length,
    start: () => {
      const lag = new Lag(length)
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          return percentChange(lag.next(value), value)
        },
      }
    },
  })
}
