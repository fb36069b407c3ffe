/** The journal of a run, and whether it changed since it was written. */
import { existsSync } from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { readRunFile } from './run-file.ts'

export interface RunJournal {
  readonly path: string
  /**
   * Deviations from the journal as written, each starting with the path; empty if there is none, or no report to
   * compare with.
   */
  readonly faults: readonly string[]
}

/** @throws {InputError} if there is no journal */
export function runJournal(directory: string): RunJournal {
  settleRunDirectory(directory)
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) throw noJournal(directory, path)
  const faults = existsSync(join(directory, REPORT_FILE)) ? sealFaults(directory, ['journal.jsonl', REPORT_FILE]) : []
  return { path, faults: faults.map(({ name, message }) => `${join(directory, name)}: ${message}`) }
}

/** The wallet of a portfolio has no journal: those of its strategies are next to it. */
function noJournal(directory: string, path: string): InputError {
  const names = existsSync(join(directory, REPORT_FILE)) ? readRunFile(directory).strategies : undefined
  if (names === undefined) return new InputError(path, 'no such file; expected a directory written by backtest --out')
  const journals = names.map(({ name }) => join(dirname(resolve(directory)), name)).join(', ')
  return new InputError(directory, `is the wallet of several strategies; their journals are in ${journals}`)
}
