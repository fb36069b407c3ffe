/**
 * The files of a run, written while it goes on: its rows and its journal, and its report at the end.
 */
import type { Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { RecordedEquity } from '../runtime/figures/recorded-equity.ts'
import { RunDirectory } from '../store/runs/run-directory.ts'
import { RunWriter } from './run-writer.ts'

export class RunFiles extends RunWriter {
  readonly #directory: RunDirectory

  /**
   * @param where     the setting that names the path
   * @param replaces  true to take the place of an earlier backtest
   * @throws {InputError} when nothing can be written there, or what is there may not be replaced
   */
  constructor(where: Place, path: string, markets: readonly Market[], replaces: boolean) {
    const directory = new RunDirectory(where, path, replaces)
    super(markets, directory)
    this.#directory = directory
  }

  /** Completes the files. @throws {InputError} when one cannot be written; then none is there */
  finish(report: RunReport, equity: RecordedEquity): void {
    this.writeEquity(equity)
    this.#directory.commit(report)
  }

  /** Leaves no file behind. */
  abandon(): void {
    this.#directory.discard()
  }
}
