/** Indicators of the direction and strength of a trend. */
import { type Fold, indicator, type Indicator } from './indicator.ts'
import { type CandleNumbers, finite, type IndicatorInput, type ValueOptions, ValueReader } from './input.ts'
import { factorOf, lengthOf } from './parameters.ts'
import { ExtremeWindow } from './windows/extreme-window.ts'
import { type SeededAverage, wilderAverage } from './windows/seeded-average.ts'
import { AverageRange, TrueRange } from './windows/true-range.ts'
import { WeightedWindow } from './windows/weighted-window.ts'

/** Strength and side of a trend, each 0 to 100. */
export interface DirectionalMovement {
  /** 100 times the fraction that the one side is stronger, averaged. */
  readonly adx: number
  /** 100 times the fraction of the true range that was upward. */
  readonly plusDi: number
  /** 100 times the fraction of the true range that was downward. */
  readonly minusDi: number
}

/**
 * Average directional index, 0 to 100, with its two indicators: sums by Wilder of upward and downward movement and of
 * true range (the first n - 1 changes summed, then each sum loses 1/n and gains the new one); the indicators are 100
 * times the movements through the range, and the index the average by Wilder of 100 |plus - minus| / (plus + minus).
 * Where nothing moved the indicators are 0 and the index stays. First value of all at row 2n - 1. Source: Wilder
 * (1978), as TA-Lib ADX, PLUS_DI and MINUS_DI.
 *
 * @param n  number of changes
 * @throws {InputError} unless n is an integer of at least 2
 */
export function adx(n: number): Indicator<CandleNumbers, DirectionalMovement> {
  const length = lengthOf('adx', 'n', n, 2)
  return indicator({ warmup: 2 * length - 1, start: () => new Adx(length) })
}

class Adx implements Fold<CandleNumbers, DirectionalMovement> {
  readonly #length: number
  readonly #trueRange = new TrueRange()
  readonly #index: SeededAverage
  #changes = 0
  #high = 0
  #low = 0
  #plus = 0
  #minus = 0
  #range = 0
  #adx: number | undefined

  constructor(length: number) {
    this.#length = length
    this.#index = wilderAverage(length)
  }

  next(candle: CandleNumbers): DirectionalMovement | undefined {
    const high = finite(candle.highNumber, 'adx')
    const low = finite(candle.lowNumber, 'adx')
    const range = this.#trueRange.next(high, low, finite(candle.closeNumber, 'adx'))
    const move = directionalMove(high - this.#high, this.#low - low)
    this.#high = high
    this.#low = low
    if (range === undefined) return undefined
    this.#changes += 1
    const weight = this.#changes < this.#length ? 1 : 1 - 1 / this.#length
    this.#plus = weight * this.#plus + Math.max(0, move)
    this.#minus = weight * this.#minus + Math.max(0, -move)
    this.#range = weight * this.#range + range
    return this.#changes < this.#length ? undefined : this.#value()
  }

  #value(): DirectionalMovement | undefined {
    const moved = this.#plus + this.#minus
    const difference = Math.abs(this.#plus - this.#minus)
    if (moved > 0) this.#adx = this.#index.next((100 * difference) / moved)
    // A candle without movement has no direction: it counts as 0 in the seed, and not at all after it.
    else this.#adx ??= this.#index.next(0)
    if (this.#adx === undefined) return undefined
    const share = this.#range > 0 ? 100 / this.#range : 0
    return { adx: this.#adx, plusDi: share * this.#plus, minusDi: share * this.#minus }
  }
}

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

/** A line of least squares. */
export interface RegressionLine {
  /** Value of the line at the newest input, in the unit of the inputs; for prices, the quote asset. */
  readonly value: number
  /** Change from one input to the next, in the same unit as `value`. */
  readonly slope: number
}

/**
 * Linear regression: the line of least squares through the last n inputs, its value at the newest and its slope an
 * input, both in their unit. First value at row n - 1. Source: TA-Lib LINEARREG and LINEARREG_SLOPE.
 *
 * @param n  number of inputs in the window
 * @throws {InputError} unless n is an integer of at least 2
 */
export function linearRegression(n: number, options?: ValueOptions): Indicator<IndicatorInput, RegressionLine> {
  const length = lengthOf('linearRegression', 'n', n, 2)
  const reader = new ValueReader('linearRegression', options)
  const middle = (length + 1) / 2
  const spread = (length * (length * length - 1)) / 12
  return indicator({
    warmup: length - 1,
    start: () => {
      const window = new WeightedWindow(length)
      return {
        next: (input: IndicatorInput) => {
          window.push(reader.read(input))
          if (window.anchor === undefined) return undefined
          const slope = (window.weighted - middle * window.sum) / spread
          return { value: window.anchor + window.sum / length + slope * (length - middle), slope }
        },
      }
    },
  })
}

/** Acceleration of the parabola. */
export interface ParabolicSarOptions {
  /** Share of the way to the extreme that it starts with and gains by each new one. Default: 0.02. */
  readonly step?: number
  /** Largest share of the way. Default: 0.2. */
  readonly max?: number
}

/**
 * Parabolic SAR, in the quote asset: a stop that moves a share of the way to the extreme of the trend each candle, a
 * share that grows by `step` with each new extreme up to `max`, never past the lows (highs) of the last two candles;
 * when touched, it becomes the extreme, and the trend turns. It begins down if the directional movement of rows 0 and 1
 * is downward, otherwise up. First value at row 1. Source: Wilder (1978), as TA-Lib SAR.
 *
 * @throws {InputError} unless step and max are above 0 and at most 1, and step at most max
 */
export function parabolicSar({ step = 0.02, max = 0.2 }: ParabolicSarOptions = {}): Indicator<CandleNumbers, number> {
  const most = factorOf('parabolicSar', 'max', max, 1)
  const gain = factorOf('parabolicSar', 'step', step, most)
  return indicator({ warmup: 1, start: () => new ParabolicSar(gain, most) })
}

/** Reckons as of a rise; a fall is one with all prices negative and highs and lows changed over. */
class ParabolicSar implements Fold<CandleNumbers, number> {
  readonly #step: number
  readonly #max: number
  /** Undefined before the first candle. */
  #high: number | undefined
  #low = 0
  /** Undefined before the second candle. */
  #sign: 1 | -1 | undefined
  #stop = 0
  #extreme = 0
  #share: number

  constructor(step: number, max: number) {
    this.#step = step
    this.#max = max
    this.#share = step
  }

  next(candle: CandleNumbers): number | undefined {
    const high = finite(candle.highNumber, 'parabolicSar')
    const low = finite(candle.lowNumber, 'parabolicSar')
    let [highBefore, lowBefore] = [this.#high, this.#low]
    this.#high = high
    this.#low = low
    if (highBefore === undefined) return undefined
    if (this.#sign === undefined) {
      this.#sign = directionalMove(high - highBefore, lowBefore - low) < 0 ? -1 : 1
      this.#stop = this.#sign === 1 ? lowBefore : -highBefore
      this.#extreme = this.#sign === 1 ? high : -low
      ;[highBefore, lowBefore] = [high, low]
    }
    const now = this.#sign === 1 ? { high, low } : { high: -low, low: -high }
    const highest = this.#sign === 1 ? Math.max(highBefore, high) : -Math.min(lowBefore, low)
    const lowest = this.#sign === 1 ? Math.min(lowBefore, low) : -Math.max(highBefore, high)
    return this.#follow(this.#sign, now, { high: highest, low: lowest })
  }

  /** @param both  of the two last candles */
  #follow(sign: 1 | -1, now: HighLow, both: HighLow): number {
    if (now.low <= this.#stop) return this.#turn(sign, now, both)
    const stop = this.#stop
    if (now.high > this.#extreme) {
      this.#extreme = now.high
      this.#share = Math.min(this.#max, this.#share + this.#step)
    }
    this.#stop = Math.min(stop + this.#share * (this.#extreme - stop), both.low)
    return sign * stop
  }

  #turn(sign: 1 | -1, now: HighLow, both: HighLow): number {
    const stop = Math.max(this.#extreme, both.high)
    this.#sign = sign === 1 ? -1 : 1
    this.#share = this.#step
    this.#extreme = -now.low
    this.#stop = Math.min(this.#share * (this.#extreme + stop) - stop, -both.high)
    return sign * stop
  }
}

interface HighLow {
  readonly high: number
  readonly low: number
}

/** The line below a rising price or above a falling one. */
export interface Trend {
  /** Stop line in the quote asset. */
  readonly line: number
  /** 1 while the price is taken to rise, -1 while it is taken to fall. */
  readonly direction: 1 | -1
}

/**
 * Supertrend, in the quote asset: bands at (high + low) / 2 ± k ATR(n) that only tighten while the close before is
 * within them. The line is the lower band until a close is below it, then the upper one until a close is above that. It
 * starts up. First value at row n. Source: Seban, with TA-Lib's ATR.
 *
 * @param n  number of true ranges
 * @param k  number of average true ranges, above 0
 * @throws {InputError} unless n is an integer of at least 1 and k above 0
 */
export function superTrend(n: number, k: number): Indicator<CandleNumbers, Trend> {
  const length = lengthOf('superTrend', 'n', n)
  const width = factorOf('superTrend', 'k', k)
  return indicator({ warmup: length, start: () => new SuperTrend(length, width) })
}

class SuperTrend implements Fold<CandleNumbers, Trend> {
  readonly #range: AverageRange
  readonly #width: number
  #upper = 0
  #lower = 0
  /** Close of the candle before, once there are bands. */
  #close: number | undefined
  #direction: 1 | -1 = 1

  constructor(length: number, width: number) {
    this.#range = new AverageRange(length)
    this.#width = width
  }

  next(candle: CandleNumbers): Trend | undefined {
    const high = finite(candle.highNumber, 'superTrend')
    const low = finite(candle.lowNumber, 'superTrend')
    const close = finite(candle.closeNumber, 'superTrend')
    const range = this.#range.next(high, low, close)
    if (range === undefined) return undefined
    const middle = (high + low) / 2
    this.#tighten(middle + this.#width * range, middle - this.#width * range)
    this.#turn(close)
    this.#close = close
    return { line: this.#direction === 1 ? this.#lower : this.#upper, direction: this.#direction }
  }

  #tighten(upper: number, lower: number): void {
    if (this.#close === undefined || upper < this.#upper || this.#close > this.#upper) this.#upper = upper
    if (this.#close === undefined || lower > this.#lower || this.#close < this.#lower) this.#lower = lower
  }

  #turn(close: number): void {
    if (this.#close === undefined) return
    if (this.#direction === 1 && close < this.#lower) this.#direction = -1
    else if (this.#direction === -1 && close > this.#upper) this.#direction = 1
  }
}

/**
 * The larger of the two ways that a range went on, downward as a negative number; 0 when neither is larger, or none
 * went on.
 *
 * @param up    how much higher the high is
 * @param down  how much lower the low is
 */
function directionalMove(up: number, down: number): number {
  if (down > 0 && up < down) return -down
  return up > 0 && up > down ? up : 0
}
