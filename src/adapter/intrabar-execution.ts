/** Intrabar execution: the price ranges of a recorded candle, for sessions with orders that wait for prices. */
import type { Observable } from 'rxjs'
import type { Decimal } from '../domain/decimal.ts'

/**
 * Phase of a recorded candle in which a session may act: before fills at the open, before fills in the body of a closed
 * candle, and after all its fills and the candle itself were emitted.
 */
export type BarPhase = 'open' | 'body' | 'ended'

/** Price range that a market covered: one price for a trade, a range for a candle. In the quote asset. */
export interface PriceRange {
  readonly first: Decimal
  readonly last: Decimal
  readonly low: Decimal
  readonly high: Decimal
  /** Requests during this bar phase are executed immediately; undefined if every request has latency. */
  readonly stage: BarPhase | undefined
}

/** A market recorded as candles, for a session whose orders wait for prices inside them. */
export interface IntrabarExecution {
  /** Hot. */
  readonly reaches$: Observable<PriceRange>
  /** Open of the running candle in the quote asset; undefined if there is none, or if candles are emitted late. */
  readonly open: Decimal | undefined
  /** Runs `action` at the open that was just played, at its time; does nothing once that moment has passed. */
  actAtOpen(action: () => void): void
  /**
   * Calls `action` once, when requests that are sent now arrive: at the next open, or immediately if candles are
   * emitted late.
   * @param isCancel  whether to run it with the cancels, which come first at an open
   */
  onArrival(action: () => void, isCancel: boolean): void
}
