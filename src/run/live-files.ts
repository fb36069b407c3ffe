/**
 * The files of a session in real time: from its first line on, journal, orders and fills are in their files at once; the equity and the
 * report come at its end.
 */
import type { Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { KeptRunDirectory } from '../store/runs/kept-run-directory.ts'
import { RunWriter } from './run-writer.ts'

export class LiveFiles extends RunWriter {
  readonly #directory: KeptRunDirectory

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when nothing can be written there, or when it holds a run already
   */
  constructor(where: Place, path: string, markets: readonly Market[]) {
    const directory = new KeptRunDirectory(where, path)
    super(markets, directory)
    this.#directory = directory
  }

  get path(): string {
    return this.#directory.path
  }

  /** Completes the files. @throws {InputError} when one cannot be written */
  finish(report: RunReport, figures: AccountFigures): void {
    this.writeSeries(figures)
    this.#directory.finish(report)
  }
}
