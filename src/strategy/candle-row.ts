/**
 * The candles of several markets at one boundary.
 */
import type { MarketCandle } from './market-data.ts'

/** Candles of one interval, aligned by their opening time: of each market its own, never one of another interval. */
export interface CandleRow<Symbols extends readonly string[] = readonly string[]> {
  /** Opening time of the interval, Unix milliseconds. */
  readonly time: number
  /** One a market, as the symbols were named; undefined for a market that has none. At least one is there. */
  readonly candles: { readonly [Index in keyof Symbols]: MarketCandle | undefined }
  /** Symbols of the markets that have none. */
  readonly missing: readonly Symbols[number][]
}

/** Which candles there are. */
export interface CandleOptions {
  /**
   * Fate of an interval without a trade: `'omit'`, it has no candle (default); `'fill'`, a flat one without volume at the close of the one
   * before, told at its boundary; none before the first trade.
   */
  readonly empty?: 'omit' | 'fill' | undefined
  /**
   * The zone whose calendar decides where days, weeks and months begin, and shorter lengths are counted from its midnight; IANA, such as
   * `'America/New_York'`. Default: UTC.
   */
  readonly zone?: string | undefined
}
