/** The objectives of a sweep: statistics that rank its points, each with the direction that is better. */
import type { Statistics } from '../analysis/statistics.ts'
import { InputError, type Place } from '../domain/errors.ts'
import { nearestNameHint } from '../domain/nearest-name.ts'
import type { PointOutcome } from './point-outcome.ts'

/** Statistics that are a single number. */
type NumberName = {
  [Name in keyof Statistics]: Statistics[Name] extends number | null ? Name : never
}[keyof Statistics]

/** 1 if more is better, -1 if less is; for a neutral statistic, such as a share of time, more counts as better. */
const DIRECTIONS: Readonly<Record<NumberName, 1 | -1>> = {
  return: 1,
  buyAndHoldReturn: 1,
  maxDrawdown: -1,
  maxDrawdownFrom: 1,
  maxDrawdownTo: 1,
  maxDrawdownRecoveredAt: -1,
  exposure: -1,
  periods: 1,
  periodsPerYear: 1,
  cagr: 1,
  volatility: -1,
  sharpe: 1,
  sortino: 1,
  calmar: 1,
  omega: 1,
  gainToPain: 1,
  averageDrawdown: -1,
  longestDrawdownMs: -1,
  timeUnderWater: -1,
  ulcerIndex: -1,
  valueAtRisk: -1,
  expectedShortfall: -1,
  skew: 1,
  kurtosis: -1,
  bestReturn: 1,
  worstReturn: 1,
  positiveReturns: 1,
  tailRatio: 1,
  beta: -1,
  alpha: 1,
  correlation: -1,
  roundTrips: 1,
  winRate: 1,
  profitFactor: 1,
  payoff: 1,
  expectancy: 1,
  meanTripReturn: 1,
  bestTripReturn: 1,
  worstTripReturn: 1,
  sqn: 1,
  kelly: 1,
  meanTripMs: -1,
  longestTripMs: -1,
  winStreak: 1,
  lossStreak: -1,
  mae: -1,
  mfe: 1,
  turnover: -1,
  makerShare: 1,
  fillRatio: 1,
  meanTimeToFirstFillMs: -1,
}

/** Names accepted by `--objective`. */
export const OBJECTIVE_NAMES: readonly string[] = Object.keys(DIRECTIONS)

/** One way to rank points. */
export interface Objective {
  /** Given name: `sharpe`, `-return`, or a file. */
  readonly name: string
  /** Higher is better, whatever the statistic; null for a point that cannot be ranked. */
  readonly score: (outcome: PointOutcome) => number | null
  /** The number to display. */
  readonly value: (outcome: PointOutcome) => number | null
}

/** True for a name that denotes a path. */
export const isObjectiveFile = (name: string): boolean => /[\\/]|\.[cm]?[jt]s$/.test(name)

/**
 * @param name  of a statistic; a leading minus reverses the direction
 * @throws {InputError} for an unknown one
 */
export function statisticObjective(place: Place, name: string): Objective {
  const isReversed = name.startsWith('-')
  const statistic = isReversed ? name.slice(1) : name
  if (!isNumberName(statistic)) {
    const hint = nearestNameHint(statistic, OBJECTIVE_NAMES) || '; docs/statistics.md lists them'
    throw new InputError(place, `no statistic '${statistic}'${hint}`)
  }
  const direction = DIRECTIONS[statistic] * (isReversed ? -1 : 1)
  const value = ({ statistics }: PointOutcome): number | null => statistics?.[statistic] ?? null
  return {
    name,
    value,
    score: (outcome) => {
      const found = value(outcome)
      return found === null ? null : found * direction
    },
  }
}

const isNumberName = (name: string): name is NumberName => Object.hasOwn(DIRECTIONS, name)

/**
 * A custom objective.
 * @param score  of the statistics of a completed point, and of its parameters; higher is better
 */
export function givenObjective(
  name: string,
  score: (statistics: Statistics, params: Readonly<Record<string, string>>) => unknown,
): Objective {
  const scoreOf = ({ statistics, params }: PointOutcome): number | null => {
    if (statistics === null) return null
    const found = score(statistics, params)
    if (found === null || (typeof found === 'number' && Number.isFinite(found))) return found
    throw new InputError(
      name,
      `expected a finite number or null, got ${typeof found === 'number' ? found : typeof found}`,
    )
  }
  return { name, score: scoreOf, value: scoreOf }
}
