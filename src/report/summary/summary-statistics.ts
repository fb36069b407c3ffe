/**
 * The figures that decide, beside the return: what the run was worth for its risk, and what a round trip was worth. What cannot be said is
 * said to be none.
 */
import { recordedSpans } from '../../runtime/backtest/recorded-spans.ts'
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { readableChange, readableSigned } from '../readable.ts'
import type { RunReport } from '../run/run-report.ts'
import { itemLines } from './item-lines.ts'
import { LABELLED_WIDTH, labelled, type SummaryLine } from './summary-line.ts'

/** Returns of a shorter run than this many periods tell hardly anything. */
const FEW_PERIODS = 10
/** A ratio beyond this has no digits worth telling. */
const LARGE = 1e6
const EXPECTANCY_DIGITS = 4

export function yearLine(report: RunReport): SummaryLine {
  const { statistics, config } = report
  const isShort = durationOf(report) < FEW_PERIODS * statsPeriodMs(config)
  const short = `shorter than ten periods of ${config.statsPeriod}`
  const isLost = statistics.timeUnderWater === null
  if (isLost) return labelled('a year', 'no ratios: the equity had no value at some sample', 'warning')
  if (isShort && statistics.volatility === null) return labelled('a year', `no ratios: the run is ${short}`, 'warning')
  if (!isShort) return labelled('a year', fitting(ratioItems(statistics)))
  const few = ratioItems({ ...statistics, cagr: null, sharpeInterval: null })
  return labelled('a year', `${few.join(', ')}; ${short}`, 'warning')
}

/** What finds no room is left out whole: half a number is another one. */
function fitting(items: readonly string[]): string {
  const text = items.join(', ')
  return text.length <= LABELLED_WIDTH || items.length === 1 ? text : fitting(items.slice(0, -1))
}

type Ratios = Pick<Statistics, 'cagr' | 'sharpe' | 'sharpeInterval' | 'sortino' | 'calmar'>

function ratioItems({ cagr, sharpe, sharpeInterval, sortino, calmar }: Ratios): readonly string[] {
  const interval = sharpeInterval === null ? '' : ` (${sharpeInterval.map(readableRatio).join(' to ')})`
  return [
    ...(cagr === null ? [] : [readableChange(cagr)]),
    `Sharpe ${readableRatio(sharpe)}${interval}`,
    `Sortino ${readableRatio(sortino)}`,
    ...(cagr === null ? [] : [`Calmar ${readableRatio(calmar)}`]),
  ]
}

/** One line, where a round trip has ended. */
export function tripLines({ statistics, quoteAsset }: RunReport): SummaryLine[] {
  const { roundTrips, profitFactor, expectancy, meanTripReturn, sqn } = statistics
  if (roundTrips === 0) return []
  const share = meanTripReturn === null ? [] : [readableChange(meanTripReturn)]
  const mean = expectancy === null ? share : [`${readableMoney(expectancy)} ${quoteAsset}`, ...share]
  const items = [
    `mean ${mean.length === 2 ? `${mean[0] ?? ''} (${mean[1] ?? ''})` : mean.join('')}`,
    `profit factor ${readableRatio(profitFactor)}`,
    `SQN ${readableRatio(sqn)}`,
  ]
  const [text = ''] = itemLines(items, LABELLED_WIDTH, 1)
  return [labelled('a trip', text)]
}

function readableRatio(value: number | null): string {
  if (value === null) return 'none'
  if (Math.abs(value) >= LARGE) return value.toExponential(1)
  const text = value.toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

const readableMoney = (amount: number): string =>
  readableSigned(toDecimal(toDecimal(amount).toPrecision(EXPECTANCY_DIGITS)).toFixed())

/** From the first row that was played to the last; of a session from its start to its end. */
function durationOf(report: RunReport): number {
  const { live, paper, config } = report
  const session = live ?? paper
  const spans = recordedSpans(report)
  if (session !== undefined) return session.endedAt - session.startedAt
  const from = Math.max(Math.min(...spans.map((tape) => tape.from)), config.from ?? 0)
  const to = Math.min(Math.max(...spans.map((tape) => tape.to)), config.to ?? Infinity)
  return to - from
}
