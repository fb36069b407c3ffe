/** Indicators of width: true ranges, deviations, extremes, and the bands and channels made of them. */
import { indicator, type Indicator } from './indicator.ts'
import { type CandleNumbers, finite, type IndicatorInput, type ValueOptions } from './input.ts'
import { fillsWindow, ofLength } from './of-length.ts'
import { factorOf, lengthOf } from './parameters.ts'
import { AverageRange, TrueRange } from './windows/true-range.ts'
import { ExtremeWindow } from './windows/extreme-window.ts'
import { SeededAverage } from './windows/seeded-average.ts'
import { WindowMoments } from './windows/window-moments.ts'

/**
 * True range: the largest of high - low, |high - c| and |low - c|, where c is the close before, in the quote asset.
 * First value at row 1. Source: Wilder (1978), as TA-Lib TRANGE.
 */
export function trueRange(): Indicator<CandleNumbers, number> {
  return indicator({
    warmup: 1,
    start: () => {
      const range = new TrueRange()
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) =>
          range.next(finite(highNumber, 'trueRange'), finite(lowNumber, 'trueRange'), finite(closeNumber, 'trueRange')),
      }
    },
  })
}

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

/**
 * The highest of the last n inputs, the newest included, in their unit. First value at row n - 1. Source: TA-Lib MAX.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function highest(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('highest', n, options, fillsWindow, (length, reader) => {
    const window = new ExtremeWindow(length, 1)
    return { next: (input) => window.next(reader.read(input)) }
  })
}

/**
 * The lowest of the last n inputs, the newest included, in their unit. First value at row n - 1. Source: TA-Lib MIN.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function lowest(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('lowest', n, options, fillsWindow, (length, reader) => {
    const window = new ExtremeWindow(length, -1)
    return { next: (input) => window.next(reader.read(input)) }
  })
}

/**
 * Standard deviation of the last n inputs as a population (divisor n), in their unit. First value at row n - 1. Source:
 * TA-Lib STDDEV.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function deviation(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('deviation', n, options, fillsWindow, (length, reader) => {
    const window = new WindowMoments(length)
    return {
      next: (input) => {
        window.push(reader.read(input))
        return window.mean === undefined ? undefined : Math.sqrt(window.variance)
      },
    }
  })
}

/**
 * Z-score: (x - mean) / deviation of the last n inputs, x the newest, the deviation with divisor n; a plain number of
 * deviations, 0 where there is none. First value at row n - 1. Source: the definition of a standard score, with the
 * deviation of TA-Lib's STDDEV.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function zScore(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('zScore', n, options, fillsWindow, (length, reader) => {
    const window = new WindowMoments(length)
    return {
      next: (input) => {
        const value = reader.read(input)
        window.push(value)
        if (window.mean === undefined) return undefined
        return window.variance === 0 ? 0 : (value - window.mean) / Math.sqrt(window.variance)
      },
    }
  })
}

/** Values of Bollinger bands, Donchian and Keltner channels, in the unit of their inputs. */
export interface Bands {
  /** Upper band, in the unit of the inputs, for prices the quote asset. */
  readonly upper: number
  /** Middle band, as `upper`. */
  readonly middle: number
  /** Lower band, as `upper` and at most that. */
  readonly lower: number
}

/**
 * Bollinger bands: the mean of the last n inputs, and k deviations (divisor n) above and below it, in their unit. First
 * value at row n - 1. Source: TA-Lib BBANDS.
 *
 * @param n  number of inputs in the window
 * @param k  number of deviations, above 0
 * @throws {InputError} unless n is an integer of at least 1 and k above 0
 */
export function bollinger(n: number, k = 2, options?: ValueOptions): Indicator<IndicatorInput, Bands> {
  const width = factorOf('bollinger', 'k', k)
  return ofLength('bollinger', n, options, fillsWindow, (length, reader) => {
    const window = new WindowMoments(length)
    return {
      next: (input) => {
        window.push(reader.read(input))
        const middle = window.mean
        if (middle === undefined) return undefined
        const distance = width * Math.sqrt(window.variance)
        return { upper: middle + distance, middle, lower: middle - distance }
      },
    }
  })
}

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
