/** The port to the workers that run a sweep's points: threads of this process, or other machines. */
import type { PointOutcome } from './point-outcome.ts'
import type { SweepPoint } from './sweep-point.ts'

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
