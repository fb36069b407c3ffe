/**
 * Risk-adjusted figures of the run, and the average result per round trip. A figure that is undefined is shown as
 * `n/a`.
 */
import type { Statistics } from '../../analysis/statistics.ts'
import { toDecimal } from '../../domain/decimal.ts'
import { YEAR_MS } from '../../domain/time.ts'
import { statsPeriodMs } from '../../runtime/settings/run-terms.ts'
import { readableChange, readableSigned } from '../readable.ts'
import type { RunReport } from '../run/run-report.ts'
import { isTooShortForYear, MIN_ANNUAL_DAYS, runSpan } from '../run/run-span.ts'
import { itemLines, labelled, LABELLED_WIDTH, type SummaryLine } from './summary-line.ts'

/** Ratios above this are shown in scientific notation. */
const LARGE = 1e6
const EXPECTANCY_DIGITS = 4

/** Two lines if markets were closed in some periods. */
export function yearLines(report: RunReport): readonly SummaryLine[] {
  const { statistics, config } = report
  const { periods, periodsPerYear, volatility, timeUnderWater } = statistics
  if (timeUnderWater === null) {
    return [labelled('annualized', 'n/a: the equity had no value at some point', 'warning')]
  }
  const { statsPeriod } = config
  const why =
    volatility === null
      ? `fewer than ten periods of ${statsPeriod}`
      : isTooShortForYear(runSpan(report))
        ? `the run is shorter than ${MIN_ANNUAL_DAYS} days`
        : undefined
  const line =
    why === undefined
      ? labelled('annualized', fitting(ratioItems(statistics)))
      : labelled('annualized', `n/a: ${why}`, 'warning')
  const calendar = YEAR_MS / statsPeriodMs(config)
  const aYear = periodsPerYear ?? calendar
  if (Math.abs(aYear - calendar) < 1e-6 * calendar || volatility === null) return [line]
  const asked = config.periodsPerYear === null ? 'measured' : 'from --periods-per-year'
  return [
    line,
    labelled('periods', `${periods ?? 0} of ${statsPeriod} with trades, ${shortNumber(aYear)} per year (${asked})`),
  ]
}

const shortNumber = (value: number): string => String(Number(value.toFixed(1)))

/** Omits items that do not fit: a truncated number would be a wrong number. */
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

/** One line if there is a closed round trip. */
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
  return [labelled('per trade', text)]
}

function readableRatio(value: number | null): string {
  if (value === null) return 'n/a'
  if (Math.abs(value) >= LARGE) return value.toExponential(1)
  const text = value.toFixed(2)
  return text === '-0.00' ? '0.00' : text
}

const readableMoney = (amount: number): string =>
  readableSigned(toDecimal(toDecimal(amount).toPrecision(EXPECTANCY_DIGITS)).toFixed())
