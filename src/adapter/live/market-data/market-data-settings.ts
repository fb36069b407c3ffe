/**
 * Settings of live market data: how often the service is asked, and how long something is waited for. Milliseconds.
 */

export interface MarketDataSettings {
  /**
   * `stream`: a trade of the stream is told at once, and proven afterwards. `rest`: no trade is told before a read has shown its place, so
   * that none is ever missed or out of order that a read could have shown.
   */
  readonly confirm: 'stream' | 'rest'
  /** Between two reads while trades come by the stream. */
  readonly confirmMs: number
  /**
   * Between two reads while nothing comes by the stream, at most: the first follows after `confirmMs`, then the time
   * doubles.
   */
  readonly idleMs: number
  /** Between two reads where there is no stream. */
  readonly pollMs: number
  /** Least time between the beginnings of two reads. */
  readonly spacingMs: number
  /**
   * As long a stream that was wrong is not trusted; doubled each time that it is wrong again, up to `mostDistrustMs`.
   */
  readonly distrustMs: number
  readonly mostDistrustMs: number
  /** A candle is told so long after its end, if no trade behind it told before that it is over. */
  readonly closeAfterMs: number
  /** Between two reads of a ticker where there is no stream of it. */
  readonly tickerMs: number
  /** Longest wait after a read that failed. */
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
