/**
 * What `papertape backtest` does once its flags are read. Apart from the flags, so that `--help` loads none of it.
 */
import { resolve } from 'node:path'
import picocolors from 'picocolors'
import { isoTime } from '../../domain/time.ts'
import { reportOfRun } from '../../report/run/report-of-run.ts'
import type { FailureReport, RunReport } from '../../report/run/run-report.ts'
import { summary } from '../../report/summary/summary.ts'
import { runBacktest } from '../../runtime/backtest/backtest.ts'
import type { BacktestSettings } from '../../runtime/settings/backtest-settings.ts'
import { liquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import { prepareBacktest, type PreparedBacktest } from '../../runtime/backtest/prepared-backtest.ts'
import { RunDirectory } from '../../store/runs/run-directory.ts'
import type { BacktestConfig } from './backtest-config.ts'
import { configOfFlags, type FlagValues } from './backtest-flags.ts'
import { settingsOf } from './backtest-settings-of.ts'
import { readConfigFile } from './config-file.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { EXIT } from '../exit-code.ts'
import { single, type FlagText } from '../option-values.ts'
import { Progress } from './progress.ts'
import { RunOutput } from './run-output.ts'
import { version } from '../../runtime/version.ts'

type Output = Pick<BacktestConfig, 'out' | 'json' | 'quiet' | 'bounds'>

/** @returns the exit code */
export async function backtestAndShow(strategy: string | undefined, values: FlagValues): Promise<number> {
  consoleToStderr()
  const file = await readConfigFile(single('--config', values.config as FlagText))
  const flags = configOfFlags(strategy, values)
  return await runAndShow(settingsOf(file, flags), { ...file, ...flags })
}

async function runAndShow(settings: BacktestSettings, output: Output): Promise<number> {
  const prepared = await prepareBacktest(settings)
  const directory = output.out === undefined ? undefined : new RunDirectory('--out', output.out)
  const runOutput = new RunOutput(prepared.markets, directory, progressOf(prepared, output), writeError)
  try {
    const result = await runBacktest(prepared, runOutput)
    const bounds = output.bounds === false ? undefined : await liquidityBounds(result)
    const report = reportOfRun(version(), result, bounds, (file) => resolve(file))
    const { equity } = result.figures
    runOutput.finish(report, equity)
    show(
      report,
      equity.samples.map((sample) => Number(sample.equity)),
      output,
    )
    return exitCodeOf(report)
  } catch (error) {
    runOutput.abandon()
    throw error
  }
}

function progressOf(span: PreparedBacktest, { quiet, json }: Output): Progress | undefined {
  if (quiet === true || json === true || !process.stderr.isTTY) return undefined
  return new Progress(span, (text) => process.stderr.write(text))
}

function show(report: RunReport, equity: readonly number[], { quiet, json }: Output): void {
  if (json === true) process.stdout.write(`${JSON.stringify(report)}\n`)
  else if (quiet !== true) process.stdout.write(`${summary(report, equity, hasColour())}\n`)
  if (report.failure !== null) writeError(failureLine(report, report.failure))
}

/** A terminal, unless TERM or NO_COLOR says that it has none. In a pipe `isTTY` is not false but undefined, whatever its type says. */
const hasColour = (): boolean => (process.stdout.isTTY ? picocolors.isColorSupported : false)

function failureLine({ strategy }: RunReport, { message, time, place }: FailureReport): string {
  const where = place === null ? '' : ` (${place})`
  return `strategy '${strategy.name}' failed at ${isoTime(time)}: ${message}${where}`
}

function exitCodeOf({ failure, audit }: RunReport): number {
  if (!audit.ok) return EXIT.invariant
  return failure === null ? EXIT.done : EXIT.failed
}

function writeError(line: string): void {
  process.stderr.write(`${line}\n`)
}
