/**
 * Average true range.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { AverageRange } from './windows/average-range.ts'

/**
 * Average true range by Wilder, in the quote asset: the mean of the true ranges of rows 1 to n, then 1/n of the way to
 * each. First value at row n. Source: Wilder (1978), as TA-Lib ATR.
 *
 * @param n  number of true ranges
 * @throws {InputError} unless n is an integer of at least 1
 */
export function atr(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('atr', 'n', n)
  return indicator({
    warmup: length,
    start: () => {
      const range = new AverageRange(length)
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) =>
          range.next(finite(highNumber, 'atr'), finite(lowNumber, 'atr'), finite(closeNumber, 'atr')),
      }
    },
  })
}
