/** The inputs of indicators: doubles, or candles, whose numbers are checked before they are used. */
import { InputError } from '../../domain/errors.ts'

/** A candle as indicators read it; a MarketCandle is one. Prices are doubles in the quote asset. */
export interface CandleNumbers {
  /** Opening time of its interval, Unix milliseconds. */
  readonly time: number
  /** First price, in the quote asset. */
  readonly openNumber: number
  /** Highest price, in the quote asset. */
  readonly highNumber: number
  /** Lowest price, in the quote asset. */
  readonly lowNumber: number
  /** Last price, in the quote asset. */
  readonly closeNumber: number
  /** Traded quantity, in the base asset. */
  readonly volumeNumber: number
}

/** Input of an indicator of one value: a double, or a candle from which it reads one number. */
export type IndicatorInput = number | CandleNumbers

/** The number of a candle that an indicator of one value reads. */
export type CandleField = 'open' | 'high' | 'low' | 'close' | 'volume'

/** Options of an indicator of one value. */
export interface ValueOptions {
  /** The number of a candle that it reads. Default: `'close'`. */
  readonly of?: CandleField
}

/** Limit of inputs, beyond which squares and products would not be finite. */
const LARGEST = 1e100

const FIELDS = {
  open: 'openNumber',
  high: 'highNumber',
  low: 'lowNumber',
  close: 'closeNumber',
  volume: 'volumeNumber',
} as const satisfies Readonly<Record<CandleField, keyof CandleNumbers>>

/** Reads the one number that an indicator needs. */
export class ValueReader {
  readonly #indicator: string
  readonly #key: keyof CandleNumbers

  /**
   * @param indicator  its name, for errors
   * @throws {InputError} for a field that candles do not have
   */
  constructor(indicator: string, { of = 'close' }: ValueOptions = {}) {
    if (!Object.hasOwn(FIELDS, of)) {
      throw new InputError(indicator, `expected of to be one of ${Object.keys(FIELDS).join(', ')}, got ${of}`)
    }
    this.#indicator = indicator
    this.#key = FIELDS[of]
  }

  /** @throws {InputError} unless the number is finite and its size at most 1e100 */
  read(input: IndicatorInput): number {
    // Inlines the check of `finite`: a call of it makes an EMA take twice as long.
    if (typeof input === 'number' && input >= -LARGEST && input <= LARGEST) return input
    return finite(typeof input === 'number' ? input : input[this.#key], this.#indicator)
  }
}

/** @throws {InputError} unless `value` is a finite number of a size of at most 1e100 */
export function finite(value: number, indicator: string): number {
  if (value >= -LARGEST && value <= LARGEST && typeof value === 'number') return value
  throw new InputError(indicator, `expected finite numbers of at most 1e100 as input, got ${String(value)}`)
}

/** (high + low + close) / 3, in the quote asset. */
export const typicalPrice = (candle: CandleNumbers, indicator: string): number =>
  (finite(candle.highNumber, indicator) + finite(candle.lowNumber, indicator) + finite(candle.closeNumber, indicator)) /
  3
