/**
 * The files of a run, written during the run: rows and journal, and the report at the end; to a directory, a database,
 * or both.
 */
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { RunDirectory } from '../store/runs/run-directory.ts'
import type { RunFileName } from '../store/runs/run-file-names.ts'
import { MAX_PLOT_ROWS } from './plot-files.ts'
import type { SaveOptions, SavedRun } from './save-options.ts'
import { RunSaver, type TrialMaker } from './run-saver.ts'
import { RunWriter } from './run-writer.ts'

export interface RunPlaces {
  /** Path of a directory. */
  readonly out: string | undefined
  /** True to take the place of an earlier backtest there. */
  readonly replaces: boolean
  readonly db: SaveOptions | undefined
}

export class RunFiles extends RunWriter {
  readonly #directory: RunDirectory | undefined
  readonly #saver: RunSaver | undefined
  readonly #out: string | undefined

  /** @throws {InputError} if nothing can be written there, or if the existing content must not be replaced */
  constructor({ out, replaces, db }: RunPlaces, markets: readonly Market[]) {
    const directory = out === undefined ? undefined : new RunDirectory(setting('out'), out, replaces)
    const saver = db && new RunSaver(db)
    const append = (name: RunFileName, text: string): void => {
      directory?.append(name, text)
      saver?.append(name, text)
    }
    super(markets, append, MAX_PLOT_ROWS)
    this.#directory = directory
    this.#saver = saver
    this.#out = out
  }

  /**
   * Completes the files.
   *
   * @param trialAt  of the run, for the ledger; undefined for one that is none
   * @returns what became of it in the store, where one was named
   * @throws {InputError} when one cannot be written; then none is there
   */
  finish(report: RunReport, figures: AccountFigures, trialAt?: TrialMaker): SavedRun | undefined {
    this.writeSeries(figures)
    this.#directory?.commit(report)
    return this.#saver?.save(report, this.#out, trialAt)
  }

  /** Removes all files. */
  abandon(): void {
    this.#directory?.discard()
  }
}
