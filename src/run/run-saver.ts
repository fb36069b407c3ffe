/**
 * Saves a finished run in a database. If another process blocks the database, the run goes to a directory next to it,
 * so the result is not lost.
 */
import { accessSync, constants, existsSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { invariant } from '../domain/errors.ts'
import { thrownText } from '../domain/thrown-text.ts'
import { savedSummaryOf } from '../report/saved-runs/saved-summary.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { heartbeat } from '../runtime/heartbeat.ts'
import { checkStore } from '../store/database/database-file.ts'
import { GatheredRun, unzipped, type FinishedRun } from '../store/runs/gathered-run.ts'
import { RunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE, type RunFileName } from '../store/runs/run-file-names.ts'
import { RunStore } from '../store/runs/run-store.ts'
import type { Trial } from '../store/runs/trial-table.ts'
import type { SaveOptions, SavedRun } from './save-options.ts'
import { writeFault } from '../domain/write-fault.ts'

const WAIT_MS = 10_000
const NAMED_DIGITS = 8

/** @param ranAt  Unix milliseconds */
export type TrialMaker = (ranAt: number) => Trial

export class RunSaver {
  readonly #options: SaveOptions
  readonly #gathered = new GatheredRun()

  constructor(options: SaveOptions) {
    this.#options = options
  }

  /** Checked first: reading a tape may take long. @throws {InputError} if no run can be saved there */
  static check(file: string): void {
    checkStore(file)
    try {
      accessSync(existsSync(file) ? file : dirname(resolve(file)), constants.W_OK)
    } catch (error) {
      throw writeFault(file, 'cannot be written', error)
    }
  }

  append(name: RunFileName, text: string): void {
    this.#gathered.append(name, text)
  }

  /**
   * @param out      directory that already has the files of the run
   * @param trialAt  makes its entry in the ledger of trials; undefined for none
   */
  save(report: RunReport, out: string | undefined, trialAt?: TrialMaker): SavedRun {
    const run = this.#gathered.finish(report)
    const { file, now, isCounted = true } = this.#options
    const before = heartbeat().stage
    const onBusy = (): void => {
      heartbeat().enter('waiting')
      this.#options.onBusy?.()
    }
    const saved = { id: run.id, file, left: run.left, trials: null }
    try {
      const summary = savedSummaryOf(report)
      invariant(summary !== undefined, 'a report has the fields of a list of runs')
      const savedAt = now()
      const trial = isCounted ? trialAt?.(savedAt) : undefined
      const trials = RunStore.write(file, { waitMs: WAIT_MS, onBusy }, (store) => {
        store.put({ id: run.id, savedAt, summary: JSON.stringify(summary) }, run.files)
        return trial && counted(store, trial)
      })
      return { ...saved, trials: trials ?? null, fault: null, directory: null }
    } catch (error) {
      return { ...saved, fault: thrownText(error), directory: out ?? putBeside(file, report, run) ?? null }
    } finally {
      heartbeat().enter(before)
    }
  }
}

function counted({ trials }: RunStore, trial: Trial): number {
  trials.put([trial])
  return trials.sharpes(trial.strategy, trial.tape).length
}

/** @returns undefined where that cannot be written either */
function putBeside(file: string, report: RunReport, { id, files, left }: FinishedRun): string | undefined {
  if (left.length > 0) return undefined
  const path = `${file}.run-${id.slice(0, NAMED_DIGITS)}`
  try {
    const directory = new RunDirectory(path, path, true)
    for (const name of files.keys()) {
      if (name !== REPORT_FILE) directory.append(name, unzipped(files, name) ?? '')
    }
    directory.commit(report)
    return path
  } catch {
    return undefined
  }
}
