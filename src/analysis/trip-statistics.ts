/**
 * Figures of the closed round trips of a run, folded as they end, so that none need be kept.
 *
 * Sums of profits, and of their squares, are exact; what is made of them is a float.
 */
import { invariant } from '../domain/errors.ts'
import { FloatSum } from './returns/float-sums.ts'
import type { RoundTrip } from './round-trip.ts'

/** A round trip that has ended, and how far the market went meanwhile. */
export type EndedTrip = Pick<RoundTrip, 'pnl' | 'return' | 'openedAt' | 'closedAt'> & {
  /** Largest move of the mark against and for the trip's average entry, as shares of it, 0 or more. */
  readonly mae: number
  readonly mfe: number
}

/** Of the closed round trips, each by its name in `run.json`; p are their profits, net of fees, and N is their number. */
export interface TripStatistics {
  /**
   * Trips with p > 0 over all.
   *
   * @unit share
   * @null N = 0
   */
  readonly winRate: number | null
  /**
   * Σ max(p, 0) / Σ max(-p, 0).
   *
   * @unit ratio
   * @null no loss, or the trips are of several quote assets
   */
  readonly profitFactor: number | null
  /**
   * Mean profit of those that won / mean loss of those that lost.
   *
   * @unit ratio
   * @null none won, none lost, or the trips are of several quote assets
   */
  readonly payoff: number | null
  /**
   * mean(p).
   *
   * @unit the quote asset
   * @null N = 0, or the trips are not of the quote asset of the run
   */
  readonly expectancy: number | null
  /**
   * Mean over the trips of p / quote paid (or received) by the fills that opened the trip or made it grow.
   *
   * @unit share
   * @null N = 0
   */
  readonly meanTripReturn: number | null
  /**
   * Highest of these returns.
   *
   * @unit share
   * @null N = 0
   */
  readonly bestTripReturn: number | null
  /**
   * Lowest of these returns.
   *
   * @unit share
   * @null N = 0
   */
  readonly worstTripReturn: number | null
  /**
   * √N mean(p) / deviation of p with N - 1; N is not capped.
   *
   * @unit ratio
   * @null N < 2, no deviation, or the trips are of several quote assets
   * @see Tharp (2008), Definitive Guide to Position Sizing
   */
  readonly sqn: number | null
  /**
   * `winRate` - (1 - `winRate`) / `payoff`: share of the capital that grows it fastest, were the trips to come like these.
   *
   * @unit share
   * @null `payoff` is null
   * @see Kelly (1956), A New Interpretation of Information Rate
   */
  readonly kelly: number | null
  /**
   * Mean time from the first fill of a trip to its last.
   *
   * @unit milliseconds
   * @null N = 0
   */
  readonly meanTripMs: number | null
  /**
   * The longest of these times.
   *
   * @unit milliseconds
   * @null N = 0
   */
  readonly longestTripMs: number | null
  /**
   * Longest run of trips that won, in the order in which they ended; one that broke even ends it.
   *
   * @unit count
   * @null N = 0
   */
  readonly winStreak: number | null
  /**
   * Longest run of trips that lost.
   *
   * @unit count
   * @null N = 0
   */
  readonly lossStreak: number | null
  /**
   * Mean over the trips of the largest move of the mark against the average entry of its time.
   *
   * @unit share of the entry, 0 or more
   * @null N = 0
   */
  readonly mae: number | null
  /**
   * Mean over the trips of the largest move of the mark in favour of the average entry of its time.
   *
   * @unit share of the entry, 0 or more
   * @null N = 0
   */
  readonly mfe: number | null
}

export class TripStatisticsFold {
  /** Profits in ledger units, exactly. */
  #gained = 0n
  #lost = 0n
  #closed = 0
  #won = 0
  #lostTrips = 0
  /** Of the profits, exactly. */
  #squares = 0n
  readonly #returns = new FloatSum()
  #best = Number.NEGATIVE_INFINITY
  #worst = Number.POSITIVE_INFINITY
  #totalMs = 0
  #longestMs = 0
  /** Trips in the streak at hand: above 0 for wins, below for losses. */
  #streak = 0
  #winStreak = 0
  #lossStreak = 0
  readonly #mae = new FloatSum()
  readonly #mfe = new FloatSum()

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
    this.#squares += pnl * pnl
    this.#returns.add(trip.return)
    this.#best = Math.max(this.#best, trip.return)
    this.#worst = Math.min(this.#worst, trip.return)
    this.#totalMs += closedAt - openedAt
    this.#longestMs = Math.max(this.#longestMs, closedAt - openedAt)
    this.#mae.add(mae)
    this.#mfe.add(mfe)
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
      meanTripReturn: this.#returns.value / n,
      bestTripReturn: this.#best,
      worstTripReturn: this.#worst,
      sqn: this.#sqn(),
      kelly: payoff === null ? null : winRate - (1 - winRate) / payoff,
      meanTripMs: this.#totalMs / n,
      longestTripMs: this.#longestMs,
      winStreak: this.#winStreak,
      lossStreak: this.#lossStreak,
      mae: this.#mae.value / n,
      mfe: this.#mfe.value / n,
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
    const n = BigInt(this.#closed)
    const total = this.#gained - this.#lost
    // n² times the variance with n: exact, so that the order of the trips does not show.
    const squares = n * this.#squares - total * total
    return squares === 0n ? null : Number(total) * Math.sqrt((this.#closed - 1) / Number(squares))
  }
}

/** Of trips in several quote assets: nothing that adds up their profits. */
export const withoutMoney = (statistics: TripStatistics): TripStatistics => ({
  ...statistics,
  ...{ profitFactor: null, payoff: null, expectancy: null, sqn: null, kelly: null },
})

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
