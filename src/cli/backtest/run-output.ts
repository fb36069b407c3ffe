/** Output of a backtest: its progress, its report, and the line of a failure. */
import { isoTime } from '../../domain/time.ts'
import type { FailureReport, RunReport } from '../../report/run/run-report.ts'
import { summary } from '../../report/summary/summary.ts'
import type { BacktestRun } from '../../run/backtest.ts'
import { columnsOf, io } from '../cli-io.ts'
import { hasColour } from '../colour.ts'
import { reportedError } from '../error-text.ts'
import type { Shown } from '../thread/thread-messages.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'
import { Progress } from './progress.ts'

export type Output = Pick<BacktestConfig, 'json' | 'quiet' | 'turnLimit' | 'db' | 'countTrials'>

export function progressOf({ quiet, json }: Output): Progress | undefined {
  if (quiet === true || json === true || !io.stderr.isTTY) return undefined
  return new Progress(io.stderr)
}

export function shown(
  { report, equity }: Pick<BacktestRun, 'report' | 'equity'>,
  { quiet, json }: Output,
  directory: string | undefined,
): Pick<Shown, 'stdout' | 'stderr'> {
  const stderr = report.failure === null ? '' : `${reportedError(failureLine(report, report.failure))}\n`
  if (json === true) return { stdout: `${JSON.stringify(report)}\n`, stderr }
  if (quiet === true) return { stdout: '', stderr }
  const values = equity.map((point) => Number(point.equity))
  return { stdout: `${summary(report, values, hasColour(io.stdout), directory, columnsOf(io.stdout))}\n`, stderr }
}

export function failureLine({ strategy }: RunReport, { message, time, place }: FailureReport): string {
  const where = place === null ? '' : ` (${place})`
  return `strategy '${strategy.name}' failed at ${isoTime(time)}: ${message}${where}`
}

export function writeError(line: string): void {
  io.stderr.write(`${line}\n`)
}
