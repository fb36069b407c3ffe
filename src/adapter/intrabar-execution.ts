/**
 * Prices that a market came to, as a session sees them that lets orders wait for prices.
 */
import type { Observable } from 'rxjs'
import type { Decimal } from '../domain/decimal.ts'

/**
 * When a session may act inside of a recorded candle: before the open fills anything, before a candle that is over
 * fills anything, and behind all that it filled, when that was told.
 */
export type BarPhase = 'open' | 'body' | 'ended'

/** Prices that a market came to: one at a trade, a range in a candle. In the quote asset. */
export interface PriceRange {
  readonly first: Decimal
  readonly last: Decimal
  readonly low: Decimal
  readonly high: Decimal
  /** What is asked for inside of the candle is done there and then; undefined where every request takes its time. */
  readonly stage: BarPhase | undefined
}

/** A market that was recorded as candles, for a session whose orders wait for prices inside of them. */
export interface IntrabarExecution {
  /** Hot. */
  readonly reaches$: Observable<PriceRange>
  /**
   * Where the candle opened that is not over yet, in the quote asset; undefined for none, and where candles are told
   * late.
   */
  readonly open: Decimal | undefined
  /** Does something at the open that was just played, as of its moment; nothing when that is over. */
  actAtOpen(action: () => void): void
  /**
   * Calls `action` once, when the requests arrive that are sent now: at the next open, or at once where candles are
   * told late.
   *
   * @param isCancel  with the cancels, which are before all else at an open
   */
  onArrival(action: () => void, isCancel: boolean): void
}
