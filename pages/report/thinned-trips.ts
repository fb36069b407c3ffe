/**
 * Round trips as they are drawn, and those of a crowd that can be seen apart.
 */

export interface Trip {
  /** Row of the table of round trips. */
  readonly row: number
  readonly from: number
  readonly to: number
  readonly entry: number
  readonly exit: number
  readonly profit: number
}

export interface DrawnTrip {
  readonly trip: Trip
  readonly x1: number
  readonly y1: number
  readonly x2: number
  readonly y2: number
}

/** Pixels of a side of the squares that short trips of a crowd begin in. */
const CELL = 4

/** Long trips, the picked one, and of the short ones that begin in one square the first gain and the first loss. */
export function thinnedTrips(trips: readonly DrawnTrip[], picked: number | undefined): readonly DrawnTrip[] {
  const taken = new Set<number>()
  return trips.filter(({ trip, x1, x2, y1, y2 }) => {
    if (trip.row === picked || x2 - x1 > 2 * CELL || Math.abs(y2 - y1) > 2 * CELL) return true
    const cell = ((Math.floor(x1 / CELL) + 8) * 65_536 + Math.floor(y1 / CELL) + 8) * 2 + (trip.profit < 0 ? 1 : 0)
    if (taken.has(cell)) return false
    taken.add(cell)
    return true
  })
}
