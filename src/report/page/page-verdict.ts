/**
 * The first thing on the page: what came of a run in one sentence, the figures that decide, and what makes it doubtful.
 *
 * Invariant: a doubt is said only where the report bears it out, and the heaviest comes first.
 */
import { noticesIn } from '../../tape/notices.ts'
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { isoTime } from '../../domain/time.ts'
import type { RunReport } from '../run/run-report.ts'
import { isFree } from '../run/flattering.ts'
import { WHO_CANCELS } from '../run/who-cancels.ts'
import { readableCount, readableDuration, readablePercent, readableSigned } from '../readable.ts'
import type { Definitions, FigureSpec } from './figure-forms.ts'
import type { PageDoubt, PageVerdict, Tone } from './page-data.ts'
import { reportFigure } from './page-figures.ts'

const DECIDING: readonly FigureSpec[] = [
  ['Return', 'statistics.return', 'change'],
  ['Buying and holding', 'statistics.buyAndHoldReturn', 'change'],
  ['Max drawdown', 'statistics.maxDrawdown', 'percent'],
  ['Sharpe ratio', 'statistics.sharpe', 'ratio'],
  ['95 % of Sharpe', 'statistics.sharpeInterval', 'ratios'],
  ['Round trips', 'statistics.roundTrips', 'count'],
]

/** Fewer closed trips than this say little of the next. */
const FEW_TRIPS = 30
const LARGE_SHARE = 0.05

export function pageVerdict(report: RunReport, definitions: Definitions): PageVerdict {
  const doubts = doubtsOf(report)
  return {
    headline: headlineOf(report),
    tone: toneOf(report),
    figures: DECIDING.map((spec) => reportFigure(report, spec, definitions)),
    doubts,
    notes: noticesIn(report).notes,
  }
}

function headlineOf(report: RunReport): string {
  const { statistics, failure, partial, fills } = report
  const length = ` in ${readableDuration(lengthOf(report))}`
  if (failure !== null) return `The strategy failed at ${isoTime(failure.time)}: ${failure.message}`
  if (partial) return 'A holding has no price, so nobody can say what the run came to.'
  if (fills === 0) return `Nothing was traded${length}.`
  const made = statistics.return
  if (made === null) return 'The run began without equity, so there is no return.'
  const start = made < 0 ? `Lost ${readablePercent(-made)}${length}` : `Made ${readablePercent(made)}${length}`
  const held = statistics.buyAndHoldReturn
  if (held === null) return `${start}.`
  const beside = held < 0 ? `lost ${readablePercent(-held)}` : `made ${readablePercent(held)}`
  return `${start}; buying and holding ${beside}.`
}

function toneOf({ statistics, failure, partial }: RunReport): Tone {
  const made = statistics.return
  if (failure !== null || partial) return 'bad'
  if (made === null || made === 0) return 'plain'
  return made > 0 ? 'good' : 'bad'
}

/** Milliseconds from the first row to the last, or from the start of a session to its end, whole minutes where it is long. */
function lengthOf(report: RunReport): number {
  const { live, paper, config } = report
  const spans = recordedSpans(report)
  const session = live ?? paper
  const [from, to] =
    session === undefined
      ? [
          Math.max(Math.min(...spans.map((tape) => tape.from)), config.from ?? Number.NEGATIVE_INFINITY),
          Math.min(Math.max(...spans.map((tape) => tape.to)), config.to ?? Number.POSITIVE_INFINITY),
        ]
      : [session.startedAt, session.endedAt]
  const length = Math.max(0, to - from)
  const unit = [86_400_000, 3_600_000, 60_000, 1_000].find((each) => length >= 20 * each) ?? 1
  return Math.floor(length / unit) * unit
}

function doubtsOf(report: RunReport): readonly PageDoubt[] {
  return [
    ...wholeDoubts(report),
    ...termDoubts(report),
    ...sampleDoubts(report),
    ...boundDoubts(report),
    ...marketDoubts(report),
  ]
}

function wholeDoubts({
  failure,
  partial,
  statistics,
  audit,
  initialEquity,
  finalEquity,
  live,
}: RunReport): readonly PageDoubt[] {
  const { openTrips } = statistics
  const lost = openTrips.filter(({ unrealizedPnl }) => unrealizedPnl !== null && toDecimal(unrealizedPnl).isNegative())
  const sum = lost.reduce((total, { unrealizedPnl }) => total.plus(unrealizedPnl ?? 0), toDecimal(0))
  const gain = toDecimal(finalEquity).minus(initialEquity)
  return [
    ...(audit.ok || live !== undefined
      ? []
      : [{ text: 'the books do not balance', why: 'That is a fault of papertape: please report it.' }]),
    ...(failure === null
      ? []
      : [{ text: 'the strategy failed', why: 'What it would have done afterwards is not in these figures.' }]),
    ...(partial ? [{ text: 'a holding has no price', why: 'The equity leaves it out.' }] : []),
    ...(lost.length === 0
      ? []
      : [
          {
            text: `an open position has lost ${readableSigned(sum.toFixed()).replace('-', '')}`,
            why: `Closed round trips do not show it: ${gain.isNegative() ? 'the equity does' : 'the share that was won looks better than it is'}.`,
          },
        ]),
  ]
}

function termDoubts({ config, flattering, live, fills }: RunReport): readonly PageDoubt[] {
  if (live !== undefined || fills === 0) return []
  const others = flattering.filter(({ setting }) => setting !== 'takerFeeBps' && setting !== 'orderLatencyMs')
  return [
    ...(isFree(config)
      ? [{ text: 'fees are 0', why: 'Every fill was free; hardly any exchange lets you trade so.' }]
      : []),
    ...(config.orderLatencyMs === 0
      ? [
          {
            text: 'order latency is 0',
            why: 'Orders were at the exchange in the moment in which the strategy saw the market.',
          },
        ]
      : []),
    ...others.map(({ words }) => ({ text: words, why: 'A result looks better by it than by the usual setting.' })),
  ]
}

function sampleDoubts({ statistics, fills }: RunReport): readonly PageDoubt[] {
  const { roundTrips, sharpeInterval, sharpe } = statistics
  if (fills === 0) return []
  return [
    ...(roundTrips >= FEW_TRIPS
      ? []
      : [{ text: `only ${readableCount(roundTrips, 'closed round trip')}`, why: 'So few may well be luck.' }]),
    ...(sharpe === null || sharpeInterval === null || sharpeInterval[0] > 0 || sharpe <= 0
      ? []
      : [{ text: 'the Sharpe ratio may be 0', why: 'The returns, drawn anew, often come to nothing or less.' }]),
  ]
}

/** Lives by orders that were filled where nobody knows whether they would have been. */
function boundDoubts({ liquidityBounds, initialEquity, finalEquity }: RunReport): readonly PageDoubt[] {
  const { through, book } = liquidityBounds ?? {}
  const fewest = through ?? book
  if (fewest === null || fewest === undefined) return []
  const [least, made] = [fewest.finalEquity, finalEquity].map((equity) => toDecimal(equity).minus(initialEquity))
  if (least === undefined || made === undefined || !made.isPositive() || made.isZero() || least.isPositive()) return []
  const words = fewest === book ? FEWEST_BY_BOOK : FEWEST_BY_TRADES
  return [{ text: `${words.where} it makes ${readableSigned(least.toFixed())}`, why: words.why }]
}

const FEWEST_BY_TRADES = {
  where: 'without fills in the queue',
  why: 'Under liquidity through, where a resting order is filled only when the market goes beyond its price, nothing is left of the profit.',
}

const FEWEST_BY_BOOK = {
  where: 'where those ahead cancel last',
  why: `Under liquidity book, where ${WHO_CANCELS.book}, nothing is left of the profit.`,
}

function marketDoubts({
  live,
  fillQuality,
  notices,
  warnings,
  riskRefusals,
  refusals,
}: RunReport): readonly PageDoubt[] {
  // What a live session took from a market did move it.
  const large =
    live === undefined ? Object.entries(fillQuality).filter(([, { shareOfVolume }]) => shareOfVolume > LARGE_SHARE) : []
  const gaps = Object.entries(fillQuality).filter(([, { ordersAcrossGaps }]) => ordersAcrossGaps > 0)
  const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0)
  return [
    ...large.map(([symbol, { shareOfVolume }]) => ({
      text: `fills are ${(shareOfVolume * 100).toFixed(1)} % of the volume of ${symbol}`,
      why: 'So large a part would have moved the market.',
    })),
    ...gaps.map(([symbol, { gaps: count, ordersAcrossGaps }]) => ({
      text: `the tape of ${symbol} has ${readableCount(count, 'gap')}`,
      why: `Orders were open across them ${readableCount(ordersAcrossGaps, 'time')}: nobody knows what they met.`,
    })),
    ...(refused === 0 || refused === riskRefusals
      ? []
      : [
          {
            text: `${readableCount(refused, 'request')} refused`,
            why: 'The strategy wanted what it could not have; the table of orders says what and why.',
          },
        ]),
    ...noticesIn({ notices, warnings }).warnings.map((notice) => ({ text: notice, why: '' })),
  ]
}
