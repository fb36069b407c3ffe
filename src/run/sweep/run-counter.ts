/** Runs of a sweep as they are done, whatever they are for. */
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { SweepOptions } from './sweep-options.ts'

export class RunCounter {
  readonly #onProgress: SweepOptions['onProgress']
  #runs: number
  #done = 0
  #known = 0
  #errors = 0

  /** @param runs  that are to be done in all */
  constructor(runs: number, onProgress: SweepOptions['onProgress']) {
    this.#runs = runs
    this.#onProgress = onProgress
  }

  /** Those that were done before this sweep began. */
  know(outcomes: readonly PointOutcome[]): void {
    this.#known += outcomes.length
    for (const outcome of outcomes) this.#count(outcome)
    this.#report()
  }

  done(outcome: PointOutcome): void {
    this.#count(outcome)
    this.#report()
  }

  /** Those that have turned out not to be wanted. */
  leaveOut(runs: number): void {
    this.#runs -= runs
    if (runs > 0) this.#report()
  }

  #count({ error }: PointOutcome): void {
    this.#done += 1
    if (error !== null) this.#errors += 1
  }

  #report(): void {
    this.#onProgress?.({ done: this.#done, points: this.#runs, known: this.#known, errors: this.#errors })
  }
}
