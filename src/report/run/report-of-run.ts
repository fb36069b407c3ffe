/** The report of a finished run, made of its facts. */
import { auditToJson } from '../../domain/audit.ts'
import { balancesToJson } from '../../domain/balances.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import { transferSums } from '../../runtime/figures/transfer-sums.ts'
import type { RefusedRequest } from '../../runtime/session/refused-request.ts'
import { flatteringSettings } from './flattering.ts'
import type { RunFacts } from './run-facts.ts'
import { listOf } from '../../tape/notices.ts'
import { runNotices } from './run-notices.ts'
import { refusedHint, refusedKey, requestText } from './refused-text.ts'
import type { FirstRefusal, JsonValue, RunReport } from './run-report.ts'
import { runStatistics } from './run-statistics.ts'

const firstRefusal = (refused: RefusedRequest): FirstRefusal => ({
  code: refused.refusal.code,
  key: refusedKey(refused),
  request: requestText(refused.intent),
  by: refused.by,
  time: refused.time,
  message: refused.refusal.message,
  hint: refusedHint(refused),
})

export function reportOfRun(facts: RunFacts): RunReport {
  const { version, strategy, tapes, config, digest, failure, account, bounds } = facts
  const { quoteAsset, scales, balances, figures, record } = account
  const { equity, quality } = figures
  const [initialEquity, finalEquity] = [equity.initialEquity(), equity.equity()]
  return {
    version,
    strategy,
    params: JSON.parse(JSON.stringify(facts.params)) as Readonly<Record<string, JsonValue>>,
    tapes,
    ...(facts.books !== undefined && { books: facts.books }),
    ...(facts.series !== undefined && { series: facts.series }),
    config,
    digest,
    failure,
    audit: auditToJson(facts.audit),
    initialEquity: formatTrimmed(initialEquity, equity.scale),
    finalEquity: formatTrimmed(finalEquity, equity.scale),
    quoteAsset,
    partial: equity.isPartial,
    balances: balancesToJson(balances, scales),
    orders: record.orders,
    fills: record.fills,
    unfinishedCandles: facts.unfinishedCandles,
    refusals: Object.fromEntries(record.refusals),
    firstRefusals: record.firstRefused.map(firstRefusal),
    riskRefusals: record.riskRefusals,
    recovered: record.recovered,
    states: record.states,
    ...(record.paramChanges.length > 0 && { paramChanges: record.paramChanges }),
    partlyFilled: record.shortOrders,
    statistics: runStatistics(account, config),
    fillQuality: quality.report(),
    // Nothing is simulated there, so that nothing can flatter.
    optimistic: facts.live === undefined ? flatteringSettings(config, tapes) : [],
    liquidityBounds: bounds,
    ...listOf(runNotices(facts)),
    ...(equity.transfers.length > 0 && { transfers: transferSums(equity) }),
    ...(facts.live !== undefined && { live: facts.live }),
    ...(facts.paper !== undefined && { paper: facts.paper }),
  }
}
