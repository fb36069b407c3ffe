/**
 * Statistics of the closed round trips of a run, updated as each trip ends, so trips are not stored.
 *
 * Sums of profits and of their squares are exact. The results are floats.
 */
import { invariant } from '../domain/errors.ts'
import { FloatSum } from './returns/float-sums.ts'
import type { RoundTrip } from './round-trip.ts'

/** A closed round trip, with the largest moves of the market during it. */
export type EndedTrip = Pick<RoundTrip, 'pnl' | 'return' | 'openedAt' | 'closedAt'> & {
  /** Largest move of the mark against and in favour of the trip's average entry, as shares of it, at least 0. */
  readonly mae: number
  readonly mfe: number
}

/**
 * Round-trip statistics, named as in `run.json`. p are the profits of the closed trips net of fees, N is their number.
 */
export interface TripStatistics {
  /**
   * Share of the round trips with a profit.
   *
   * @unit share
   * @null N = 0
   */
  readonly winRate: number | null
  /**
   * Sum of the profits divided by the sum of the losses: Σ max(p, 0) / Σ max(-p, 0).
   *
   * @unit ratio
   * @null no loss, or round trips in several quote assets
   */
  readonly profitFactor: number | null
  /**
   * Mean profit of the winners divided by the mean loss of the losers.
   *
   * @unit ratio
   * @null no winner, no loser, or round trips in several quote assets
   */
  readonly payoff: number | null
  /**
   * Mean profit of a round trip: mean(p).
   *
   * @unit the quote asset
   * @null N = 0, or round trips in another quote asset than that of the run
   */
  readonly expectancy: number | null
  /**
   * Mean return of a round trip: p / the amount paid (or received) by the fills that opened or increased the
   * position.
   *
   * @unit share
   * @null N = 0
   */
  readonly meanTripReturn: number | null
  /**
   * Highest return of a round trip.
   *
   * @unit share
   * @null N = 0
   */
  readonly bestTripReturn: number | null
  /**
   * Lowest return of a round trip.
   *
   * @unit share
   * @null N = 0
   */
  readonly worstTripReturn: number | null
  /**
   * System quality number: √N mean(p) / standard deviation of p, with N - 1. N is not capped.
   *
   * @unit ratio
   * @null N < 2, no deviation, or round trips in several quote assets
   * @see Tharp (2008), Definitive Guide to Position Sizing
   */
  readonly sqn: number | null
  /**
   * Share of the capital that would grow it fastest if future round trips were like these: `winRate` - (1 - `winRate`)
   * / `payoff`.
   *
   * @unit share
   * @null `payoff` is null
   * @see Kelly (1956), A New Interpretation of Information Rate
   */
  readonly kelly: number | null
  /**
   * Mean time from the first to the last fill of a round trip.
   *
   * @unit milliseconds
   * @null N = 0
   */
  readonly meanTripMs: number | null
  /**
   * Longest time from the first to the last fill of a round trip.
   *
   * @unit milliseconds
   * @null N = 0
   */
  readonly longestTripMs: number | null
  /**
   * Most winners in a row, in the order in which they closed. A round trip without profit or loss ends a streak.
   *
   * @unit count
   * @null N = 0
   */
  readonly winStreak: number | null
  /**
   * Most losers in a row.
   *
   * @unit count
   * @null N = 0
   */
  readonly lossStreak: number | null
  /**
   * Maximum adverse excursion, averaged over the round trips: the largest move of the price against the average entry
   * at that time.
   *
   * @unit share of the entry, 0 or more
   * @null N = 0
   */
  readonly mae: number | null
  /**
   * Maximum favourable excursion, averaged over the round trips: the largest move of the price in favour of the average
   * entry at that time.
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
  /** Sum of the squared profits, exact. */
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

  /** @param scale  decimal digits of a ledger unit */
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

/** Statistics of trips in several quote assets: profits in different assets cannot be added. */
export const withoutMoney = (statistics: TripStatistics): TripStatistics => ({
  ...statistics,
  profitFactor: null,
  payoff: null,
  expectancy: null,
  sqn: null,
  kelly: null,
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
