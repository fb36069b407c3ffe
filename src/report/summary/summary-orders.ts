/** The third part of the summary: requests, orders and fills. */
import type { OpenTripReport } from '../../analysis/open-trip.ts'
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import type { LiquidityBounds } from '../../runtime/backtest/liquidity-bounds.ts'
import type { MarketFillQuality } from '../../runtime/figures/fill-quality.ts'
import type { ShortOrders } from '../../runtime/figures/short-orders.ts'
import { readableAmount, readablePercent, readableSigned } from '../readable.ts'
import type { RunReport } from '../run/run-report.ts'
import { wrapPieces } from '../terminal-text.ts'
import { itemLines, labelled, LABELLED_WIDTH, labelledLines, type SummaryLine } from './summary-line.ts'
import { tripLines } from './summary-statistics.ts'

/** At most 8 lines. */
export const orderLines = (report: RunReport): SummaryLine[] => [
  roundTripsLine(report.statistics),
  ...tripLines(report),
  ...ordersLines(report),
  fillsLine(report),
  ...boundsLines(report),
]

/** Open trips are shown next to closed ones: a strategy that never sells a loser has a win rate of 100 %. */
function roundTripsLine({ roundTrips, winRate, openTrips }: Statistics): SummaryLine {
  if (roundTrips + openTrips.length === 0) return labelled('round trips', 'none')
  const won = winRate === null ? '' : `, ${readablePercent(winRate)} won`
  const closed = roundTrips === 0 ? 'none closed' : `${readableAmount(String(roundTrips))} closed${won}`
  if (openTrips.length === 0) return labelled('round trips', `${closed}; none open`)
  const open = `${readableAmount(String(openTrips.length))} open`
  return labelled('round trips', `${closed}; ${open}, unrealized ${unrealizedText(openTrips)}`)
}

/** One sum per quote asset; UNKNOWN if a position has no price. */
function unrealizedText(openTrips: readonly OpenTripReport[]): string {
  const sums = new Map<string, Decimal>()
  for (const { quoteAsset, unrealizedPnl } of openTrips) {
    sums.set(quoteAsset, (sums.get(quoteAsset) ?? toDecimal(0)).plus(unrealizedPnl ?? 0))
  }
  if (openTrips.some(({ unrealizedPnl }) => unrealizedPnl === null)) return 'UNKNOWN (no price)'
  return [...sums].map(([asset, sum]) => `${readableSigned(sum.toFixed())} ${asset}`).join(' and ')
}

/** Accepted orders, those that were only partly filled, and refused ones with their codes. */
function ordersLines({ orders, refusals, partlyFilled }: RunReport): SummaryLine[] {
  const codes = Object.entries(refusals).toSorted(([, a], [, b]) => b - a)
  const refused = codes.reduce((sum, [, count]) => sum + count, 0)
  const placed = readableAmount(String(orders))
  const short = shortTexts(Object.values(partlyFilled))
  const text = `${[placed, ...short].join('; ')}${refused === 0 ? ', none refused' : ';'}`
  const lines = wrapPieces(text.split(' '), LABELLED_WIDTH)
  if (refused === 0) return labelledLines('orders', lines)
  const start = `${readableAmount(String(refused))} refused: `
  const items = codes.map(([code, count]) => `${readableAmount(String(count))} ${code}`)
  if (short.length > 0) return labelledLines('orders', [...lines, `${start}${itemLine(items, start)}`])
  const beside = `${text} ${start}`
  return [labelled('orders', `${beside}${itemLine(items, beside)}`)]
}

const itemLine = (items: readonly string[], start: string): string =>
  itemLines(items, LABELLED_WIDTH - start.length, 1)[0] ?? ''

/** Partly filled orders. Quantities of several markets cannot be added, so then only the count. */
function shortTexts(markets: readonly ShortOrders[]): string[] {
  const count = markets.reduce((sum, { orders }) => sum + orders, 0)
  if (count === 0) return []
  const [only] = markets.length === 1 ? markets : []
  const filled =
    only === undefined ? '' : ` (${readableAmount(only.qtyFound)} of ${readableAmount(only.qtyAsked)} filled)`
  return [`${readableAmount(String(count))} partly filled for lack of volume${filled}`]
}

/** Fills by cause, and for a single market the 5 s mark-out. */
function fillsLine({ fills, fillQuality }: RunReport): SummaryLine {
  if (fills === 0) return labelled('fills', 'none')
  const markets = Object.values(fillQuality)
  const sum = (count: (market: MarketFillQuality) => number): string =>
    readableAmount(String(markets.reduce((total, market) => total + count(market), 0)))
  const [only] = markets.length === 1 ? markets : []
  const hasBook = markets.some(({ maker }) => maker.byCrossing !== undefined)
  const items = [
    `${readableAmount(String(fills))}: ${sum(({ maker }) => maker.byQueue)} by queue`,
    `${sum(({ maker }) => maker.byThrough)} through`,
    ...(hasBook ? [`${sum(({ maker }) => maker.byCrossing ?? 0)} crossing`] : []),
    `${sum(({ taker }) => taker.fills)} taker`,
    ...ownTexts(sum(({ ownFills }) => ownFills)),
    ...markoutTexts(only, hasBook ? 'markout' : '5 s markout'),
  ]
  const [text = ''] = itemLines(items, LABELLED_WIDTH, 1)
  return labelled('fills', text)
}

/** @param label  the short form if the line has more to show */
function markoutTexts(market: MarketFillQuality | undefined, label: string): string[] {
  const bps = market?.maker.markoutBps['5s']
  return bps === undefined || bps === null ? [] : [`${label} ${bps.toFixed(2)} bps`]
}

const ownTexts = (count: string): string[] => (count === '0' ? [] : [`${count} own`])

/** The models bound the fills, not the equity: if the equities are not in order, a notice explains it. */
function boundsLines({ liquidityBounds, quoteAsset }: RunReport): SummaryLine[] {
  if (liquidityBounds === null) return []
  // Two decimals suffice to compare them.
  const exact = boundsText(liquidityBounds, quoteAsset, 2)
  const isTooLong = 'book' in liquidityBounds && exact.length > LABELLED_WIDTH
  return [labelled('fill bounds', isTooLong ? boundsText(liquidityBounds, quoteAsset, 0) : exact)]
}

function boundsText(bounds: LiquidityBounds, quoteAsset: string, decimals: number): string {
  const texts = Object.entries(bounds).map(([name, run]) => {
    const rounded = run === null ? undefined : toDecimal(run.finalEquity).toDecimalPlaces(decimals).toFixed()
    return `${name} ${rounded === undefined ? 'failed' : readableAmount(rounded)}`
  })
  return `${texts.join(' / ')} ${quoteAsset}`
}
