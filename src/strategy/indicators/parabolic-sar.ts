/**
 * Stop and reverse by a parabola.
 */
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { finite, type CandleNumbers } from './input.ts'
import { factorOf } from './parameters.ts'
import { directionalMove } from './windows/directional-move.ts'

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
