/**
 * The files of a finished run as its page is made of them: from the directory that a run wrote, or from a store that keeps it.
 */
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { isFields } from '../report/run-difference/compared-run.ts'
import type { RunTextSource } from '../report/page/page-run.ts'
import type { RunReport } from '../report/run/run-report.ts'
import { journalLines, journalLinesIn } from '../runtime/journal/read-journal.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { REPORT_FILE } from '../store/runs/run-file-names.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { checkThere } from './run-file.ts'
import { storedTexts } from './stored-runs.ts'

export interface PageSource extends RunTextSource {
  /** What is not as the run wrote it, in words. */
  readonly faults: readonly string[]
}

/** @throws {InputError} when the directory holds no finished run */
export function pageSourceIn(directory: string): PageSource {
  settleRunDirectory(directory)
  checkThere(directory)
  const path = (name: string): string => join(directory, name)
  const journal = path('journal.jsonl')
  return {
    where: directory,
    report: reportIn(path(REPORT_FILE), readFileSync(path(REPORT_FILE), 'utf8')),
    text: (name) => (existsSync(path(name)) ? readFileSync(path(name), 'utf8') : undefined),
    journal: existsSync(journal) ? journalLines(journal) : undefined,
    faults: sealFaults(directory).map(({ name, message }) => `${path(name)}: ${message}`),
  }
}

/** @param id  as many of its first digits as tell it from the others @throws {InputError} when there is no such run */
export function storedPageSource(file: string, id: string): PageSource {
  const { name, text } = storedTexts(file, id)
  const where = `${file}: ${name}`
  const journal = text('journal.jsonl')
  return {
    where,
    report: reportIn(`${where}: ${REPORT_FILE}`, text(REPORT_FILE) ?? ''),
    text,
    journal:
      journal === undefined
        ? undefined
        : { [Symbol.iterator]: () => journalLinesIn(`${where}: journal.jsonl`, journal) },
    faults: [],
  }
}

/** What every run of this form has: without one of them it is of something else, or of another papertape. */
const NEEDED = [
  'version',
  'strategy',
  'tapes',
  'config',
  'statistics',
  'audit',
  'balances',
  'fillQuality',
  'notices',
] as const

function reportIn(where: string, text: string): RunReport {
  let json: unknown
  try {
    json = JSON.parse(text)
  } catch (error) {
    throw new InputError(where, 'is not JSON', { cause: error })
  }
  if (!isFields(json)) throw new InputError(where, 'is not a run')
  const missing = NEEDED.find((name) => typeof json[name] !== 'object' && typeof json[name] !== 'string')
  if (missing === undefined) return json as unknown as RunReport
  throw new InputError(where, `has no '${missing}', which every run of this papertape has: run it again`)
}
