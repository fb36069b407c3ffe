/** `papertape backtest` with a config file of several strategies: one wallet, a run directory for each strategy. */
import { join } from 'node:path'
import { isoTime } from '../../domain/time.ts'
import { PORTFOLIO } from '../../report/run/portfolio-report.ts'
import type { RunReport } from '../../report/run/run-report.ts'
import { printable } from '../../report/terminal-text.ts'
import { backtestPortfolio } from '../../run/portfolio.ts'
import type { BacktestConfig } from '../config/backtest-config.ts'
import type { StrategyConfig } from '../config/session-sections.ts'
import { EXIT } from '../exit-code.ts'
import type { Shown } from '../thread/thread-messages.ts'
import { portfolioOptionsOf } from './backtest-options-of.ts'
import { failureLine, progressOf, shown, writeError } from './run-output.ts'

interface PortfolioCall {
  readonly file: BacktestConfig
  readonly flags: BacktestConfig
  readonly strategies: readonly StrategyConfig[]
  readonly signal?: AbortSignal | undefined
  readonly onReport?: ((report: RunReport) => void) | undefined
}

/** Runs the strategies of a config file, and prints progress and their logs. */
export async function portfolioAndShow({ file, flags, strategies, signal, onReport }: PortfolioCall): Promise<Shown> {
  const output = { ...file, ...flags }
  const progress = progressOf(output)
  try {
    const options = portfolioOptionsOf(file, strategies, flags)
    const { out } = options
    const {
      report,
      equity,
      strategies: parts,
    } = await backtestPortfolio({
      ...options,
      signal,
      onReading: (path, read, total) => progress?.read(path, read, total),
      onProgress: (state) => progress?.update(state),
      onLog: (name, time, message) => {
        progress?.clear()
        writeError(`${isoTime(time)} ${name}: ${message}`)
      },
    })
    onReport?.(report)
    const directory = out === undefined ? undefined : join(out, PORTFOLIO)
    const wallet = shown({ report, equity }, output, directory)
    const failures = parts.flatMap(({ report: own }) => (own.failure === null ? [] : [failureLine(own, own.failure)]))
    return {
      code: codeOf(report, failures.length > 0),
      stdout: wallet.stdout,
      stderr: failures.map((line) => `papertape: ${printable(line)}\n`).join(''),
      pageOf: out === undefined ? undefined : [...parts.map(({ name }) => join(out, name)), join(out, PORTFOLIO)],
    }
  } finally {
    progress?.clear()
  }
}

function codeOf({ audit }: RunReport, hasFailed: boolean): number {
  if (!audit.ok) return EXIT.invariant
  return hasFailed ? EXIT.failed : EXIT.done
}
