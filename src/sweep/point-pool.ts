/**
 * The port to whatever runs the points of a sweep: threads of this process, or other machines.
 */
import type { PointOutcome } from './point-outcome.ts'
import type { SweepPoint } from './sweep-point.ts'

export interface PointPool {
  /**
   * Runs each of the points once, in whatever order.
   *
   * @param onOutcome  hears of each as it is done: must be quick, and must not throw
   * @param signal     ends it early: points that were begun and not told of count as not run
   * @throws {AbortError} when `signal` says so
   * @throws {InputError} when no point can be run at all: the strategy does not load, a tape is not what it was
   */
  run(points: readonly SweepPoint[], onOutcome: (outcome: PointOutcome) => void, signal?: AbortSignal): Promise<void>
  /** Ends what it holds. Nothing can be run afterwards. */
  end(): Promise<void>
}
