/**
 * The files of a session in real time: from its first line on, journal, orders and fills are in their files at once;
 * the equity and the report come at its end.
 */
import { join } from 'node:path'
import type { Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { RunSink } from '../runtime/figures/run-record.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { KeptRunDirectory, refuseUsedDirectory } from '../store/runs/kept-run-directory.ts'
import { RunWriter } from './run-writer.ts'

/** Hears of a file that cannot be written. */
export interface FileFaults {
  /** The session ends: it goes on without the file. */
  isEnding(): boolean
  onError(error: unknown): void
}

/** Directory of one of so many strategies: several have one each within `out`. */
export const outOf = (out: string | undefined, owner: string, count: number): string | undefined =>
  out === undefined || count === 1 ? out : join(out, owner)

/**
 * Refuses the directory of `out` before the service is asked for anything.
 *
 * @throws {InputError} when it is a link, or holds a run already
 */
export function refuseUsedOut(path: string | undefined): void {
  if (path !== undefined) refuseUsedDirectory(setting('out'), path)
}

export class LiveFiles extends RunWriter {
  readonly #directory: KeptRunDirectory
  readonly #kept: Kept

  /**
   * @param where  the setting that names the path
   * @throws {InputError} when nothing can be written there, or when it holds a run already
   */
  constructor(where: Place, path: string, markets: readonly Market[], faults: FileFaults) {
    const directory = new KeptRunDirectory(where, path)
    const kept = keptBy(faults)
    super(markets, {
      append: (name, text) => {
        kept(() => directory.append(name, text))
      },
    })
    this.#directory = directory
    this.#kept = kept
  }

  get path(): string {
    return this.#directory.path
  }

  /** Completes the files, the report whatever becomes of the others. @throws {DiskError} as the others do */
  finish(report: RunReport, figures: AccountFigures): void {
    try {
      this.writeSeries(figures)
    } finally {
      this.#kept(() => this.#directory.finish(report))
    }
  }
}

type Kept = (write: () => void) => void

/** What cannot be written is reported, and thrown unless the session ends: what it tells of must not happen. */
const keptBy =
  (faults: FileFaults): Kept =>
  (write) => {
    const isEnding = faults.isEnding()
    try {
      write()
    } catch (error) {
      faults.onError(error)
      if (!isEnding) throw error
    }
  }

/** The files as what a session writes into. */
export const sinkOf = (files: LiveFiles): Required<RunSink> & Pick<RunWriter, 'onLine'> => ({
  onLine: (line) => {
    files.onLine(line)
  },
  onOrder: (order, fee) => {
    files.onOrder(order, fee)
  },
  onRefused: (refused) => {
    files.onRefused(refused)
  },
  onFill: (fill) => {
    files.onFill(fill)
  },
  onTrip: (trip) => {
    files.onTrip(trip)
  },
  onPlot: (plot) => {
    files.onPlot(plot)
  },
  onNote: (note) => {
    files.onNote(note)
  },
})
