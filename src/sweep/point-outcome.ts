/**
 * The outcome of a point of a sweep, as plain JSON: a line of `points.jsonl`, an answer of another thread or another
 * machine.
 *
 * Invariant: the same point has the same outcome wherever it runs, but for one that a limit of the machine ended, which
 * says so.
 */
import type { Statistics } from '../analysis/statistics.ts'
import type { EquityPoint, TripRow } from '../runtime/figures/run-rows.ts'
import type { SweepPoint } from './sweep-point.ts'

/** A point and its outcome. */
export interface PointOutcome extends SweepPoint {
  /** Digest that `backtest` gives for the same parameters; null if the run did not start, or was ended from outside. */
  readonly digest: string | null
  /** Statistics as in `run.json`; null if the run did not reach its end. */
  readonly statistics: Statistics | null
  /** Decimal string in the quote asset; null when the run did not reach its end. */
  readonly initialEquity: string | null
  /** Decimal string in the quote asset; null if the run did not reach its end. */
  readonly finalEquity: string | null
  /** Count of accepted orders; 0 if the run did not start. */
  readonly orders: number
  /** Count of quantities and limit prices that were rounded; absent if none was. */
  readonly rounded?: number | undefined
  /** The error in one line; null if the run reached its end. */
  readonly error: string | null
  /**
   * True where a limit of the machine ended the run, or its thread did: another time, or elsewhere, it may reach its
   * end.
   */
  readonly isOfMachine?: boolean | undefined
  /**
   * The samples on which the returns of its statistics rest, as exact decimal strings: the initial equity, the equity
   * at each boundary of the periods, and at the end. Null when the run did not reach its end, or a holding had no price
   * at one of them.
   */
  readonly periods: readonly string[] | null
  /** Where the point is detailed: round trips that ended, in the order in which they did. */
  readonly trips?: readonly TripRow[] | undefined
  /** Where the point is detailed: at most 2000 points, oldest first. */
  readonly equity?: readonly EquityPoint[] | undefined
}
