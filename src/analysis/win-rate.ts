/**
 * Win rate: the share of round trips that won.
 */
import type { RoundTrip } from './round-trip.ts'

/**
 * Share of the round trips with pnl > 0, net of fees: one that breaks even has not won.
 *
 * @returns  in [0, 1]; null when there is no round trip
 */
export function winRate(roundTrips: readonly Pick<RoundTrip, 'pnl'>[]): number | null {
  if (roundTrips.length === 0) return null
  return roundTrips.filter(({ pnl }) => pnl > 0n).length / roundTrips.length
}
