/**
 * Steps between two candles that look like a split of shares: prices that were not adjusted for it.
 *
 * Known limit: a fall by half between two candles looks the same. Prices of a few ticks are passed over, because they
 * step by such factors.
 */

import { powerOfTen } from '../domain/fixed-point.ts'

/** Shares that come of one, in the splits that happen. */
const RATIOS = [2, 3, 4, 5, 6, 7, 8, 10, 12, 15, 20, 25, 30, 40, 50, 100]
/** Tolerated difference between an open and the previous close after the split, as a share. */
const TOLERANCE = 0.05
/** A price of fewer ticks moves in large steps by itself. */
const MIN_TICKS = 20

export interface SplitStep {
  /** Opening time of the candle after the step, Unix milliseconds. */
  readonly time: number
  /** Shares that come of one; below 1 where several become one. */
  readonly ratio: number
}

export class SplitSteps {
  /** Last close in ticks of the precision below; 0 before the first candle. */
  #lastClose = 0
  #lastPrecision = 0
  #first: SplitStep | undefined
  count = 0

  /** The first one. */
  get first(): SplitStep | undefined {
    return this.#first
  }

  /**
   * Takes the candles in the order of time.
   *
   * @param open       ticks, and so is `close`
   * @param precision  decimals of a tick
   * @returns the step before this candle; undefined for none
   */
  add(time: number, open: number, close: number, precision: number): SplitStep | undefined {
    const isFine = Math.min(open, this.#lastClose) >= MIN_TICKS
    const scale = precision === this.#lastPrecision ? 1 : Number(powerOfTen(precision - this.#lastPrecision))
    const factor = isFine ? (this.#lastClose * scale) / open : 1
    const step = factor > 1.8 || factor < 0.6 ? stepOf(time, factor) : undefined
    this.#lastClose = close
    this.#lastPrecision = precision
    if (step === undefined) return undefined
    this.count += 1
    this.#first ??= step
    return step
  }
}

function stepOf(time: number, factor: number): SplitStep | undefined {
  const shares = factor > 1 ? factor : 1 / factor
  const ratio = RATIOS.find((each) => Math.abs(shares / each - 1) <= TOLERANCE)
  return ratio === undefined ? undefined : { time, ratio: factor > 1 ? ratio : 1 / ratio }
}

/** `10 for 1`, or `1 for 10`. */
export const splitText = ({ ratio }: SplitStep): string =>
  ratio > 1 ? `${ratio} for 1` : `1 for ${Math.round(1 / ratio)}`
