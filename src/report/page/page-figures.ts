/**
 * All figures of a run in groups, in the order of `docs/statistics.md`.
 */
import type { RunReport } from '../run/run-report.ts'
import { figureOf, type Definitions, type FigureSpec } from './figure-forms.ts'
import type { FigureGroup, PageFigure } from './page-data.ts'

const of = (path: string): string => `statistics.${path}`

const GROUPS: readonly (readonly [title: string, specs: readonly FigureSpec[]])[] = [
  [
    'The whole run',
    [
      ['Return', of('return'), 'change'],
      ['Buying and holding', of('buyAndHoldReturn'), 'change'],
      ['Initial equity', 'initialEquity', 'amount'],
      ['Final equity', 'finalEquity', 'amount'],
      ['Max drawdown', of('maxDrawdown'), 'percent'],
      ['Its peak', of('maxDrawdownFrom'), 'time'],
      ['Its trough', of('maxDrawdownTo'), 'time'],
      ['Recovered', of('maxDrawdownRecoveredAt'), 'time'],
      ['Exposure', of('exposure'), 'percent'],
    ],
  ],
  [
    'Returns',
    [
      ['Periods with trades', of('periods'), 'count'],
      ['Such periods a year', of('periodsPerYear'), 'ratio'],
      ['Return a year', of('cagr'), 'change'],
      ['Volatility a year', of('volatility'), 'percent'],
      ['Sharpe ratio', of('sharpe'), 'ratio'],
      ['95 % of Sharpe', of('sharpeInterval'), 'ratios'],
      ['95 % of the mean', of('meanReturnInterval'), 'changes'],
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
      ['Periods that gained', of('positiveReturns'), 'percent'],
      ['Tail ratio', of('tailRatio'), 'ratio'],
      ['Beta', of('beta'), 'ratio'],
      ['Alpha a year', of('alpha'), 'change'],
      ['Correlation', of('correlation'), 'ratio'],
    ],
  ],
  [
    'Round trips',
    [
      ['Closed', of('roundTrips'), 'count'],
      ['Still open', of('openTrips.length'), 'count'],
      ['Won', of('winRate'), 'percent'],
      ['Profit factor', of('profitFactor'), 'ratio'],
      ['Payoff', of('payoff'), 'ratio'],
      ['Expectancy', of('expectancy'), 'money'],
      ['Mean return', of('meanTripReturn'), 'change'],
      ['Best', of('bestTripReturn'), 'change'],
      ['Worst', of('worstTripReturn'), 'change'],
      ['SQN', of('sqn'), 'ratio'],
      ['Kelly', of('kelly'), 'percent'],
      ['Mean length', of('meanTripMs'), 'duration'],
      ['Longest', of('longestTripMs'), 'duration'],
      ['Most won in a row', of('winStreak'), 'count'],
      ['Most lost in a row', of('lossStreak'), 'count'],
      ['Mean move against', of('mae'), 'percent'],
      ['Mean move in favour', of('mfe'), 'percent'],
    ],
  ],
  [
    'Orders and costs',
    [
      ['Orders', 'orders', 'count'],
      ['Fills', 'fills', 'count'],
      ['Fees', of('feesInQuote'), 'amount'],
      ['Profit by price', of('profit.price'), 'money'],
      ['Profit by spread', of('profit.spread'), 'money'],
      ['Profit by fees', of('profit.fees'), 'money'],
      ['Turnover', of('turnover'), 'ratio'],
      ['Made, of the traded', of('makerShare'), 'percent'],
      ['Filled, of limit orders', of('fillRatio'), 'percent'],
      ['Time to the first fill', of('meanTimeToFirstFillMs'), 'duration'],
    ],
  ],
]

/** Of every run the same figures in the same order. */
export const figureGroups = (report: RunReport, definitions: Definitions): readonly FigureGroup[] =>
  GROUPS.map(([title, specs]) => ({ title, figures: specs.map((spec) => reportFigure(report, spec, definitions)) }))

export const reportFigure = (report: RunReport, spec: FigureSpec, definitions: Definitions): PageFigure =>
  figureOf(spec, valueAt(report, spec[1]), { unit: report.quoteAsset, definitions })

/** @param path  names with points between; `length` of a list is the count of its items */
function valueAt(report: RunReport, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value)) return name === 'length' ? value.length : value[Number(name)]
    return typeof value === 'object' && value !== null ? (value as Record<string, unknown>)[name] : undefined
  }, report)
}
