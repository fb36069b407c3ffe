/** Candles and their intervals (section 2, Candle; decisions 2 and 3). */
import { invariant } from './errors.ts'
import { formatTrimmed, formatUnits } from './fixed-point.ts'
import type { Market } from './market.ts'

/** The intervals that the service serves, with their length in milliseconds. */
export const CANDLE_INTERVALS = {
  '1m': 60_000,
  '5m': 300_000,
  '15m': 900_000,
  '30m': 1_800_000,
  '1h': 3_600_000,
  '4h': 14_400_000,
  '1d': 86_400_000,
} as const

/** Shorter ones that a strategy may ask for as well; the service does not serve them. */
export const SHORT_CANDLE_INTERVALS = { '1s': 1_000, '5s': 5_000, '15s': 15_000, '30s': 30_000 } as const

/** Length of a candle, such as `'1m'` or `'4h'`. */
export type CandleInterval = keyof typeof CANDLE_INTERVALS | keyof typeof SHORT_CANDLE_INTERVALS

/** Every interval with its length in milliseconds, shortest first; each divides the next. */
export const ALL_CANDLE_INTERVALS: Readonly<Record<CandleInterval, number>> = {
  ...SHORT_CANDLE_INTERVALS,
  ...CANDLE_INTERVALS,
}

/** Every interval, shortest first. */
export const CANDLE_INTERVAL_NAMES = Object.keys(ALL_CANDLE_INTERVALS) as readonly CandleInterval[]

/** The interval of that name. @throws {InvariantError} for any other name */
export function listedInterval(name: string): CandleInterval {
  const listed = CANDLE_INTERVAL_NAMES.find((each) => each === name)
  invariant(listed !== undefined, `'${name}' is no listed interval`)
  return listed
}

export interface Candle {
  /** Opening time of the interval, Unix milliseconds (decision 2). */
  readonly time: number
  readonly symbol: string
  /** Ticks. */
  readonly open: number
  readonly high: number
  readonly low: number
  readonly close: number
  /** Lots. */
  readonly volume: bigint
}

/** A candle in the form of the specification. */
export interface CandleJson {
  /** Opening time of the interval, Unix milliseconds. */
  readonly time: number
  /** Market, such as `BTC_USD`. */
  readonly symbol: string
  /** First price, decimal text. */
  readonly open: string
  /** Highest price. */
  readonly high: string
  /** Lowest price. */
  readonly low: string
  /** Last price. */
  readonly close: string
  /** Traded quantity in the base asset. */
  readonly volume: string
}

/** Opening time of the interval that holds `timeMs`. */
export const candleOpenTime = (timeMs: number, intervalMs: number): number => timeMs - mod(timeMs, intervalMs)

const mod = (value: number, divisor: number): number => ((value % divisor) + divisor) % divisor

export function candleToJson(candle: Candle, market: Market): CandleJson {
  return {
    time: candle.time,
    symbol: candle.symbol,
    open: formatUnits(candle.open, market.pricePrecision),
    high: formatUnits(candle.high, market.pricePrecision),
    low: formatUnits(candle.low, market.pricePrecision),
    close: formatUnits(candle.close, market.pricePrecision),
    volume: formatTrimmed(candle.volume, market.qtyPrecision),
  }
}
