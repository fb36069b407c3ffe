/**
 * The second part of the summary: what came of the run, and what it was made to cost.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { itemLines } from './item-lines.ts'
import { readableAmount, readableChange, readablePercent } from '../readable.ts'
import type { MarketFillQuality } from '../../runtime/figures/fill-quality.ts'
import type { RunConfig, RunReport } from '../run/run-report.ts'
import { LABELLED_WIDTH, labelled } from './summary-line.ts'
import type { SummaryLine, Tone } from './summary-line.ts'

/** At most 8 lines. */
export const resultLines = (report: RunReport): SummaryLine[] => [
  equityLine(report),
  returnLine(report.statistics),
  feesLine(report),
  executionLine(report.config),
  roundTripsLine(report.statistics),
  ordersLine(report),
  fillsLine(report),
  ...boundsLines(report),
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

function ordersLine({ orders, refusals }: RunReport): SummaryLine {
  const codes = Object.entries(refusals).toSorted(([, a], [, b]) => b - a)
  const refused = codes.reduce((sum, [, count]) => sum + count, 0)
  const placed = readableAmount(String(orders))
  if (refused === 0) return labelled('orders', `${placed}, none refused`)
  const items = codes.map(([code, count]) => `${code} ${readableAmount(String(count))}`)
  const start = `${placed}; refused ${readableAmount(String(refused))}: `
  const [reasons = ''] = itemLines(items, LABELLED_WIDTH - start.length, 1)
  return labelled('orders', start + reasons)
}

/** Who made the fills, and in a single market how it stood 5 s later. */
function fillsLine({ fills, fillQuality }: RunReport): SummaryLine {
  if (fills === 0) return labelled('fills', 'none')
  const markets = Object.values(fillQuality)
  const sum = (count: (market: MarketFillQuality) => number): string =>
    readableAmount(String(markets.reduce((total, market) => total + count(market), 0)))
  const [only] = markets.length === 1 ? markets : []
  const items = [
    `${readableAmount(String(fills))}: ${sum(({ maker }) => maker.byQueue)} by queue`,
    `${sum(({ maker }) => maker.byThrough)} through`,
    `${sum(({ taker }) => taker.fills)} taken`,
    ...markoutTexts(only),
  ]
  const [text = ''] = itemLines(items, LABELLED_WIDTH, 1)
  return labelled('fills', text)
}

function markoutTexts(market: MarketFillQuality | undefined): string[] {
  const bps = market?.maker.markoutBps['5s']
  return bps === undefined || bps === null ? [] : [`markout 5 s ${bps.toFixed(2)} bps`]
}

function boundsLines({ liquidityBounds, quoteAsset }: RunReport): SummaryLine[] {
  if (liquidityBounds === null) return []
  const texts = Object.entries(liquidityBounds).map(([name, equity]) => {
    // To be compared, not to be added up: two decimals tell the three apart.
    return `${name} ${equity === null ? 'failed' : readableAmount(toDecimal(equity).toDecimalPlaces(2).toFixed())}`
  })
  return [labelled('bounds', `${texts.join(' / ')} ${quoteAsset}`)]
}
