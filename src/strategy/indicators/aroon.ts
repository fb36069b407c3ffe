/**
 * Time since the extremes.
 */
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { ExtremeWindow } from './windows/extreme-window.ts'

/** Recency of the extremes. */
export interface Aroon {
  /** 100 times the fraction of n that is left since the highest high: 100 when it is the newest. */
  readonly up: number
  /** 100 times the same fraction since the lowest low. */
  readonly down: number
}

/**
 * Aroon, 0 to 100: 100 (n - a) / n, where a is the number of candles since the highest high, and since the lowest low,
 * of the last n + 1; of equal ones the latest counts. First value at row n. Source: Chande (1995), as TA-Lib AROON.
 *
 * @param n  number of candles back that it looks
 * @throws {InputError} unless n is an integer of at least 1
 */
export function aroon(n: number): Indicator<CandleNumbers, Aroon> {
  const length = lengthOf('aroon', 'n', n)
  return indicator({
    warmup: length,
    start: () => {
      const [highs, lows] = [new ExtremeWindow(length + 1, 1), new ExtremeWindow(length + 1, -1)]
      return {
        next: ({ highNumber, lowNumber }: CandleNumbers) => {
          const highest = highs.next(finite(highNumber, 'aroon'))
          lows.next(finite(lowNumber, 'aroon'))
          if (highest === undefined) return undefined
          return { up: (100 * (length - highs.age)) / length, down: (100 * (length - lows.age)) / length }
        },
      }
    },
  })
}
