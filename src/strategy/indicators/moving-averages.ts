/** Moving averages: simple, exponential, weighted, double and triple exponential, Hull's and Kaufman's. */
import { type Fold, indicator, type Indicator } from './indicator.ts'
import { type IndicatorInput, type ValueOptions, ValueReader } from './input.ts'
import { fillsWindow, ofLength } from './of-length.ts'
import { expectFaster, lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { SeededAverage, TripleAverage } from './windows/seeded-average.ts'
import { WeightedMean } from './windows/weighted-window.ts'
import { WindowMean } from './windows/window-mean.ts'

/**
 * Simple moving average: the mean of the last n inputs, in their unit. First value at row n - 1. Source: TA-Lib SMA.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function sma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('sma', n, options, fillsWindow, (length, reader) => {
    const mean = new WindowMean(length)
    return { next: (input) => mean.next(reader.read(input)) }
  })
}

/**
 * Exponential moving average: begins with the mean of the first n inputs, then goes 2/(n + 1) of the way to each, in
 * their unit. First value at row n - 1. Source: TA-Lib EMA.
 *
 * @param n  number of inputs of the seed, and of its length
 * @throws {InputError} unless n is an integer of at least 1
 */
export function ema(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('ema', n, options, fillsWindow, (length, reader) => {
    const average = new SeededAverage(length)
    return { next: (input) => average.next(reader.read(input)) }
  })
}

/**
 * Weighted moving average: weights 1 to n, the newest heaviest, in the unit of the inputs. First value at row n - 1.
 * Source: TA-Lib WMA.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function wma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('wma', n, options, fillsWindow, (length, reader) => {
    const mean = new WeightedMean(length)
    return { next: (input) => mean.next(reader.read(input)) }
  })
}

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

/**
 * Hull moving average: the WMA over round(√n) of 2 WMA(n/2) - WMA(n), n/2 rounded down, in the unit of the inputs.
 * First value at row n + round(√n) - 2. Source: Hull (2005).
 *
 * @param n  number of inputs in the longest window
 * @throws {InputError} unless n is an integer of at least 2
 */
export function hma(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('hma', 'n', n, 2)
  const reader = new ValueReader('hma', options)
  return indicator({
    warmup: length + Math.round(Math.sqrt(length)) - 2,
    start: () => {
      const fast = new WeightedMean(Math.floor(length / 2))
      const slow = new WeightedMean(length)
      const smooth = new WeightedMean(Math.round(Math.sqrt(length)))
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const [near, far] = [fast.next(value), slow.next(value)]
          return near === undefined || far === undefined ? undefined : smooth.next(2 * near - far)
        },
      }
    },
  })
}

/** Lengths between which it adapts. */
export interface KamaOptions extends ValueOptions {
  /** Number of inputs of the EMA for a perfectly directional market. Default: 2. */
  readonly fast?: number
  /** Number of inputs of the EMA for a market without direction. Default: 30. */
  readonly slow?: number
}

/**
 * Kaufman's adaptive moving average, in the unit of the inputs: goes the share (r (f - s) + s)² of the way to each
 * input, where f and s are 2/(fast + 1) and 2/(slow + 1), and r is the efficiency ratio, the move over n inputs through
 * the sum of its single moves; 1 where nothing moved. It starts from the input before its first value. First value at
 * row n. Source: Kaufman (1995), as TA-Lib KAMA.
 *
 * @param n  number of moves in the efficiency ratio
 * @throws {InputError} unless n, fast and slow are integers of at least 1, and fast is below slow
 */
export function kama(
  n: number,
  { fast = 2, slow = 30, ...options }: KamaOptions = {},
): Indicator<IndicatorInput, number> {
  const length = lengthOf('kama', 'n', n)
  expectFaster('kama', lengthOf('kama', 'fast', fast), lengthOf('kama', 'slow', slow))
  const reader = new ValueReader('kama', options)
  const [most, least] = [2 / (fast + 1), 2 / (slow + 1)]
  return indicator({ warmup: length, start: () => new Kama({ length, most, least, reader }) })
}

interface KamaTerms {
  readonly length: number
  /** Shares of the way. */
  readonly most: number
  readonly least: number
  readonly reader: ValueReader
}

class Kama implements Fold<IndicatorInput, number> {
  readonly #terms: KamaTerms
  readonly #first: Lag
  readonly #meanMove: WindowMean
  #last: number | undefined
  #average: number | undefined

  constructor(terms: KamaTerms) {
    this.#terms = terms
    this.#first = new Lag(terms.length)
    this.#meanMove = new WindowMean(terms.length)
  }

  next(input: IndicatorInput): number | undefined {
    const { length, most, least, reader } = this.#terms
    const value = reader.read(input)
    const last = this.#last
    this.#last = value
    const first = this.#first.next(value)
    const meanMove = last === undefined ? undefined : this.#meanMove.next(Math.abs(value - last))
    if (last === undefined || first === undefined || meanMove === undefined) return undefined
    const ratio = meanMove === 0 ? 1 : Math.min(1, Math.abs(value - first) / (length * meanMove))
    const share = ratio * (most - least) + least
    const before = this.#average ?? last
    return (this.#average = before + share * share * (value - before))
  }
}
