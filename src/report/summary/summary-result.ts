/**
 * The second part of the summary: the result, fees and execution settings, and the settings that are optimistic.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { itemLines } from './item-lines.ts'
import { readableAmount, readableChange, readablePercent, readableSigned } from '../readable.ts'
import { isFree } from '../run/flattering.ts'
import type { RunConfig, RunReport } from '../run/run-report.ts'
import { wrapPieces } from '../terminal-text.ts'
import { LABELLED_WIDTH, labelled, labelledLines } from './summary-line.ts'
import type { SummaryLine, Tone } from './summary-line.ts'
import { yearLines } from './summary-statistics.ts'

/** At most 7 lines. */
export const resultLines = (report: RunReport): SummaryLine[] => [
  equityLine(report),
  returnLine(report.statistics),
  ...yearLines(report),
  feesLine(report),
  ...(report.live === undefined ? executionLines(report.config) : []),
  ...optimisticLines(report),
]

function equityLine({ initialEquity, finalEquity, quoteAsset, partial }: RunReport): SummaryLine {
  const text = `${readableAmount(initialEquity)} → ${readableAmount(finalEquity)} ${quoteAsset}`
  // The gap first, because the end may be cut; without prices there is no profit.
  if (partial) return labelled('equity', `INCOMPLETE, a holding has no price: ${text}`, 'warning')
  const profit = toDecimal(finalEquity).minus(initialEquity)
  return labelled('equity', `${text} (${readableSigned(profit.toFixed())})`, toneOf(profit.comparedTo(0)))
}

function returnLine(statistics: Statistics): SummaryLine {
  const made = statistics.return
  const beside = [
    ...(statistics.buyAndHoldReturn === null ? [] : [`buy and hold ${readableChange(statistics.buyAndHoldReturn)}`]),
    `max drawdown ${readablePercent(statistics.maxDrawdown)}`,
    `exposure ${(statistics.exposure * 100).toFixed(0)} %`,
  ]
  if (made === null) return labelled('return', ['n/a without initial equity', ...beside].join(', '))
  return labelled('return', [readableChange(made), ...beside].join(', '), toneOf(made))
}

function toneOf(change: number): Tone {
  if (change === 0) return 'plain'
  return change > 0 ? 'good' : 'bad'
}

function feesLine({ statistics, config, quoteAsset, live }: RunReport): SummaryLine {
  const { makerFeeBps, takerFeeBps } = config
  if (isFree(config)) {
    const none = live === undefined ? 'NO FEES: maker 0 bps, taker 0 bps' : 'none assumed; the service reports none'
    return labelled('fees', none, 'warning')
  }
  const rates = ` (${live === undefined ? '' : 'assumed: '}maker ${makerFeeBps} bps, taker ${takerFeeBps} bps)`
  const charged = Object.entries(statistics.fees).filter(([, amount]) => amount !== '0')
  const amounts = charged.map(([asset, amount]) => `${readableAmount(amount)} ${asset}`)
  const [text = `0 ${quoteAsset}`] = itemLines(amounts, LABELLED_WIDTH - rates.length, 1)
  return labelled('fees', text + rates)
}

/** All latencies, also 0, because fills depend on them; a second line if the model has a long name. */
function executionLines(config: RunConfig): readonly SummaryLine[] {
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const latency = `latency: order ${orderLatencyMs} ms, response ${responseLatencyMs} ms, feed ${feedLatencyMs} ms`
  return labelledLines('execution', wrapPieces([`liquidity ${liquidity};`, latency], LABELLED_WIDTH))
}

/** Optimistic settings, except missing fees, which have their own line. */
function optimisticLines({ optimistic }: RunReport): SummaryLine[] {
  const items = optimistic.flatMap(({ setting, words }) => (setting === 'takerFeeBps' ? [] : [words]))
  if (items.length === 0) return []
  const [text = ''] = itemLines(items, LABELLED_WIDTH, 1)
  return [labelled('optimistic', text, 'warning')]
}
