/** Runs points in this thread, one at a time: a strategy passed as a value cannot be sent to another thread. */
import { throwIfAborted } from '../../domain/errors.ts'
import type { GivenParts } from '../../runtime/backtest/prepared-backtest.ts'
import type { PointOutcome, PointPool } from '../../sweep/point-outcome.ts'
import type { SweepPoint } from '../../sweep/sweep-point.ts'
import { openShared } from '../../store/tapes/shared-tape.ts'
import { PointRunner, type SweepCode } from './point-runner.ts'
import type { SweepSetup } from './sweep-thread.ts'

export class OwnThreadPool implements PointPool {
  readonly #runner: PointRunner

  private constructor(runner: PointRunner) {
    this.#runner = runner
  }

  /** @throws {InputError} for what no point could be run with */
  static async open({ settings, shared, ...recordings }: SweepSetup, given: GivenParts): Promise<OwnThreadPool> {
    const tapes = shared.map((tape) => tape && openShared(tape))
    return new OwnThreadPool(await PointRunner.open(settings, { ...given, ...recordings, tapes }))
  }

  get code(): SweepCode {
    return this.#runner.code
  }

  async run(
    points: readonly SweepPoint[],
    onOutcome: (outcome: PointOutcome) => void,
    signal?: AbortSignal,
  ): Promise<void> {
    for (const point of points) {
      throwIfAborted(signal)
      onOutcome(await this.#runner.run(point, signal))
    }
  }

  end(): Promise<void> {
    return Promise.resolve()
  }
}
