/**
 * The files of a live session: journal, orders and fills are written as they happen, equity and report at the end.
 */
import { join } from 'node:path'
import type { Place } from '../domain/errors.ts'
import type { Market } from '../domain/market.ts'
import { setting } from '../domain/setting-name.ts'
import type { RunReport } from '../report/run/run-report.ts'
import type { LoggedSink } from '../runtime/figures/outside-sink.ts'
import type { AccountFigures } from '../runtime/figures/account-figures.ts'
import { LiveRunDirectory, refuseUsedDirectory } from '../store/runs/live-run-directory.ts'
import type { OwnFill } from '../strategy/own-order.ts'
import type { PlotPoint } from '../runtime/session/plot-commands.ts'
import { RunWriter } from './run-writer.ts'

/** Receives errors of files that cannot be written. */
export interface FileFaults {
  /** True while the session is ending: then it continues without the file. */
  isEnding(): boolean
  onError(error: unknown): void
}

/** Directory of one strategy; several strategies get subdirectories of `out`. */
export const outOf = (out: string | undefined, owner: string, count: number): string | undefined =>
  out === undefined || count === 1 ? out : join(out, owner)

/**
 * Checks the directory of `out` before the first request to the service.
 *
 * @throws {InputError} if it is a link, or already contains a run
 */
export function refuseUsedOut(path: string | undefined): void {
  if (path !== undefined) refuseUsedDirectory(setting('out'), path)
}

/** Receives fills and plotted values when they are on disk, and what the strategy logs, which no file has. */
export type FileEvents = Pick<LoggedSink, 'onFill' | 'onLog'> & Partial<Pick<LoggedSink, 'onPlot'>>

export class LiveFiles extends RunWriter implements LoggedSink {
  readonly onLog: FileEvents['onLog']
  readonly #events: FileEvents
  readonly #directory: LiveRunDirectory
  readonly #guarded: GuardedWrite

  /**
   * @param where  setting that names the path
   * @throws {InputError} if nothing can be written there, or if it already contains a run
   */
  constructor(where: Place, path: string, markets: readonly Market[], events: FileEvents, faults: FileFaults) {
    const directory = new LiveRunDirectory(where, path)
    const guarded = guardedBy(faults)
    super(markets, (name, text) => {
      guarded(() => directory.append(name, text))
    })
    this.onLog = events.onLog
    this.#events = events
    this.#directory = directory
    this.#guarded = guarded
  }

  onLine(line: string): void {
    this.onLines(`${line}\n`)
  }

  override onFill(fill: OwnFill): void {
    super.onFill(fill)
    this.#events.onFill(fill)
  }

  override onPlot(plot: PlotPoint): void {
    super.onPlot(plot)
    this.#events.onPlot?.(plot)
  }

  get path(): string {
    return this.#directory.path
  }

  /** Completes the files, and writes the report even if another file failed. @throws {DiskError} if a write fails */
  finish(report: RunReport, figures: AccountFigures): void {
    try {
      this.writeSeries(figures)
    } finally {
      this.#guarded(() => this.#directory.finish(report))
    }
  }
}

type GuardedWrite = (write: () => void) => void

/** Reports a failed write, and throws unless the session is ending: an event must be on disk before it takes effect. */
const guardedBy =
  (faults: FileFaults): GuardedWrite =>
  (write) => {
    const isEnding = faults.isEnding()
    try {
      write()
    } catch (error) {
      faults.onError(error)
      if (!isEnding) throw error
    }
  }
