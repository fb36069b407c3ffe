/**
 * The statistics that a sweep is looked at by, as columns of its page: objectives first, then what every trader asks.
 */
import type { PointOutcome } from '../../../sweep/point-outcome.ts'
import { statisticObjective, type Objective } from '../../../sweep/objective.ts'
import type { SweptFigure } from './sweep-page-data.ts'

interface Known {
  readonly label: string
  readonly form: SweptFigure['form']
  readonly definition: string
}

/** Additional figures, in this order. */
const ASKED = ['return', 'sharpe', 'maxDrawdown', 'roundTrips', 'winRate', 'profitFactor', 'turnover', 'exposure']

/** Labels and definitions for the common statistics. */
const KNOWN: Readonly<Record<string, Known>> = {
  return: { label: 'Return', form: 'share', definition: 'Final divided by initial equity, minus 1.' },
  sharpe: {
    label: 'Sharpe ratio',
    form: 'ratio',
    definition: 'Mean excess return divided by its standard deviation, annualized.',
  },
  maxDrawdown: {
    label: 'Largest drawdown',
    form: 'share',
    definition: 'Largest fall of the equity from a peak, as a share of the peak.',
  },
  roundTrips: {
    label: 'Round trips',
    form: 'count',
    definition: 'Closed round trips, from flat to flat in one market.',
  },
  winRate: { label: 'Win rate', form: 'share', definition: 'Share of the round trips with a profit.' },
  profitFactor: {
    label: 'Profit factor',
    form: 'ratio',
    definition: 'Profits of winning round trips divided by losses of losing ones.',
  },
  turnover: {
    label: 'Turnover',
    form: 'ratio',
    definition: 'Amount traded in the quote asset, divided by the mean equity.',
  },
  exposure: { label: 'Exposure', form: 'share', definition: 'Share of the time with a position.' },
}

const SHARES = new Set([
  ...['buyAndHoldReturn', 'cagr', 'volatility', 'averageDrawdown', 'timeUnderWater', 'ulcerIndex', 'valueAtRisk'],
  ...['expectedShortfall', 'bestReturn', 'worstReturn', 'positiveReturns', 'alpha', 'meanTripReturn', 'bestTripReturn'],
  ...['worstTripReturn', 'kelly', 'mae', 'mfe', 'makerShare', 'fillRatio'],
])
const COUNTS = new Set(['winStreak', 'lossStreak'])

/** @param objectives  the objectives of the sweep, the first one ranks the points */
export function sweptFigures(
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): readonly SweptFigure[] {
  const named = objectives.map(({ name }) => statisticOf(name))
  const others = ASKED.filter((name) => !named.includes(name)).map((name) => statisticObjective('statistic', name))
  return [...objectives, ...others].map((objective) => figureOf(outcomes, objective))
}

/** A minus before it says that the other direction is better. */
const statisticOf = (name: string): string => name.replace(/^-/, '')

function figureOf(outcomes: readonly PointOutcome[], { name, value, score }: Objective): SweptFigure {
  const statistic = statisticOf(name)
  const known = KNOWN[statistic] ?? { label: statistic, form: formOf(statistic), definition: '' }
  // Zero has no sign to compare.
  const reporting = outcomes.find((outcome) => (value(outcome) ?? 0) !== 0)
  const isHigher = reporting === undefined || value(reporting) === score(reporting)
  return { name: statistic, ...known, better: isHigher ? 'higher' : 'lower', column: outcomes.map(value) }
}

function formOf(name: string): SweptFigure['form'] {
  if (SHARES.has(name)) return 'share'
  if (COUNTS.has(name)) return 'count'
  return name.endsWith('Ms') ? 'milliseconds' : 'ratio'
}
