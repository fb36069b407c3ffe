/** Oscillators: how far and how steadily the price has moved lately. */
import { type Fold, indicator, type Indicator } from './indicator.ts'
import {
  type CandleNumbers,
  finite,
  type IndicatorInput,
  typicalPrice,
  type ValueOptions,
  ValueReader,
} from './input.ts'
import { reachesBack, ofLength } from './of-length.ts'
import { expectFaster, lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { PlaceInRange } from './windows/extreme-window.ts'
import { SeededAverage, TripleAverage, wilderAverage } from './windows/seeded-average.ts'
import { WindowMean } from './windows/window-mean.ts'

/** 0 from 0, as TA-Lib has it; undefined from undefined. */
function percentChange(before: number | undefined, now: number): number | undefined {
  if (before === undefined) return undefined
  return before === 0 ? 0 : (100 * (now - before)) / before
}

/**
 * Momentum: an input less the one n before, in their unit. First value at row n. Source: TA-Lib MOM.
 *
 * @param n  number of inputs between the two
 * @throws {InputError} unless n is an integer of at least 1
 */
export function momentum(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('momentum', n, options, reachesBack, (length, reader) => {
    const lag = new Lag(length)
    return {
      next: (input) => {
        const value = reader.read(input)
        const before = lag.next(value)
        return before === undefined ? undefined : value - before
      },
    }
  })
}

/**
 * Rate of change: 100 times the fraction by which an input differs from the one n before; 0 where that is 0. First
 * value at row n. Source: TA-Lib ROC.
 *
 * @param n  number of inputs between the two
 * @throws {InputError} unless n is an integer of at least 1
 */
export function roc(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('roc', n, options, reachesBack, (length, reader) => {
    const lag = new Lag(length)
    return {
      next: (input) => {
        const value = reader.read(input)
        return percentChange(lag.next(value), value)
      },
    }
  })
}

/**
 * Relative strength index, 0 to 100: the share of gains in all moves, both averaged by Wilder (seed: the mean of the
 * first n, then 1/n of the way); 100 without a loss, 0 without a gain, and 0 where nothing moved. First value at row n.
 * Source: Wilder (1978), as TA-Lib RSI.
 *
 * @param n  number of moves
 * @throws {InputError} unless n is an integer of at least 1
 */
export function rsi(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  return ofLength('rsi', n, options, reachesBack, (length, reader) => {
    const [last, gains, losses] = [new Lag(1), wilderAverage(length), wilderAverage(length)]
    return {
      next: (input) => {
        const value = reader.read(input)
        const before = last.next(value)
        if (before === undefined) return undefined
        const gain = gains.next(Math.max(0, value - before))
        const loss = losses.next(Math.max(0, before - value))
        if (gain === undefined || loss === undefined) return undefined
        return gain === 0 ? 0 : (100 * gain) / (gain + loss)
      },
    }
  })
}

/** Lengths of the oscillator. */
export interface StochasticOptions {
  /** Number of candles of the range. Default: 14. */
  readonly k?: number
  /** Number of values in the average that is `k`. Default: 3. */
  readonly smooth?: number
  /** Number of values of `k` in the average that is `d`. Default: 3. */
  readonly d?: number
}

/** Place of the close in the range, and its average. */
export interface Stochastic {
  /** 100 times the fraction of the range, averaged. */
  readonly k: number
  /** The mean of the last `k`. */
  readonly d: number
}

/**
 * Slow stochastic oscillator, 0 to 100: position of the close between lowest low and highest high of the last k candles
 * (0 where there is no range), averaged by an SMA over `smooth`, and the SMA over `d` of that. First value of both at
 * row k + smooth + d - 3. Source: Lane, as TA-Lib STOCH with averages of type 0.
 *
 * @throws {InputError} unless k, smooth and d are integers of at least 1
 */
export function stochastic({ k = 14, smooth = 3, d = 3 }: StochasticOptions = {}): Indicator<
  CandleNumbers,
  Stochastic
> {
  const length = lengthOf('stochastic', 'k', k)
  const warmup = length + lengthOf('stochastic', 'smooth', smooth) + lengthOf('stochastic', 'd', d) - 3
  return indicator({
    warmup,
    start: () => {
      const [place, fast, slow] = [new PlaceInRange(length), new WindowMean(smooth), new WindowMean(d)]
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'stochastic')
          const raw = place.next(finite(highNumber, 'stochastic'), finite(lowNumber, 'stochastic'), close)
          const smoothed = raw === undefined ? undefined : fast.next(raw)
          const average = smoothed === undefined ? undefined : slow.next(smoothed)
          return smoothed === undefined || average === undefined ? undefined : { k: smoothed, d: average }
        },
      }
    },
  })
}

/**
 * Williams' %R, -100 to 0: -100 (H - c) / (H - L), where H and L are highest high and lowest low of the last n candles
 * and c the close; 0 where there is no range. First value at row n - 1. Source: Williams, as TA-Lib WILLR.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function williamsR(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('williamsR', 'n', n)
  return indicator({
    warmup: length - 1,
    start: () => {
      const place = new PlaceInRange(length)
      return {
        next: ({ highNumber, lowNumber, closeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'williamsR')
          const percent = place.next(finite(highNumber, 'williamsR'), finite(lowNumber, 'williamsR'), close, 100)
          return percent === undefined ? undefined : percent - 100
        },
      }
    },
  })
}

/**
 * Commodity channel index, a plain number that is mostly a fraction of 100: (tp - mean) / (0.015 times the mean
 * absolute deviation from that mean) of the last n typical prices (high + low + close) / 3, tp the newest; 0 where none
 * deviates. First value at row n - 1. The mean moves with each candle, so that its cost grows with n. Source: Lambert,
 * as TA-Lib CCI.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function cci(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('cci', 'n', n)
  return indicator({ warmup: length - 1, start: () => new Cci(length) })
}

class Cci implements Fold<CandleNumbers, number> {
  readonly #prices: Float64Array
  readonly #mean: WindowMean
  #at = 0

  constructor(length: number) {
    this.#prices = new Float64Array(length)
    this.#mean = new WindowMean(length)
  }

  next(candle: CandleNumbers): number | undefined {
    const prices = this.#prices
    const price = typicalPrice(candle, 'cci')
    prices[this.#at] = price
    this.#at = this.#at + 1 === prices.length ? 0 : this.#at + 1
    const mean = this.#mean.next(price)
    if (mean === undefined) return undefined
    // Two sums, so that an addition need not wait for the one before.
    let [deviations, others] = [0, 0]
    for (let index = 1; index < prices.length; index += 2) {
      deviations += Math.abs((prices[index - 1] ?? 0) - mean)
      others += Math.abs((prices[index] ?? 0) - mean)
    }
    if (prices.length % 2 === 1) deviations += Math.abs((prices.at(-1) ?? 0) - mean)
    deviations += others
    return deviations === 0 ? 0 : (price - mean) / ((0.015 * deviations) / prices.length)
  }
}

/** Lengths of its averages. */
export interface MacdOptions extends ValueOptions {
  /** Number of inputs of the fast EMA. Default: 12. */
  readonly fast?: number
  /** Number of inputs of the slow EMA. Default: 26. */
  readonly slow?: number
  /** Number of values of the EMA over the difference. Default: 9. */
  readonly signal?: number
}

/** The difference of two averages, its own average, and how far they are apart. */
export interface Macd {
  /** Fast EMA less slow EMA, in the unit of the inputs, for prices the quote asset. */
  readonly macd: number
  /** EMA of `macd`. */
  readonly signal: number
  /** `macd` less `signal`. */
  readonly histogram: number
}

/**
 * MACD: fast EMA less slow EMA, the EMA of that over `signal` values, and their difference, in the unit of the inputs.
 * The fast EMA is seeded by the `fast` inputs up to the slow one's first value, so that both begin there. First value
 * of all three at row slow + signal - 2. Source: Appel, as TA-Lib MACD.
 *
 * @throws {InputError} unless fast, slow and signal are integers of at least 1, and fast is below slow
 */
export function macd({ fast = 12, slow = 26, signal = 9, ...options }: MacdOptions = {}): Indicator<
  IndicatorInput,
  Macd
> {
  expectFaster('macd', lengthOf('macd', 'fast', fast), lengthOf('macd', 'slow', slow))
  const warmup = slow + lengthOf('macd', 'signal', signal) - 2
  const reader = new ValueReader('macd', options)
  return indicator({
    warmup,
    start: () => {
      const [near, far, smooth] = [new SeededAverage(fast), new SeededAverage(slow), new SeededAverage(signal)]
      let early = slow - fast
      return {
        next: (input: IndicatorInput) => {
          const value = reader.read(input)
          const slowAverage = far.next(value)
          if (early > 0) {
            early -= 1
            return undefined
          }
          const fastAverage = near.next(value)
          if (fastAverage === undefined || slowAverage === undefined) return undefined
          const difference = fastAverage - slowAverage
          const average = smooth.next(difference)
          return average === undefined
            ? undefined
            : { macd: difference, signal: average, histogram: difference - average }
        },
      }
    },
  })
}

/**
 * TRIX: the change of a triple EMA over n from one input to the next, 100 times the fraction of the one before; 0 where
 * that is 0. First value at row 3n - 2. Source: TA-Lib TRIX.
 *
 * @param n  number of inputs of each average
 * @throws {InputError} unless n is an integer of at least 1
 */
export function trix(n: number, options?: ValueOptions): Indicator<IndicatorInput, number> {
  const length = lengthOf('trix', 'n', n)
  const reader = new ValueReader('trix', options)
  return indicator({
    warmup: 3 * length - 2,
    start: () => {
      const [average, last] = [new TripleAverage(length), new Lag(1)]
      return {
        next: (input: IndicatorInput) => {
          const third = average.next(reader.read(input))
          return third === undefined ? undefined : percentChange(last.next(third), third)
        },
      }
    },
  })
}
