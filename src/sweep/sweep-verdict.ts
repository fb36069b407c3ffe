/**
 * Verdict on the best point of a sweep: tests for luck and overfitting, and a comparison with its neighbours.
 *
 * Invariant: deterministic; an unknown figure is null, and the verdict says so.
 */
import { neighbourhood } from './selection/neighbourhood.ts'
import { Overfitting, type OverfittingStatistics } from './selection/overfitting.ts'
import { selectionStatistics } from './selection/selection-statistics.ts'
import { TrialCorrelation } from './selection/trial-correlation.ts'
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'
import { excessOf, returnsOf, type Sampling } from './point-returns.ts'
import { type RequestedTests, testResults, type TestResults } from './requested-tests.ts'
import {
  MAX_OVERFITTING,
  MIN_DEFLATED_SHARPE,
  type BestNeighbours,
  type CountedTrials,
  type SweepVerdict,
} from './verdict-report.ts'
import { verdictText } from './verdict-words.ts'

export interface VerdictInputs {
  /** Swept values by parameter. */
  readonly values: ReadonlyMap<string, readonly string[]>
  readonly objectives: readonly Objective[]
  readonly sampling: Sampling
  /** Outcomes in grid order. */
  readonly outcomes: readonly PointOutcome[]
  /** Outcomes with a value for every objective, best first. */
  readonly ranked: readonly PointOutcome[]
  readonly trials: CountedTrials
  /** True if earlier outcomes determined each point. */
  readonly isSearched: boolean
  /** The tests that were requested; the others are null. */
  readonly tests: RequestedTests
}

/** @returns null if no point has a value for the objective: there is no best */
export function verdictOf(inputs: VerdictInputs): SweepVerdict | null {
  const { sampling, outcomes, ranked, trials, tests } = inputs
  const [best] = ranked
  if (best === undefined) return null
  const excess = excessOf(returnsOf(best) ?? [], sampling)
  const { correlation, overfitting } = pairsOf(outcomes, sampling, excess.length)
  const selection = selectionStatistics({
    best: excess,
    periodsPerYear: sampling.periodsPerYear,
    trials: Math.max(1, trials.sharpes.length),
    sharpes: trials.sharpes,
    correlation,
  })
  const results = testResults(tests)
  const verdict = {
    finding: weakest(findingOf(selection.deflatedSharpe, overfitting.pbo, outcomes.length), results),
    sharpe: best.statistics?.sharpe ?? null,
    correlation,
    ...selection,
    ...overfitting,
    trialsFrom: trials.source,
    neighbours: neighboursOf(inputs, best),
    pValue: tests.nullTapes?.pValue ?? null,
    nullTapes: tests.nullTapes?.tapes ?? 0,
  }
  const objective = inputs.objectives[0]?.name ?? ''
  return {
    text: verdictText(verdict, { objective, returns: excess.length, isSearched: inputs.isSearched, results }),
    ...verdict,
  }
}

/** A single point was not chosen among several, so the choice cannot overfit. */
function findingOf(deflated: number | null, pbo: number | null, points: number): SweepVerdict['finding'] {
  if (deflated === null || (pbo === null && points > 1)) return 'unknown'
  return deflated >= MIN_DEFLATED_SHARPE && (pbo ?? 0) < MAX_OVERFITTING ? 'likely real' : 'not shown'
}

/** A single failed test is enough against the best; a test without a result leaves it open. */
function weakest(finding: SweepVerdict['finding'], { failed, unknown }: TestResults): SweepVerdict['finding'] {
  if (finding === 'not shown' || failed.length > 0) return 'not shown'
  return unknown.length > 0 ? 'unknown' : finding
}

interface Pairs {
  readonly correlation: number | null
  readonly overfitting: OverfittingStatistics
}

/** Pairs of all points with as many returns as the best. */
function pairsOf(outcomes: readonly PointOutcome[], sampling: Sampling, periods: number): Pairs {
  const correlation = new TrialCorrelation(periods)
  const overfitting = new Overfitting(periods)
  for (const outcome of outcomes) {
    const returns = returnsOf(outcome)
    if (returns?.length !== periods || periods === 0) continue
    const excess = excessOf(returns, sampling)
    correlation.add(excess)
    overfitting.add(excess)
  }
  return { correlation: correlation.mean, overfitting: overfitting.statistics() }
}

function neighboursOf({ values, objectives, outcomes }: VerdictInputs, best: PointOutcome): BestNeighbours | null {
  const [objective] = objectives
  if (objective === undefined || values.size === 0) return null
  const axes = [...values].map(([name, texts]) => ({ name, ...axisOf(texts) }))
  const points = outcomes.map((outcome) => ({
    place: axes.map(({ name, steps }) => steps.get(outcome.params[name] ?? '') ?? 0),
    value: objective.score(outcome),
  }))
  const found = neighbourhood(
    points,
    axes.map(({ isOrdered }) => isOrdered),
    outcomes.indexOf(best),
  )
  return {
    count: found.neighbours.length,
    drop: found.drop,
    shape: found.shape,
    edges: found.edges.flatMap((axis) => axes[axis]?.name ?? []),
  }
}

interface Axis {
  readonly isOrdered: boolean
  /** Position by value, from 0. */
  readonly steps: ReadonlyMap<string, number>
}

/** Numbers ascending, in whatever order they were given; texts have no order. */
function axisOf(texts: readonly string[]): Axis {
  const isOrdered = texts.every((text) => text.trim() !== '' && Number.isFinite(Number(text)))
  const order = isOrdered ? texts.toSorted((a, b) => Number(a) - Number(b)) : texts
  return { isOrdered, steps: new Map(order.map((text, step) => [text, step])) }
}
