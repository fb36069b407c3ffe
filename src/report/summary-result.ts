/**
 * The second part of the summary: what came of the run, and what it was made to cost.
 */
import type { Statistics } from '../analysis/statistics.ts'
import { toDecimal } from '../domain/decimal.ts'
import { itemLines } from './item-lines.ts'
import { readableAmount, readableChange, readableCount, readablePercent } from './readable-number.ts'
import type { RunConfig, RunReport } from './run-report.ts'
import { LABELLED_WIDTH, labelled } from './summary-line.ts'
import type { SummaryLine, Tone } from './summary-line.ts'

/** At most 7 lines. */
export const resultLines = (report: RunReport): SummaryLine[] => [
  equityLine(report),
  returnLine(report.statistics),
  feesLine(report),
  executionLine(report.config),
  roundTripsLine(report.statistics),
  ...ordersLines(report),
]

function equityLine({ initialEquity, finalEquity, quoteAsset, partial }: RunReport): SummaryLine {
  const text = `${readableAmount(initialEquity)} → ${readableAmount(finalEquity)} ${quoteAsset}`
  // What is missing comes first, since the end may be cut, and there is no profit to tell.
  if (partial) return labelled('equity', `INCOMPLETE, a holding has no price: ${text}`, 'warning')
  const profit = toDecimal(finalEquity).minus(initialEquity)
  const change = `${profit.greaterThan(0) ? '+' : ''}${readableAmount(profit.toFixed())}`
  return labelled('equity', `${text} (${change})`, toneOf(profit.comparedTo(0)))
}

function returnLine(statistics: Statistics): SummaryLine {
  const made = statistics.return
  const beside = [
    `buy and hold ${readableChange(statistics.buyAndHoldReturn)}`,
    `max drawdown ${readablePercent(statistics.maxDrawdown)}`,
  ]
  if (made === null) return labelled('return', ['none without initial equity', ...beside].join(', '))
  return labelled('return', [readableChange(made), ...beside].join(', '), toneOf(made))
}

function toneOf(change: number): Tone {
  if (change === 0) return 'plain'
  return change > 0 ? 'good' : 'bad'
}

function feesLine({ statistics, config, quoteAsset }: RunReport): SummaryLine {
  const { makerFeeBps, takerFeeBps } = config
  const isFree = Number(makerFeeBps) === 0 && Number(takerFeeBps) === 0
  if (isFree) return labelled('fees', 'NO FEES: maker 0 bps, taker 0 bps', 'warning')
  const rates = ` (maker ${makerFeeBps} bps, taker ${takerFeeBps} bps)`
  const charged = Object.entries(statistics.fees).filter(([, amount]) => amount !== '0')
  const amounts = charged.map(([asset, amount]) => `${readableAmount(amount)} ${asset}`)
  const [text = `0 ${quoteAsset}`] = itemLines(amounts, LABELLED_WIDTH - rates.length, 1)
  return labelled('fees', text + rates)
}

/** No latency is left out, not even 0: what a fill is worth hangs on them. */
function executionLine(config: RunConfig): SummaryLine {
  const { liquidity, orderLatencyMs, responseLatencyMs, feedLatencyMs } = config
  const latency = `latency: order ${orderLatencyMs} ms, response ${responseLatencyMs} ms, feed ${feedLatencyMs} ms`
  return labelled('execution', `liquidity ${liquidity}; ${latency}`)
}

function roundTripsLine({ roundTrips, winRate, exposure }: Statistics): SummaryLine {
  const won = winRate === null ? '' : `, ${readablePercent(winRate)} won`
  const trips = roundTrips === 0 ? 'none' : `${readableAmount(String(roundTrips))}${won}`
  return labelled('round trips', `${trips}; a position held ${readablePercent(exposure)} of the time`)
}

function ordersLines({ orders, fills, refusals }: RunReport): SummaryLine[] {
  const codes = Object.entries(refusals).toSorted(([, a], [, b]) => b - a)
  const refused = codes.reduce((sum, [, count]) => sum + count, 0)
  const text = `${readableAmount(String(orders))}, ${readableCount(fills, 'fill')}`
  if (refused === 0) return [labelled('orders', `${text}, none refused`)]
  const items = codes.map(([code, count]) => `${code} ${readableAmount(String(count))}`)
  const start = `${readableAmount(String(refused))}: `
  const [reasons = ''] = itemLines(items, LABELLED_WIDTH - start.length, 1)
  return [labelled('orders', text), labelled('refused', start + reasons)]
}
