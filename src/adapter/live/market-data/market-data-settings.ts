/** Settings of live market data: poll intervals and time limits, in milliseconds. */

export interface MarketDataSettings {
  /**
   * `stream`: a trade of the stream is emitted immediately and verified afterwards. `rest`: a trade is emitted only
   * once a read has shown its place, so that no gap or wrong order which a read could show remains.
   */
  readonly confirm: 'stream' | 'rest'
  /** Interval between two reads while the stream brings trades. */
  readonly confirmMs: number
  /**
   * Longest interval between two reads while the stream is silent: the first follows after `confirmMs`, then it
   * doubles.
   */
  readonly idleMs: number
  /** Interval between two reads without a stream. */
  readonly pollMs: number
  /** Minimum time between the starts of two reads. */
  readonly spacingMs: number
  /** Time for which a wrong stream is not trusted; doubled each time it is wrong again, up to `mostDistrustMs`. */
  readonly distrustMs: number
  readonly mostDistrustMs: number
  /** Delay after a candle's end before it is emitted, unless a later trade closes it first. */
  readonly closeAfterMs: number
  /** Interval between two reads of a ticker without a ticker stream. */
  readonly tickerMs: number
  /** Longest wait after a failed read. */
  readonly mostBackoffMs: number
}

export const MARKET_DATA_SETTINGS: MarketDataSettings = {
  confirm: 'stream',
  confirmMs: 5_000,
  idleMs: 30_000,
  pollMs: 2_000,
  spacingMs: 500,
  distrustMs: 60_000,
  mostDistrustMs: 3_600_000,
  closeAfterMs: 200,
  tickerMs: 5_000,
  mostBackoffMs: 30_000,
}
