/**
 * Figures of the closed round trips of a run, folded as they end, so that none need be kept.
 *
 * Sums of profits are exact; what is made of them is a float.
 */
import { invariant } from '../domain/errors.ts'
import type { RoundTrip } from './round-trip.ts'

/** A round trip that has ended, and how far the market went meanwhile. */
export type EndedTrip = Pick<RoundTrip, 'pnl' | 'return' | 'openedAt' | 'closedAt'> & {
  /** Largest move of the mark against and for the trip's average entry, as shares of it, 0 or more. */
  readonly mae: number
  readonly mfe: number
}

/** Each null where there is no trip of the kind that it speaks of. */
export interface TripStatistics {
  /** Share of the closed trips with a profit above 0, net of fees. */
  readonly winRate: number | null
  /** Sum of the profits over the sum of the losses. */
  readonly profitFactor: number | null
  /** Mean profit over mean loss. */
  readonly payoff: number | null
  /** Mean profit of a trip, in the quote asset. */
  readonly expectancy: number | null
  /** Of the trips' returns, each its profit over what opened it. */
  readonly meanTripReturn: number | null
  readonly bestTripReturn: number | null
  readonly worstTripReturn: number | null
  /**
   * Root of the number of trips x mean profit over its deviation; null for fewer than two trips, or without a deviation.
   *
   * @see Tharp (2008), Definitive Guide to Position Sizing; the number of trips is not capped here
   */
  readonly sqn: number | null
  /**
   * Share of the capital that grows it fastest, were the trips to come would be like these.
   *
   * @see Kelly (1956), A New Interpretation of Information Rate
   */
  readonly kelly: number | null
  /** Milliseconds from the first fill of a trip to its last. */
  readonly meanTripMs: number | null
  readonly longestTripMs: number | null
  /** Longest runs of trips that won and that lost; one that broke even ends both. */
  readonly winStreak: number | null
  readonly lossStreak: number | null
  /** Means of the trips' largest adverse and favourable moves. */
  readonly mae: number | null
  readonly mfe: number | null
}

/** A deviation below this share of the mean is rounding, and counts as none. */
const ROUNDING = 1e-12

export class TripStatisticsFold {
  /** Profits in ledger units, exactly. */
  #gained = 0n
  #lost = 0n
  #closed = 0
  #won = 0
  #lostTrips = 0
  /** By Welford's method: mean, and sum of the squared distances from it, of the profits in ledger units. */
  #mean = 0
  #squares = 0
  readonly #returns = { sum: 0, best: Number.NEGATIVE_INFINITY, worst: Number.POSITIVE_INFINITY }
  #totalMs = 0
  #longestMs = 0
  /** Trips in the streak at hand: above 0 for wins, below for losses. */
  #streak = 0
  #winStreak = 0
  #lossStreak = 0
  #mae = 0
  #mfe = 0

  /** Trips so far. */
  get closed(): number {
    return this.#closed
  }

  /** @param trip  the next to end, its profit in the same asset as those before */
  add(trip: EndedTrip): void {
    const { pnl, openedAt, closedAt, mae, mfe } = trip
    invariant(closedAt >= openedAt, 'a trip ends after it began')
    this.#closed += 1
    this.#count(pnl)
    const distance = Number(pnl) - this.#mean
    this.#mean += distance / this.#closed
    this.#squares += distance * (Number(pnl) - this.#mean)
    this.#returns.sum += trip.return
    this.#returns.best = Math.max(this.#returns.best, trip.return)
    this.#returns.worst = Math.min(this.#returns.worst, trip.return)
    this.#totalMs += closedAt - openedAt
    this.#longestMs = Math.max(this.#longestMs, closedAt - openedAt)
    this.#mae += mae
    this.#mfe += mfe
  }

  /** @param scale  digits behind the point of a ledger unit */
  statistics(scale: number): TripStatistics {
    const n = this.#closed
    if (n === 0) return NO_TRIPS
    const winRate = this.#won / n
    const payoff = this.#payoff()
    return {
      winRate,
      profitFactor: this.#lost === 0n ? null : ratio(this.#gained, this.#lost),
      payoff,
      expectancy: Number(this.#gained - this.#lost) / n / 10 ** scale,
      meanTripReturn: this.#returns.sum / n,
      bestTripReturn: this.#returns.best,
      worstTripReturn: this.#returns.worst,
      sqn: this.#sqn(),
      kelly: payoff === null ? null : winRate - (1 - winRate) / payoff,
      meanTripMs: this.#totalMs / n,
      longestTripMs: this.#longestMs,
      winStreak: this.#winStreak,
      lossStreak: this.#lossStreak,
      mae: this.#mae / n,
      mfe: this.#mfe / n,
    }
  }

  #count(pnl: bigint): void {
    if (pnl > 0n) {
      this.#gained += pnl
      this.#won += 1
      this.#streak = Math.max(this.#streak, 0) + 1
      this.#winStreak = Math.max(this.#winStreak, this.#streak)
    } else if (pnl < 0n) {
      this.#lost -= pnl
      this.#lostTrips += 1
      this.#streak = Math.min(this.#streak, 0) - 1
      this.#lossStreak = Math.max(this.#lossStreak, -this.#streak)
    } else {
      this.#streak = 0
    }
  }

  #payoff(): number | null {
    if (this.#won === 0 || this.#lostTrips === 0) return null
    return ratio(this.#gained * BigInt(this.#lostTrips), this.#lost * BigInt(this.#won))
  }

  #sqn(): number | null {
    if (this.#closed < 2) return null
    const spread = Math.sqrt(this.#squares / (this.#closed - 1))
    return spread <= Math.abs(this.#mean) * ROUNDING ? null : (Math.sqrt(this.#closed) * this.#mean) / spread
  }
}

const ratio = (over: bigint, under: bigint): number => Number(over) / Number(under)

const NO_TRIPS: TripStatistics = {
  winRate: null,
  profitFactor: null,
  payoff: null,
  expectancy: null,
  meanTripReturn: null,
  bestTripReturn: null,
  worstTripReturn: null,
  sqn: null,
  kelly: null,
  meanTripMs: null,
  longestTripMs: null,
  winStreak: null,
  lossStreak: null,
  mae: null,
  mfe: null,
}
