/**
 * Relative strength index.
 */
import { indicator, type Indicator } from './indicator.ts'
import { ValueReader, type IndicatorInput, type ValueOptions } from './input.ts'
import { lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { wilderAverage } from './windows/seeded-average.ts'

/**
 * Relative strength index, 0 to 100: the share of gains in all moves, both averaged by Wilder (seed: the mean of the
 * first n, then 1/n of the way); 100 without a loss, 0 without a gain, and 0 where nothing moved. First value at row n.
 * Source: Wilder (1978), as TA-Lib RSI.
 *
 * @param n  number of moves
 * @throws {InputError} unless n is an integer of at least 1
 */
export function rsi(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('rsi', 'n', n)
  const reader = new ValueReader('rsi', options)
  return indicator({
    warmup: length,
    start: () => {
      const [last, gains, losses] = [new Lag(1), wilderAverage(length), wilderAverage(length)]
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const before = last.next(value)
          if (before === undefined) return undefined
          const gain = gains.next(Math.max(0, value - before))
          const loss = losses.next(Math.max(0, before - value))
          if (gain === undefined || loss === undefined) return undefined
          return gain === 0 ? 0 : (100 * gain) / (gain + loss)
        },
      }
    },
  })
}
