/**
 * The journal of a run that is read by itself, and whether it is as the run wrote it.
 */
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { sealFaults } from '../store/runs/run-seal.ts'

export interface RunJournal {
  readonly path: string
  /** In words, the path first; none for a journal as it was written, and for one of a session without a report. */
  readonly faults: readonly string[]
}

/** @throws {InputError} when there is none */
export function runJournal(directory: string): RunJournal {
  settleRunDirectory(directory)
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) throw new InputError(path, 'no such file; expected a directory written by backtest --out')
  const faults = existsSync(join(directory, REPORT_FILE)) ? sealFaults(directory, ['journal.jsonl', REPORT_FILE]) : []
  return { path, faults: faults.map(({ name, message }) => `${join(directory, name)}: ${message}`) }
}
