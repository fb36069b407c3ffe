/** A fork, as its report has it, ready to run. */
import { InputError } from '../domain/errors.ts'
import type { ForkReport, RunReport } from '../report/run/run-report.ts'
import { forkText } from '../report/run/fork-text.ts'
import { forkedBacktest, forkHooks } from '../runtime/backtest/fork.ts'
import type { PreparedBacktest } from '../runtime/backtest/prepared-backtest.ts'
import type { RunHooks } from '../runtime/backtest/simulated-run.ts'
import { readParams } from '../runtime/strategies/params.ts'
import { loadStrategy } from '../runtime/strategies/strategy-file.ts'
import { noticesIn, listOf } from '../tape/notices.ts'

export interface PreparedFork {
  readonly forked: PreparedBacktest
  /** True after the run if its strategy was changed, wanted orders before the moment and none later. */
  readonly isSilent: () => boolean
  readonly hooks: RunHooks
}

/** Tag of the order that a fork adds. */
export const ADDED_TAG = 'fork'

/** @throws {InputError} if its strategy changed, or refuses its parameters */
export async function preparedFork(prepared: PreparedBacktest, report: ForkReport): Promise<PreparedFork> {
  const { at, params, strategy, isRestarted, without, added, orderLatencyMs, responseLatencyMs } = report
  const loaded = strategy === undefined ? prepared.loaded : await loadStrategy(strategy.path ?? strategy.file, false)
  if (strategy !== undefined && strategy.sha256 !== loaded.sha256) {
    const hashes = `expected sha256 ${strategy.sha256 ?? 'none'}, got ${loaded.sha256 ?? 'none'}`
    throw new InputError(strategy.path ?? strategy.file, `has changed: ${hashes}`)
  }
  const values = params ?? prepared.params
  const isOther = params !== undefined || strategy !== undefined || isRestarted
  const symbol = prepared.markets[0]?.symbol ?? ''
  const own = { strategy: loaded.strategy, params: readParams(loaded.strategy, { texts: {}, values, symbol }) }
  const later = { ...own, startsThen: isRestarted === true }
  const latencies = { orderLatencyMs, responseLatencyMs }
  const fork = {
    at,
    ...(isOther === true && { later }),
    without: without?.ref,
    added: added && { ...added, tag: ADDED_TAG },
    ...latencies,
  }
  const { forked, isSilent } = forkedBacktest(prepared, fork)
  return { forked, isSilent, hooks: forkHooks(prepared, fork) }
}

const SILENT =
  'From the moment of the fork on, the strategy wanted no order, but it had before. It may wait for orders that were ' +
  'dropped then: start it at the moment with --restart.'

/** The report of its run. */
export function forkedReport(report: RunReport, fork: ForkReport): RunReport {
  const { warnings, notes } = noticesIn(report)
  const silent = fork.isSilent === true ? [SILENT] : []
  const named = { warnings: [...silent, ...warnings], notes: [forkText(fork, report.params), ...notes] }
  return { ...report, fork, ...listOf(named) }
}
