/** Indicators that weigh prices by traded volume. */
import { ALL_CANDLE_INTERVALS, type CandleInterval, candleOpenTime } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import { type Fold, indicator, type Indicator } from './indicator.ts'
import { type CandleNumbers, finite, typicalPrice } from './input.ts'
import { lengthOf } from './parameters.ts'
import { Lag } from './windows/lag.ts'
import { WindowMean } from './windows/window-mean.ts'

/**
 * Money flow index, 0 to 100: the share of the money that flowed on a higher typical price (high + low + close) / 3
 * than that of the candle before in all that flowed on another one, over n candles; money is typical price times
 * volume. 0 where less than 1 flowed. First value at row n. Source: Quong and Soudack (1989), as TA-Lib MFI.
 *
 * @param n  number of candles in the window
 * @throws {InputError} unless n is an integer of at least 1
 */
export function mfi(n: number): Indicator<CandleNumbers, number> {
  const length = lengthOf('mfi', 'n', n)
  return indicator({
    warmup: length,
    start: () => {
      const [last, rising, falling] = [new Lag(1), new WindowMean(length), new WindowMean(length)]
      return {
        next: (candle: CandleNumbers) => {
          const price = typicalPrice(candle, 'mfi')
          const flow = price * finite(candle.volumeNumber, 'mfi')
          const before = last.next(price)
          if (before === undefined) return undefined
          const up = rising.next(price > before ? flow : 0)
          const down = falling.next(price < before ? flow : 0)
          if (up === undefined || down === undefined) return undefined
          return length * (up + down) < 1 ? 0 : (100 * up) / (up + down)
        },
      }
    },
  })
}

/**
 * On-balance volume, in the base asset: begins with the first volume, and gains that of each candle that closes higher
 * than the one before, loses that of each that closes lower. First value at row 0. Source: Granville (1963), as TA-Lib
 * OBV.
 */
export function obv(): Indicator<CandleNumbers, number> {
  return indicator({
    warmup: 0,
    start: () => {
      const [last, total] = [new Lag(1), new LongSum()]
      return {
        next: ({ closeNumber, volumeNumber }: CandleNumbers) => {
          const close = finite(closeNumber, 'obv')
          const volume = finite(volumeNumber, 'obv')
          const before = last.next(close)
          if (before === undefined || close > before) total.add(volume)
          else if (close < before) total.add(-volume)
          return total.value
        },
      }
    },
  })
}

/** Start of a volume-weighted average price. */
export interface VwapOptions {
  /**
   * The average starts again with each such interval of UTC; with `'none'`, only with the first candle. Default:
   * `'1d'`.
   */
  readonly anchor?: CandleInterval | 'none'
}

/**
 * Volume-weighted average price, in the quote asset: Σ tp v / Σ v since the anchor, of typical prices (high + low +
 * close) / 3 and volumes; before any volume the typical price. First value at row 0. Source: the definition of the
 * average.
 *
 * @throws {InputError} for an anchor that is no interval
 */
export function vwap({ anchor = '1d' }: VwapOptions = {}): Indicator<CandleNumbers, number> {
  if (anchor !== 'none' && !Object.hasOwn(ALL_CANDLE_INTERVALS, anchor)) {
    const known = ['none', ...Object.keys(ALL_CANDLE_INTERVALS)].join(', ')
    throw new InputError('vwap', `expected anchor to be one of ${known}, got ${anchor}`)
  }
  const intervalMs = anchor === 'none' ? undefined : ALL_CANDLE_INTERVALS[anchor]
  return indicator({ warmup: 0, start: () => new Vwap(intervalMs) })
}

/** Sums distances to the first price since the anchor, so that equal prices average to exactly themselves. */
class Vwap implements Fold<CandleNumbers, number> {
  readonly #intervalMs: number | undefined
  #start: number | undefined
  #first = 0
  #volume = new LongSum()
  #flow = new LongSum()

  constructor(intervalMs: number | undefined) {
    this.#intervalMs = intervalMs
  }

  next(candle: CandleNumbers): number {
    const price = typicalPrice(candle, 'vwap')
    const volume = finite(candle.volumeNumber, 'vwap')
    const start = this.#intervalMs === undefined ? 0 : candleOpenTime(finite(candle.time, 'vwap'), this.#intervalMs)
    if (start !== this.#start) this.#begin(start, price)
    this.#volume.add(volume)
    this.#flow.add((price - this.#first) * volume)
    const total = this.#volume.value
    return total > 0 ? this.#first + this.#flow.value / total : price
  }

  #begin(start: number, price: number): void {
    this.#start = start
    this.#first = price
    this.#volume = new LongSum()
    this.#flow = new LongSum()
  }
}

/** A sum without end that keeps what rounding takes from it (Neumaier 1974), so that it does not drift. */
class LongSum {
  #sum = 0
  #lost = 0

  get value(): number {
    return this.#sum + this.#lost
  }

  add(term: number): void {
    const sum = this.#sum + term
    this.#lost += Math.abs(this.#sum) >= Math.abs(term) ? this.#sum - sum + term : term - sum + this.#sum
    this.#sum = sum
  }
}
