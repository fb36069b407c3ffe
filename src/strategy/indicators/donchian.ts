/**
 * Donchian channel.
 */
import type { Bands } from './bands.ts'
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { lengthOf } from './parameters.ts'
import { ExtremeWindow } from './windows/extreme-window.ts'

/**
 * Donchian channel: highest high and lowest low of the last n candles, the newest included, and the middle of the two,
 * in the quote asset. First value at row n - 1. Source: Donchian, of TA-Lib's MAX and MIN.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function donchian(n: number): Indicator<CandleNumbers, Bands> {
  const length = lengthOf('donchian', 'n', n)
  return indicator({
    warmup: length - 1,
    start: () => {
      const [highs, lows] = [new ExtremeWindow(length, 1), new ExtremeWindow(length, -1)]
      return {
        next: ({ highNumber, lowNumber }: CandleNumbers) => {
          const upper = highs.next(finite(highNumber, 'donchian'))
          const lower = lows.next(finite(lowNumber, 'donchian'))
          if (upper === undefined || lower === undefined) return undefined
          return { upper, middle: (upper + lower) / 2, lower }
        },
      }
    },
  })
}
