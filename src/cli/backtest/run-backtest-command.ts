/**
 * `papertape backtest`, once its flags are read. Apart from the flags, so that `--help` loads none of it.
 */
import picocolors from 'picocolors'
import { isoTime } from '../../domain/time.ts'
import type { FailureReport, RunReport } from '../../report/run/run-report.ts'
import { summary } from '../../report/summary/summary.ts'
import { backtest, type BacktestRun } from '../../run/backtest.ts'
import type { BacktestOptions, BacktestProgress } from '../../run/backtest-options.ts'
import { consoleToStderr } from '../console-to-stderr.ts'
import { EXIT } from '../exit-code.ts'
import { tidyOnSignal } from '../tidy-on-signal.ts'
import { single, type FlagText } from '../option-values.ts'
import type { BacktestConfig } from './backtest-config.ts'
import { configOfFlags, type FlagValues } from './backtest-flags.ts'
import { optionsOf } from './backtest-options-of.ts'
import { readConfigFile } from './config-file.ts'
import { Progress } from './progress.ts'

type Output = Pick<BacktestConfig, 'json' | 'quiet'>

/** @returns the exit code */
export async function backtestAndShow(strategy: string | undefined, values: FlagValues): Promise<number> {
  consoleToStderr()
  const file = await readConfigFile(single('--config', values.config as FlagText))
  const flags = configOfFlags(strategy, values)
  const output: Output = { ...file, ...flags }
  const progress = progressOf(output)
  try {
    const options = {
      ...optionsOf(file, flags),
      // Never aborted: with it a tape in memory gives way to signals.
      signal: new AbortController().signal,
      // Nothing but the report is shown: a run of any length fits into memory.
      keepRows: false,
      onProgress: (state: BacktestProgress) => progress?.update(state),
      onLog: (time: number, message: string) => {
        progress?.clear()
        writeError(`${isoTime(time)} ${message}`)
      },
    } satisfies Partial<BacktestOptions>
    // Without files, a signal ends it as it is: also while a strategy lets nothing else run.
    const run = options.out === undefined ? await backtest(options) : await tidyOnSignal(() => backtest(options))
    progress?.clear()
    show(run, output)
    return exitCodeOf(run)
  } catch (error) {
    progress?.clear()
    throw error
  }
}

function progressOf({ quiet, json }: Output): Progress | undefined {
  if (quiet === true || json === true || !process.stderr.isTTY) return undefined
  return new Progress((text) => process.stderr.write(text))
}

function show({ report, equity }: BacktestRun, { quiet, json }: Output): void {
  const values = equity.map((point) => Number(point.equity))
  if (json === true) process.stdout.write(`${JSON.stringify(report)}\n`)
  else if (quiet !== true) process.stdout.write(`${summary(report, values, hasColour())}\n`)
  if (report.failure !== null) writeError(failureLine(report, report.failure))
}

/** A terminal, unless TERM or NO_COLOR says that it has none. In a pipe `isTTY` is not false but undefined, whatever its type says. */
const hasColour = (): boolean => (process.stdout.isTTY ? picocolors.isColorSupported : false)

function failureLine({ strategy }: RunReport, { message, time, place }: FailureReport): string {
  const where = place === null ? '' : ` (${place})`
  return `strategy '${strategy.name}' failed at ${isoTime(time)}: ${message}${where}`
}

function exitCodeOf({ failure, audit }: BacktestRun): number {
  if (!audit.ok) return EXIT.invariant
  return failure === null ? EXIT.done : EXIT.failed
}

function writeError(line: string): void {
  process.stderr.write(`${line}\n`)
}
