/** Candles of several markets for one interval. */
import type { MarketCandle } from './market-data.ts'

/** Candles of several markets for the same interval, aligned by opening time. */
export interface CandleRow<Symbols extends readonly string[] = readonly string[]> {
  /** Opening time of the interval, in Unix milliseconds. */
  readonly time: number
  /** One candle per market, in the order of the symbols; `undefined` if a market has none. At least one is defined. */
  readonly candles: { readonly [Index in keyof Symbols]: MarketCandle | undefined }
  /** Symbols of the markets without a candle. */
  readonly missing: readonly Symbols[number][]
}

/** Options of `candles`. */
export interface CandleOptions {
  /**
   * Handling of intervals without a trade. `'omit'` emits no candle (default). `'fill'` emits a flat candle at the last
   * close with volume 0, but none before the first trade.
   */
  readonly empty?: 'omit' | 'fill' | undefined
  /**
   * IANA time zone in which days, weeks and months start, such as `'America/New_York'`; default UTC. Shorter intervals
   * are counted from midnight in that zone.
   */
  readonly zone?: string | undefined
}
