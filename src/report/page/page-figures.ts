/**
 * All figures of a run in groups, in the order of `docs/statistics.md`.
 */
import type { RunReport } from '../run/run-report.ts'
import { isTooShortForYear, MIN_ANNUAL_DAYS, runSpan } from '../run/run-span.ts'
import { quoteDecimals } from './shown-decimals.ts'
import { figureOf, NONE, type Definitions, type FigureSpec } from './figure-forms.ts'
import type { FigureGroup, PageFigure } from './page-data.ts'

const of = (path: string): string => `statistics.${path}`

const GROUPS: readonly (readonly [title: string, specs: readonly FigureSpec[]])[] = [
  [
    'Overview',
    [
      ['Return', of('return'), 'change'],
      ['Buy and hold', of('buyAndHoldReturn'), 'change'],
      ['Initial equity', 'initialEquity', 'amount'],
      ['Final equity', 'finalEquity', 'amount'],
      ['Max drawdown', of('maxDrawdown'), 'percent'],
      ['Peak', of('maxDrawdownFrom'), 'time'],
      ['Trough', of('maxDrawdownTo'), 'time'],
      ['Recovered', of('maxDrawdownRecoveredAt'), 'time'],
      ['Exposure', of('exposure'), 'percent'],
    ],
  ],
  [
    'Returns',
    [
      ['Periods with trades', of('periods'), 'count'],
      ['Periods per year', of('periodsPerYear'), 'ratio'],
      ['Annual return (CAGR)', of('cagr'), 'change'],
      ['Annual volatility', of('volatility'), 'percent'],
      ['Sharpe ratio', of('sharpe'), 'ratio'],
      ['Sharpe, 95 % interval', of('sharpeInterval'), 'ratios'],
      ['Mean, 95 % interval', of('meanReturnInterval'), 'changes'],
      ['Sortino ratio', of('sortino'), 'ratio'],
      ['Calmar ratio', of('calmar'), 'ratio'],
      ['Omega', of('omega'), 'ratio'],
      ['Gain to pain', of('gainToPain'), 'ratio'],
      ['Average drawdown', of('averageDrawdown'), 'percent'],
      ['Longest drawdown', of('longestDrawdownMs'), 'duration'],
      ['Time under water', of('timeUnderWater'), 'percent'],
      ['Ulcer index', of('ulcerIndex'), 'percent'],
      ['Value at risk', of('valueAtRisk'), 'percent'],
      ['Expected shortfall', of('expectedShortfall'), 'percent'],
      ['Skew', of('skew'), 'ratio'],
      ['Kurtosis', of('kurtosis'), 'ratio'],
      ['Best period', of('bestReturn'), 'change'],
      ['Worst period', of('worstReturn'), 'change'],
      ['Positive periods', of('positiveReturns'), 'percent'],
      ['Tail ratio', of('tailRatio'), 'ratio'],
      ['Beta', of('beta'), 'ratio'],
      ['Annual alpha', of('alpha'), 'change'],
      ['Correlation', of('correlation'), 'ratio'],
    ],
  ],
  [
    'Round trips',
    [
      ['Closed', of('roundTrips'), 'count'],
      ['Open', of('openTrips.length'), 'count'],
      ['Win rate', of('winRate'), 'percent'],
      ['Profit factor', of('profitFactor'), 'ratio'],
      ['Payoff ratio', of('payoff'), 'ratio'],
      ['Expectancy', of('expectancy'), 'money'],
      ['Mean return', of('meanTripReturn'), 'change'],
      ['Best return', of('bestTripReturn'), 'change'],
      ['Worst return', of('worstTripReturn'), 'change'],
      ['SQN', of('sqn'), 'ratio'],
      ['Kelly fraction', of('kelly'), 'percent'],
      ['Mean duration', of('meanTripMs'), 'duration'],
      ['Longest duration', of('longestTripMs'), 'duration'],
      ['Longest winning streak', of('winStreak'), 'count'],
      ['Longest losing streak', of('lossStreak'), 'count'],
      ['Mean MAE', of('mae'), 'percent'],
      ['Mean MFE', of('mfe'), 'percent'],
    ],
  ],
  [
    'Orders and costs',
    [
      ['Orders', 'orders', 'count'],
      ['Fills', 'fills', 'count'],
      ['Fees', of('feesInQuote'), 'amount'],
      ['P&L from price', of('profit.price'), 'money'],
      ['P&L from spread', of('profit.spread'), 'money'],
      ['P&L from fees', of('profit.fees'), 'money'],
      ['Turnover', of('turnover'), 'ratio'],
      ['Maker share', of('makerShare'), 'percent'],
      ['Fill ratio of limit orders', of('fillRatio'), 'percent'],
      ['Time to first fill', of('meanTimeToFirstFillMs'), 'duration'],
    ],
  ],
]

/** The same figures in the same order for every run. */
export const figureGroups = (report: RunReport, definitions: Definitions): readonly FigureGroup[] =>
  GROUPS.map(([title, specs]) => ({ title, figures: specs.map((spec) => reportFigure(report, spec, definitions)) }))

export function reportFigure(report: RunReport, spec: FigureSpec, definitions: Definitions): PageFigure {
  const figure = figureOf(spec, valueAt(report, spec[1]), {
    unit: report.quoteAsset,
    decimals: quoteDecimals(report),
    definitions,
  })
  if (!ANNUAL.has(spec[1].replace('statistics.', '')) || figure.text === NONE || !isTooShortForYear(runSpan(report)))
    return figure
  const definition = `${figure.definition} Not shown: the run is shorter than ${MIN_ANNUAL_DAYS} days.`.trim()
  return { ...figure, text: NONE, tone: 'plain', definition }
}

/** Statistics per year. */
export const ANNUAL: ReadonlySet<string> = new Set([
  ...['cagr', 'volatility', 'sharpe', 'sharpeInterval', 'sortino', 'calmar', 'alpha'],
])

/** @param path  names with points between; `length` of a list is the count of its items */
function valueAt(report: RunReport, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return name === 'length' ? value.length : value[Number(name)]
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }, report)
}
