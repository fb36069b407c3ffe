/**
 * Volume-weighted average price.
 */
import { ALL_CANDLE_INTERVALS, candleOpenTime, type CandleInterval } from '../../domain/candle.ts'
import { InputError } from '../../domain/errors.ts'
import { indicator, type Fold, type Indicator } from './indicator.ts'
import { finite, typicalPrice, type CandleNumbers } from './input.ts'
import { LongSum } from './windows/long-sum.ts'

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
