/**
 * The top of the page: the result in one sentence, the key figures, and reasons for caution.
 *
 * Invariant: each reason is backed by the report, and the most serious comes first.
 */
import { noticesIn } from '../../tape/notices.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { isoTime } from '../../domain/time.ts'
import type { RunReport } from '../run/run-report.ts'
import { isFree } from '../run/flattering.ts'
import { isTooShortForYear, runSpan } from '../run/run-span.ts'
import { WHO_CANCELS } from '../run/who-cancels.ts'
import { readableCount, readablePercent, readableSigned, roughDuration } from '../readable.ts'
import { nullTestText, sensitivityOf } from '../robustness-text.ts'
import type { Definitions, FigureSpec } from './figure-forms.ts'
import type { PageDoubt, PageVerdict, Tone } from './page-data.ts'
import { reportFigure } from './page-figures.ts'
import { quoteDecimals } from './shown-decimals.ts'

const DECIDING: readonly FigureSpec[] = [
  ['Return', 'statistics.return', 'change'],
  ['Buy and hold', 'statistics.buyAndHoldReturn', 'change'],
  ['Max drawdown', 'statistics.maxDrawdown', 'percent'],
  ['Sharpe ratio', 'statistics.sharpe', 'ratio'],
  ['Sharpe, 95 % interval', 'statistics.sharpeInterval', 'ratios'],
  ['Round trips', 'statistics.roundTrips', 'count'],
]

/** With fewer closed round trips, the result may be luck. */
const FEW_TRIPS = 30

/** Above it, a p-value is reported as a reason for caution. */
const MAX_P_VALUE = 0.05

export function pageVerdict(report: RunReport, definitions: Definitions): PageVerdict {
  const doubts = doubtsOf(report)
  return {
    headline: headlineOf(report),
    tone: toneOf(report),
    figures: DECIDING.map((spec) => reportFigure(report, spec, definitions)),
    doubts,
    notes: [...noTripNotes(report), ...repeatNotes(report), ...noticesIn(report).notes],
  }
}

function headlineOf(report: RunReport): string {
  const { statistics, failure, partial, fills } = report
  const { from, to } = runSpan(report)
  const length = ` in ${roughDuration(to - from)}`
  if (failure !== null) return `The strategy failed at ${isoTime(failure.time)}: ${failure.message}`
  if (partial) return 'A holding has no price, so the result is unknown.'
  if (fills === 0) return `Nothing was traded${length}.`
  const made = statistics.return
  if (made === null) return 'The run started without equity, so it has no return.'
  const start = made < 0 ? `Lost ${readablePercent(-made)}${length}` : `Gained ${readablePercent(made)}${length}`
  const held = statistics.buyAndHoldReturn
  if (held === null) return `${start}.`
  const beside = held < 0 ? `lost ${readablePercent(-held)}` : `gained ${readablePercent(held)}`
  return `${start}; buy and hold ${beside}.`
}

function toneOf({ statistics, failure, partial }: RunReport): Tone {
  const made = statistics.return
  if (failure !== null || partial) return 'bad'
  if (made === null || made === 0) return 'plain'
  return made > 0 ? 'good' : 'bad'
}

function doubtsOf(report: RunReport): readonly PageDoubt[] {
  return [
    ...wholeDoubts(report),
    ...termDoubts(report),
    ...sampleDoubts(report),
    ...nullDoubts(report),
    ...boundDoubts(report),
    ...marketDoubts(report),
  ]
}

function wholeDoubts(report: RunReport): readonly PageDoubt[] {
  const { failure, statistics, audit, initialEquity, finalEquity, live } = report
  const { openTrips } = statistics
  const lost = openTrips.filter(({ unrealizedPnl }) => unrealizedPnl !== null && toDecimal(unrealizedPnl).isNegative())
  const sum = lost.reduce((total, { unrealizedPnl }) => total.plus(unrealizedPnl ?? 0), toDecimal(0))
  const gain = toDecimal(finalEquity).minus(initialEquity)
  return [
    ...(audit.ok || live !== undefined
      ? []
      : [{ text: 'the accounting does not balance', why: 'This is a bug in papertape: please report it.' }]),
    ...(failure === null ? [] : [{ text: 'the strategy failed', why: 'These figures end at the failure.' }]),
    ...(lost.length === 0
      ? []
      : [
          {
            text: `an open position has lost ${readableSigned(sum.toFixed(), quoteDecimals(report)).replace('-', '')}`,
            why: `Closed round trips do not include it: ${gain.isNegative() ? 'only the equity does' : 'the win rate looks better than it is'}.`,
          },
        ]),
  ]
}

/** Fees and latency have their own entry, and a liquidity model its warning. */
const HAVE_THEIR_OWN: ReadonlySet<string> = new Set(['takerFeeBps', 'orderLatencyMs', 'liquidity'])

function termDoubts({ config, optimistic, live, fills }: RunReport): readonly PageDoubt[] {
  if (live !== undefined || fills === 0) return []
  const others = optimistic.filter(({ setting }) => !HAVE_THEIR_OWN.has(setting))
  return [
    ...(isFree(config) ? [{ text: 'fees are 0', why: 'Every fill was free, which hardly any exchange offers.' }] : []),
    ...(config.orderLatencyMs === 0
      ? [
          {
            text: 'order latency is 0',
            why: 'Orders reached the exchange at the moment the strategy saw the market.',
          },
        ]
      : []),
    ...others.map(({ words }) => ({ text: words, why: 'This setting is more optimistic than the default.' })),
  ]
}

function sampleDoubts(report: RunReport): readonly PageDoubt[] {
  const { statistics, fills } = report
  const { roundTrips, sharpeInterval, sharpe } = statistics
  if (fills === 0) return []
  const few = {
    text: `only ${readableCount(roundTrips, 'closed round trip')}`,
    why: 'With so few, the result may be luck.',
  }
  return [
    ...(roundTrips === 0 || roundTrips >= FEW_TRIPS ? [] : [few]),
    ...(isTooShortForYear(runSpan(report)) ||
    sharpe === null ||
    sharpeInterval === null ||
    sharpeInterval[0] > 0 ||
    sharpe <= 0
      ? []
      : [{ text: 'the Sharpe ratio may be 0', why: 'Resampled returns are often zero or negative.' }]),
  ]
}

/** A return that shuffled tapes reach as well may be luck. */
const nullDoubts = ({ nullTest }: RunReport): readonly PageDoubt[] =>
  nullTest === undefined || nullTest.pValue <= MAX_P_VALUE
    ? []
    : [{ text: `p-value ${nullTestText(nullTest)}`, why: 'The return does not need anything that the strategy found.' }]

const repeatNotes = ({ nullTest, robustness }: RunReport): readonly string[] => [
  ...(nullTest === undefined || nullTest.pValue > MAX_P_VALUE ? [] : [`p-value ${nullTestText(nullTest)}.`]),
  ...(robustness === undefined ? [] : [`Most sensitive to ${sensitivityOf(robustness)}.`]),
]

/** Nothing to doubt: the result comes from open positions alone. */
const noTripNotes = ({ statistics, fills }: RunReport): readonly string[] =>
  statistics.roundTrips === 0 && fills > 0
    ? ['No round trip was closed: the result comes from open positions alone.']
    : []

/** A profit that depends on uncertain fills. */
function boundDoubts(report: RunReport): readonly PageDoubt[] {
  const { liquidityBounds, initialEquity, finalEquity } = report
  const { through, book } = liquidityBounds ?? {}
  const fewest = through ?? book
  if (fewest === null || fewest === undefined) return []
  const [least, made] = [fewest.finalEquity, finalEquity].map((equity) => toDecimal(equity).minus(initialEquity))
  if (least === undefined || made === undefined || !made.isPositive() || made.isZero() || least.isPositive()) return []
  const words = fewest === book ? FEWEST_BY_BOOK : FEWEST_BY_TRADES
  return [
    { text: `${words.where} the result is ${readableSigned(least.toFixed(), quoteDecimals(report))}`, why: words.why },
  ]
}

const FEWEST_BY_TRADES = {
  where: 'without fills from the queue',
  why: 'Under liquidity through, which fills a resting order only if the market trades beyond its price, the profit disappears.',
}

const FEWEST_BY_BOOK = {
  where: 'with the strictest queue assumption',
  why: `Under liquidity book, where ${WHO_CANCELS.book}, the profit disappears.`,
}

function marketDoubts({
  live,
  fillQuality,
  notices,
  warnings,
  riskRefusals,
  refusals,
}: RunReport): readonly PageDoubt[] {
  // A simulated run has warnings about gaps and large fills, which follow.
  const gaps =
    live === undefined ? [] : Object.entries(fillQuality).filter(([, { ordersAcrossGaps }]) => ordersAcrossGaps > 0)
  const refused = Object.values(refusals).reduce((sum, count) => sum + count, 0)
  return [
    ...gaps.map(([symbol, { gaps: count, ordersAcrossGaps }]) => ({
      text: `the tape of ${symbol} has ${readableCount(count, 'gap')}`,
      why: `Orders were open across a gap ${readableCount(ordersAcrossGaps, 'time')}: their fills are uncertain.`,
    })),
    ...(refused === 0 || refused === riskRefusals
      ? []
      : [
          {
            text: `${readableCount(refused, 'request')} refused`,
            why: 'The table of orders shows what was refused, and why.',
          },
        ]),
    ...noticesIn({ notices, warnings }).warnings.map((notice) => ({ text: notice, why: '' })),
  ]
}
