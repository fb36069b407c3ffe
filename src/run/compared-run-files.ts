/** Reads a run directory for a comparison: its journal line by line, and its report when it has one. */
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { InputError } from '../domain/errors.ts'
import { isFields, type ComparedRun, type Fields } from '../report/run-difference/run-trace.ts'
import { ownTraceOf, traceOf } from '../report/run-difference/trace-builder.ts'
import { savedJournalLines } from '../runtime/journal/journal-reader.ts'
import { settleRunDirectory } from '../store/runs/run-directory.ts'
import { sealFaults } from '../store/runs/run-seal.ts'
import { LineReader, lineTexts } from '../store/runs/line-reader.ts'
import { isUnchangedRun } from './unchanged-run.ts'

/**
 * @param directory  as a backtest or a session wrote it; a session may still write it, or have been killed
 * @throws {InputError} when it holds no run, or something that no run has
 */
export function readComparedRun(directory: string): ComparedRun {
  settleRunDirectory(directory)
  const path = join(directory, 'journal.jsonl')
  if (!existsSync(path)) throw new InputError(path, `no such file; expected a directory of a run${runsIn(directory)}`)
  const report = reportIn(join(directory, 'run.json'))
  const faults = report === undefined ? [] : sealFaults(directory)
  let isCut = false
  const onCut = (): void => {
    isCut = true
  }
  const isUnchanged = report !== undefined && isUnchangedRun(report, faults)
  const trace = isUnchanged ? ownTraceOf(path, lineTexts(path)) : traceOf(savedJournalLines(path, onCut))
  const head = trace.head === undefined ? undefined : headOf(path)
  return { directory, report, head, trace, isCut, changed: faults.map(({ name }) => name) }
}

/** Sessions of several strategies have a directory each. */
function runsIn(directory: string): string {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return ''
  const runs = readdirSync(directory).filter((name) => existsSync(join(directory, name, 'journal.jsonl')))
  return runs.length === 0 ? '' : `, as there is ${runs.map((name) => join(directory, name)).join(', ')}`
}

function reportIn(path: string): Fields | undefined {
  if (!existsSync(path)) return undefined
  let json: unknown
  try {
    json = JSON.parse(readFileSync(path, 'utf8'))
  } catch (error) {
    throw new InputError(path, 'is not JSON', { cause: error })
  }
  if (isFields(json)) return json
  throw new InputError(path, 'is not a run')
}

/** Every field of the first line, which other versions of papertape may have written. */
function headOf(path: string): Fields | undefined {
  const reader = new LineReader(path)
  try {
    const json: unknown = JSON.parse(reader.next() ?? 'null')
    return isFields(json) && json.type === 'run' ? json : undefined
  } finally {
    reader.close()
  }
}
