/**
 * A sweep that no one ran, of any size: its points lie on a hill, with some noise, some errors and some that never
 * traded.
 */
import type { MonteCarlo } from '../../../../../src/sweep/selection/monte-carlo.ts'
import { DAY_MS } from '../../../../../src/domain/time.ts'
import type { MonteCarloReport } from '../../../../../src/sweep/best-monte-carlo.ts'
import type { CrossValidationReport } from '../../../../../src/sweep/cross-validation.ts'
import type { NullReport } from '../../../../../src/sweep/null-tapes.ts'
import type { PointOutcome } from '../../../../../src/sweep/point-outcome.ts'
import { statisticObjective } from '../../../../../src/sweep/objective.ts'
import { paretoFrontOf, rankedBy } from '../../../../../src/sweep/ranking.ts'
import type { SweptVerdict, SweptWalkForward } from '../../../../../src/report/page/sweep/sweep-truth.ts'
import type { SweepFacts } from '../../../../../src/report/page/sweep/sweep-page.ts'
import { REPORT } from '../../../rig/some-report.ts'

const FROM = Date.UTC(2024, 0, 1)
const DAYS = 30

export interface MadeUp {
  /** Values by parameter: how many of each. */
  readonly steps: Readonly<Record<string, number>>
  readonly objectives?: readonly string[]
}

export function madeUpSweep({ steps, objectives: named = ['sharpe'] }: MadeUp): SweepFacts {
  const params = Object.fromEntries(
    Object.entries(steps).map(([name, count]) => [
      name,
      Array.from({ length: count }, (_, step) => String(5 + 5 * step)),
    ]),
  )
  const outcomes = combinations(params).map(outcomeOf)
  const objectives = named.map((name) => statisticObjective('objective', name))
  const ranked = rankedBy(outcomes, objectives)
  return {
    strategy: 'sma-cross',
    symbols: ['BTC_USD'],
    params,
    objectives,
    outcomes,
    ranked,
    front: paretoFrontOf(outcomes, objectives),
    times: { from: FROM, to: FROM + DAYS * DAY_MS, periodMs: DAY_MS },
    facts: [`${outcomes.length} points.`],
    truth: null,
    walkForward: null,
    nullTapes: null,
    crossValidation: null,
    monteCarlo: null,
    report: { isComplete: true, strategy: 'sma-cross', '</script>': '<!-- not markup' },
  }
}

const MADE = {
  return: 0.012,
  maxDrawdown: 0.04,
  sharpe: 0.4,
  inSample: 1.5,
  outOfSample: 0.1,
  efficiency: 0.06,
  lossShare: 0.5,
}

/** As `sweep.json` has it. */
export const MADE_UP_TRUTH: SweptVerdict = {
  text: [
    'There is no evidence that the best result is more than luck.',
    'In 1 240 trials, luck alone would reach 1.9.',
  ],
  finding: 'not shown',
  trials: 1_240,
  effectiveTrials: 812.5,
  luckSharpe: 1.9,
  probabilisticSharpe: 0.99,
  deflatedSharpe: 0.7123456789,
  minimumTrackRecord: 400.5,
  minimumBacktestYears: 2.5,
  pbo: 0.45,
  medianLogit: 0.1,
  degradation: -0.2,
  lossProbability: 0.4,
  blocks: 16,
  pValue: null,
}

/** Ten days to choose on, five to test, again and again. */
export function madeUpWalkForward({ params }: SweepFacts): SweptWalkForward {
  const chosen = Object.fromEntries(Object.entries(params).map(([name, values]) => [name, values.at(-1) ?? '']))
  const windows = Array.from({ length: 4 }, (_, index) => ({
    trainFrom: FROM + 5 * index * DAY_MS,
    trainTo: FROM + (10 + 5 * index) * DAY_MS,
    testFrom: FROM + (10 + 5 * index) * DAY_MS,
    testTo: FROM + (15 + 5 * index) * DAY_MS,
    params: index === 2 ? null : chosen,
    inSample: index === 2 ? null : 1.5,
    outOfSample: index === 2 ? null : 0.2 - index / 10,
  }))
  const times = Array.from({ length: 21 }, (_, day) => FROM + (10 + day) * DAY_MS)
  return { ...MADE, windows, equity: { times, values: times.map((_, day) => 1 + Math.sin(day) / 50) } }
}

/** Found on shuffled tapes: each a little better than the one before, every tenth nothing. */
export function madeUpNullTapes({ objectives, ranked }: SweepFacts, tapes: number): NullReport {
  const [objective] = objectives
  const [best] = ranked
  const recorded = best === undefined ? null : (objective?.value(best) ?? null)
  const bests = Array.from({ length: tapes }, (_, tape) =>
    tape % 10 === 9 ? null : (recorded ?? 1) * (0.3 + (0.8 * ((tape * 7) % tapes)) / tapes),
  )
  // Less is better where the score has another sign.
  const direction = best === undefined || objective?.score(best) === recorded ? 1 : -1
  const like = bests.filter((value) => value !== null && direction * (value - (recorded ?? 0)) >= 0).length
  return { tapes, bests, pValue: recorded === null ? null : (like + 1) / (tapes + 1) }
}

/** One path has no Sharpe ratio, two of five lose. */
export function madeUpCrossValidation({ params }: SweepFacts): CrossValidationReport {
  const chosen = Object.fromEntries(Object.entries(params).map(([name, values]) => [name, values[0] ?? '']))
  const paths = [
    { sharpe: 1.25, return: 0.04 },
    { sharpe: -0.5, return: -0.02 },
    { sharpe: null, return: 0 },
    { sharpe: 0.75, return: 0.03 },
    { sharpe: -0.25, return: -0.01 },
  ]
  return {
    groups: 6,
    testGroups: 2,
    embargoMs: 3_600_000,
    folds: 15,
    paths,
    medianSharpe: 0.25,
    worstSharpe: -0.5,
    lossShare: 0.4,
    chosen: Array.from({ length: 12 }, (_, index) => ({ params: chosen, folds: 12 - index })),
  }
}

export const MADE_UP_MONTE_CARLO: MonteCarloReport = {
  rounds: 1_000,
  trips: roundsAround(250, 400),
  tripOrder: roundsAround(250, 0),
  equity: roundsAround(0.05, 0.08),
}

function roundsAround(middle: number, width: number): MonteCarlo {
  const spread = (center: number, size: number) => ({
    low: center - 2 * size,
    lowerQuarter: center - size,
    median: center,
    upperQuarter: center + size,
    high: center + 2 * size,
  })
  return {
    rounds: 1_000,
    final: spread(middle, width),
    maxDrawdown: spread(middle, middle / 4),
    lossShare: 0.125,
    actual: { final: middle * 1.1, maxDrawdown: middle * 0.9 },
  }
}

function combinations(params: Readonly<Record<string, readonly string[]>>): Readonly<Record<string, string>>[] {
  return Object.entries(params).reduce<Readonly<Record<string, string>>[]>(
    (found, [name, values]) => found.flatMap((before) => values.map((value) => ({ ...before, [name]: value }))),
    [{}],
  )
}

function outcomeOf(params: Readonly<Record<string, string>>, index: number): PointOutcome {
  const key = index.toString(16).padStart(64, '0')
  if (index % 97 === 13) {
    const nothing = { digest: null, statistics: null, initialEquity: null, finalEquity: null, periods: null }
    return { key, params, ...nothing, orders: 0, error: 'params.fast: expected less than slow <b>' }
  }
  const noise = Math.sin(index * 12.9898) * 0.5
  const hill = Object.values(params).reduce(
    (total, value, axis) => total - ((Number(value) - 20 - 10 * axis) / 40) ** 2,
    1.8,
  )
  const isIdle = index % 41 === 7
  const sharpe = isIdle ? null : hill + noise
  const made = isIdle ? 0 : (hill + noise / 3) / 50
  const statistics = {
    ...REPORT.statistics,
    sharpe,
    return: made,
    maxDrawdown: isIdle ? 0 : 0.05 + Math.abs(noise) / 5 + (index % 7) / 1000,
    roundTrips: isIdle ? 0 : 20 + (index % 50),
    winRate: isIdle ? null : 0.4 + noise / 10,
    profitFactor: isIdle ? null : 1 + made * 3,
    turnover: (index % 13) / 3,
    exposure: 0.3 + noise / 5,
  }
  const periods = Array.from({ length: DAYS + 1 }, (_, day) =>
    (10_000 * (1 + (made * day) / DAYS + (isIdle ? 0 : Math.sin(day + index) / 200) * (day === 0 ? 0 : 1))).toFixed(2),
  )
  const digest = (index * 7919).toString(16).padStart(64, '0')
  return {
    key,
    params,
    digest,
    statistics,
    initialEquity: '10000',
    finalEquity: periods.at(-1) ?? null,
    orders: 40,
    error: null,
    periods,
  }
}
