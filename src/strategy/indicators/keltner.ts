/**
 * Keltner channel.
 */
import type { Bands } from './bands.ts'
import { indicator, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { factorOf, lengthOf } from './parameters.ts'
import { AverageRange } from './windows/average-range.ts'
import { SeededAverage } from './windows/seeded-average.ts'

/** Width of a Keltner channel. */
export interface KeltnerOptions {
  /** Number of true ranges in the average true range. */
  readonly atr: number
  /** Number of average true ranges on each side, above 0. */
  readonly k: number
}

/**
 * Keltner channel: the EMA of the closes over n, and k average true ranges above and below it, in the quote asset.
 * First value at row max(n - 1, atr). Source: Raschke's form of Keltner (1960), of TA-Lib's EMA and ATR.
 *
 * @param n  number of closes of the EMA
 * @throws {InputError} unless n and atr are integers of at least 1 and k is above 0
 */
export function keltner(n: number, { atr, k }: KeltnerOptions): Indicator<CandleNumbers, Bands> {
  const length = lengthOf('keltner', 'n', n)
  const rangeLength = lengthOf('keltner', 'atr', atr)
  const width = factorOf('keltner', 'k', k)
  return indicator({
    warmup: Math.max(length - 1, rangeLength),
    start: () => {
      const [average, range] = [new SeededAverage(length), new AverageRange(rangeLength)]
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'keltner')
          const middle = average.next(close)
          const mean = range.next(finite(highNumber, 'keltner'), finite(lowNumber, 'keltner'), close)
          if (middle === undefined || mean === undefined) return undefined
          return { upper: middle + width * mean, middle, lower: middle - width * mean }
        },
      }
    },
  })
}
