/** `papertape runs` and its subcommands, after their arguments are parsed. */
import { differenceText } from '../../report/run-difference/difference-text.ts'
import { runDifference } from '../../report/run-difference/run-difference.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { runJson, runsTable } from '../../report/saved-runs/runs-table.ts'
import { summary } from '../../report/summary/summary.ts'
import { printable } from '../../report/terminal-text.ts'
import { addRun, listRuns, readRun, readStoredComparison, removeRuns } from '../../run/stored-runs.ts'
import { version } from '../../runtime/version.ts'
import { columnsOf, io } from '../cli-io.ts'
import { hasColour } from '../colour.ts'
import { EXIT } from '../exit-code.ts'
import { printJson, storeOf } from '../shared-flags.ts'
import type { DiffFlags } from '../diff/run-diff-command.ts'

export function showRuns(db: unknown, isJson: boolean): void {
  const file = storeOf(db)
  const runs = listRuns(file)
  if (isJson) write(`${JSON.stringify(runs.map(runJson))}\n`)
  else if (runs.length === 0)
    write(`${printable(file)} has no runs: save some with papertape backtest --db ${printable(file)}\n`)
  else write(runsTable(runs))
}

/** The report of another version may have another format: then only the list entry is shown. */
export function showRun(db: unknown, id: string, isJson: boolean): void {
  const run = readRun(storeOf(db), id)
  if (isJson) {
    write(run.report)
    return
  }
  const isOurs = run.summary.version === version()
  const text = isOurs
    ? summary(JSON.parse(run.report) as RunReport, run.equity, hasColour(io.stdout), undefined, columnsOf(io.stdout))
    : undefined
  write(
    `${runsTable([run])}\n${text ?? `run by papertape ${printable(run.summary.version)}: use --json to see its report`}\n`,
  )
}

/** @returns the exit code */
export function reportStoredDifference(
  db: unknown,
  [a, b]: readonly [string, string],
  { all, json }: DiffFlags,
): number {
  const file = storeOf(db)
  const difference = runDifference({ a: readStoredComparison(file, a), b: readStoredComparison(file, b) }, all)
  write(`${json ? JSON.stringify(difference) : differenceText(difference)}\n`)
  return difference.isSame ? EXIT.done : EXIT.failed
}

interface AddRequest {
  /** Unix milliseconds. */
  readonly now: number
  readonly isJson: boolean
}

export function addStoredRun(db: unknown, directory: string, { now, isJson }: AddRequest): void {
  const file = storeOf(db)
  const id = addRun(file, directory, now)
  if (isJson) printJson({ file, id })
  else io.stderr.write(`saved in ${printable(file)} as ${id}\n`)
}

export function removeStoredRuns(db: unknown, ids: readonly string[], isJson: boolean): void {
  const file = storeOf(db)
  const removed = removeRuns(file, ids)
  if (isJson) printJson({ file, removed })
  else io.stderr.write(`removed ${removed.join(', ')}\n`)
}

function write(text: string): void {
  io.stdout.write(text)
}
