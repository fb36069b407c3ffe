/** A run directory read for its replay: the whole journal and the equity samples. */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { ReplayedRun } from '../report/replay/replayed-run.ts'
import { keptJournalLines } from '../runtime/journal/journal-reader.ts'
import { runJournal } from './run-journal.ts'

export interface ReplayedFiles {
  readonly run: ReplayedRun
  /** Unix milliseconds and equity, oldest first; empty for a run that was killed. */
  readonly equity: readonly (readonly [time: number, equity: number])[]
  /** Deviations from the files as written by the run, in words. */
  readonly faults: readonly string[]
}

/** @throws {InputError} if the directory contains no run, or if the journal is invalid */
export function readReplayedFiles(directory: string): ReplayedFiles {
  const { path, faults } = runJournal(directory)
  const told = [...faults]
  const run = new ReplayedRun(
    keptJournalLines(path, () => {
      told.push(`${path}: its last line is incomplete and was ignored`)
    }),
  )
  return { run, equity: equityIn(join(directory, 'equity.csv')), faults: told }
}

function equityIn(path: string): ReplayedFiles['equity'] {
  if (!existsSync(path)) return []
  const rows = readFileSync(path, 'utf8').trimEnd().split('\n').slice(1)
  return rows.map((row) => {
    const [time, equity] = row.split(',').map(Number)
    return [time ?? 0, equity ?? 0]
  })
}
