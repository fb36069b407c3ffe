/**
 * Outcome of a sweep's point, as plain JSON: a line of `points.jsonl`, or an answer of another thread or machine.
 *
 * Invariant: a point has the same outcome wherever it runs, except if a limit of the machine ended it, which is
 * recorded.
 */
import type { Statistics } from '../analysis/statistics.ts'
import type { EquityPoint, TripRow } from '../runtime/figures/run-rows.ts'
import type { SweepPoint } from './sweep-point.ts'

/** The port to the workers that run a sweep's points: threads of this process, or other machines. */
export interface PointPool {
  /**
   * Runs each of the points once, in any order.
   * @param onOutcome  receives each outcome: must be fast, and must not throw
   * @param signal     aborts it: points that have started without an outcome count as not run
   * @throws {AbortError} if `signal` is aborted
   * @throws {InputError} if no point can run at all: the strategy does not load, or a tape has changed
   */
  run(points: readonly SweepPoint[], onOutcome: (outcome: PointOutcome) => void, signal?: AbortSignal): Promise<void>
  /** Releases its workers. Nothing can run afterwards. */
  end(): Promise<void>
}

/** A point and its outcome. */
export interface PointOutcome extends SweepPoint {
  /** Digest that `backtest` gives for the same parameters; null if the run did not start, or was ended from outside. */
  readonly digest: string | null
  /** Statistics as in `run.json`; null if the run did not reach its end. */
  readonly statistics: Statistics | null
  /** Decimal string in the quote asset; null if the run did not reach its end. */
  readonly initialEquity: string | null
  /** Decimal string in the quote asset; null if the run did not reach its end. */
  readonly finalEquity: string | null
  /** Count of accepted orders; 0 if the run did not start. */
  readonly orders: number
  /** Count of quantities and limit prices that were rounded; absent if none was. */
  readonly rounded?: number | undefined
  /** The error in one line; null if the run reached its end. */
  readonly error: string | null
  /** True if a limit of the machine ended the run or its thread: at another time or elsewhere it may reach its end. */
  readonly isOfMachine?: boolean | undefined
  /**
   * Equity samples from which the returns of its statistics are computed, as exact decimal strings: the initial equity,
   * the equity at each boundary of the periods, and at the end. Null if the run did not reach its end, or a holding had
   * no price at one of them.
   */
  readonly periods: readonly string[] | null
  /** Completed round trips, in order of their ends; only for a detailed point. */
  readonly trips?: readonly TripRow[] | undefined
  /** Equity curve of at most 2000 points, oldest first; only for a detailed point. */
  readonly equity?: readonly EquityPoint[] | undefined
}
