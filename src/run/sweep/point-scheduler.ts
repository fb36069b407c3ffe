/** Runs the points of a sweep that have no outcome so far, and stores each outcome as it arrives. */
import { invariant } from '../../domain/errors.ts'
import { pointKey } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { PointPool } from '../../sweep/point-pool.ts'
import type { SweepPoint, SweepRun } from '../../sweep/sweep-point.ts'

export interface PointSchedulerOptions {
  /** Result of `identityHash` for the sweep. */
  readonly identity: string
  readonly pool: PointPool
  /** Earlier outcomes, by key of their point. */
  readonly known: ReadonlyMap<string, PointOutcome>
  /** Called for each new outcome. */
  readonly onOutcome: (outcome: PointOutcome) => void
  readonly signal?: AbortSignal | undefined
}

export class PointScheduler {
  readonly #options: PointSchedulerOptions
  readonly #outcomes: Map<string, PointOutcome>

  constructor(options: PointSchedulerOptions) {
    this.#options = options
    this.#outcomes = new Map(options.known)
  }

  /** Outcomes of the runs that are already known. */
  known(runs: readonly SweepRun[]): readonly PointOutcome[] {
    return this.#pointsOf(runs).flatMap(({ key }) => this.#outcomes.get(key) ?? [])
  }

  /**
   * Runs the points without an outcome.
   *
   * @returns one outcome per run, in order
   * @throws {AbortError} if the signal aborts
   * @throws {InputError} if no point can run at all
   */
  async outcomes(runs: readonly SweepRun[]): Promise<readonly PointOutcome[]> {
    const { pool, onOutcome, signal } = this.#options
    const points = this.#pointsOf(runs)
    const open = new Map(points.filter(({ key }) => !this.#outcomes.has(key)).map((point) => [point.key, point]))
    await pool.run(
      [...open.values()],
      (outcome) => {
        if (this.#outcomes.has(outcome.key)) return
        this.#outcomes.set(outcome.key, outcome)
        onOutcome(outcome)
      },
      signal,
    )
    return points.map(({ key }) => {
      const outcome = this.#outcomes.get(key)
      invariant(outcome !== undefined, 'a pool runs every point')
      return outcome
    })
  }

  #pointsOf(runs: readonly SweepRun[]): readonly SweepPoint[] {
    return runs.map((run) => ({ key: pointKey(this.#options.identity, run), ...run }))
  }
}
