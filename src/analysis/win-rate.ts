/**
 * Win rate: the share of round trips that won.
 */
import type { RoundTrip } from './round-trip.ts'

/** Closed round trips, counted as they end, so that none need be kept. */
export class TripCount {
  closed = 0
  /** Those with pnl > 0, net of fees: one that breaks even has not won. */
  won = 0

  add({ pnl }: Pick<RoundTrip, 'pnl'>): void {
    this.closed += 1
    if (pnl > 0n) this.won += 1
  }
}

/**
 * Share of the closed round trips that won.
 *
 * @returns  in [0, 1]; null when there is no round trip
 */
export function winRate({ closed, won }: Pick<TripCount, 'closed' | 'won'>): number | null {
  return closed === 0 ? null : won / closed
}
