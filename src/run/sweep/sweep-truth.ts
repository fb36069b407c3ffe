/**
 * Tests whether the best of a sweep may be luck: the required runs, and their results.
 *
 * Invariant: outcomes are released as soon as they are evaluated, so a sweep of a thousand points on a thousand tapes
 * never has a million of them in memory.
 */
import type { WalkForwardFold } from '../../sweep/selection/walk-forward.ts'
import { InputError } from '../../domain/errors.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { bestMonteCarlo, type MonteCarloReport } from '../../sweep/best-monte-carlo.ts'
import { crossValidation, type CrossValidationReport } from '../../sweep/cross-validation.ts'
import { nullReport, nullSeeds, nullTerms, type NullReport } from '../../sweep/null-tapes.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import { sampleTimes, samplingOf, type RunRange } from '../../sweep/point-returns.ts'
import { searchedPoints } from '../../sweep/point-search.ts'
import { rankedBy } from '../../sweep/ranking.ts'
import type { PointTerms, SweepRun } from '../../sweep/sweep-point.ts'
import { verdictOf } from '../../sweep/sweep-verdict.ts'
import type { CountedTrials, SweepVerdict } from '../../sweep/verdict-report.ts'
import {
  choiceOf,
  foldsOf,
  testRun,
  trainTerms,
  walkForwardReport,
  type TradedFold,
  type WalkForwardReport,
} from '../../sweep/walk-forward.ts'
import { spanningInfos, type InspectedMarkets } from '../../runtime/backtest/inspected-markets.ts'
import type { RunCounter } from './run-counter.ts'
import type { SweepPlan } from './sweep-plan.ts'

/** Results of the tests; null for those not requested. */
export interface SweepTruth {
  /** Null if no point has the objective. */
  readonly verdict: SweepVerdict | null
  readonly walkForward: WalkForwardReport | null
  readonly crossValidation: CrossValidationReport | null
  readonly nullTapes: NullReport | null
  readonly monteCarlo: MonteCarloReport | null
}

/** Known before the first run. */
export interface TruthSetup {
  /** Recorded time within the window of the sweep. */
  readonly range: RunRange
  /** Empty without a walk-forward. */
  readonly folds: readonly WalkForwardFold[]
  /** Asset in which runs are valued. */
  readonly quoteAsset: string
  /** Number of all runs, the points included. */
  readonly runs: number
}

/** @throws {InputError} for windows that are too long for the tapes */
export function truthSetupOf({ settings, truth, points }: SweepPlan, recordings: InspectedMarkets): TruthSetup {
  const infos = spanningInfos(recordings)
  const first = Math.min(...infos.map((info) => info.from))
  const last = Math.max(...infos.map((info) => info.to))
  const range = { from: Math.max(first, settings.from ?? first), to: Math.min(last, settings.to ?? last) }
  const { walkForward, crossValidation: validation, nullTapes, monteCarlo } = truth
  // The last window includes the last recorded moment.
  const end = settings.to !== null && settings.to <= last ? settings.to : last + 1
  const folds =
    walkForward === undefined
      ? []
      : foldsOf(setting('walkForward'), range, walkForward).map(({ train, test }) =>
          test.to < range.to ? { train, test } : { train, test: { ...test, to: end } },
        )
  if (validation !== undefined) {
    const periods = sampleTimes(range, samplingOf(settings).periodMs).length - 1
    if (periods < 2 * validation.groups) {
      const what = `${validation.groups} groups need two periods of ${settings.statsPeriod} each, but there are only ${periods}`
      throw new InputError(setting('kfold'), worded`${what}; use fewer groups, or a shorter ${setting('statsPeriod')}`)
    }
  }
  const more = folds.length * (points + 1) + nullTapes * points + (monteCarlo > 0 ? 1 : 0)
  const quoteAsset = infos[0]?.symbol.split('_').at(-1) ?? ''
  return { range, folds, quoteAsset, runs: points + more }
}

export interface TruthTools {
  /** Runs points without an outcome, and does not store the results. */
  readonly run: (runs: readonly SweepRun[]) => Promise<readonly PointOutcome[]>
  readonly counter: RunCounter
  /** Outcomes of all points, in order. */
  readonly outcomes: readonly PointOutcome[]
  /** Points with every objective, best first. */
  readonly ranked: readonly PointOutcome[]
  readonly trials: CountedTrials
}

/** @throws {AbortError} as `run` does */
export async function truthOf(plan: SweepPlan, setup: TruthSetup, tools: TruthTools): Promise<SweepTruth> {
  const { settings, truth, values, objectives } = plan
  const { outcomes, ranked, trials } = tools
  const sampling = samplingOf(settings, outcomes)
  const walkForward = await walkedForward(plan, setup, tools)
  const nullTapes = await nullsOf(plan, tools)
  const monteCarlo = await monteCarloOf(plan, setup, tools)
  const validation = truth.crossValidation
  const validated = validation === undefined ? null : crossValidation(outcomes, setup.range, validation, sampling)
  const tests = { walkForward, crossValidation: validated, nullTapes, monteCarlo }
  const isSearched = plan.search !== null
  return { verdict: verdictOf({ values, objectives, sampling, outcomes, ranked, trials, isSearched, tests }), ...tests }
}

async function walkedForward(
  plan: SweepPlan,
  { folds }: TruthSetup,
  tools: TruthTools,
): Promise<WalkForwardReport | null> {
  const { objectives, truth, settings } = plan
  const { run, counter } = tools
  const [objective] = objectives
  if (truth.walkForward === undefined || objective === undefined) return null
  const chosen: (PointOutcome | undefined)[] = []
  for (const fold of folds) chosen.push(choiceOf(await allPoints(plan, tools, trainTerms(fold)), objectives))
  const runs = folds.map((fold, index) => {
    const choice = chosen[index]
    return choice === undefined ? undefined : testRun(choice.params, fold)
  })
  const wanted = runs.filter((each) => each !== undefined)
  counter.leaveOut(runs.length - wanted.length)
  const tested = (await run(wanted)).values()
  const traded = folds.map((fold, index): TradedFold => {
    return { fold, chosen: chosen[index], tested: runs[index] === undefined ? undefined : tested.next().value }
  })
  return walkForwardReport(truth.walkForward, traded, objective, samplingOf(settings, tools.outcomes))
}

/**
 * Runs the points of a sweep with other terms: the whole grid, or the batches of a search, each chosen by the outcomes
 * so far.
 *
 * @param run  returns one outcome per run, in order; its errors propagate
 * @returns outcomes in grid order, or in the order of the trials
 */
export async function explored(
  { grid, search }: Pick<SweepPlan, 'grid' | 'search'>,
  run: (runs: readonly SweepRun[]) => Promise<readonly PointOutcome[]>,
  terms?: PointTerms,
): Promise<readonly PointOutcome[]> {
  const runOf = (params: SweepRun['params']): SweepRun => (terms === undefined ? { params } : { params, terms })
  if (search === null) return await run(grid.map(runOf))
  const points = searchedPoints(search)
  let step = points.next()
  while (step.done !== true) step = points.next(await run(step.value.map(runOf)))
  return step.value
}

/** Repeats the sweep with other terms; a search starts over. */
async function allPoints(
  plan: SweepPlan,
  { run, counter }: TruthTools,
  terms: PointTerms,
): Promise<readonly PointOutcome[]> {
  const outcomes = await explored(plan, run, terms)
  counter.leaveOut(plan.points - outcomes.length)
  return outcomes
}

async function nullsOf(plan: SweepPlan, tools: TruthTools): Promise<NullReport | null> {
  const { objectives, truth, settings } = plan
  const { ranked } = tools
  if (truth.nullTapes === 0) return null
  const bests: (readonly PointOutcome[])[] = []
  for (const seed of nullSeeds(settings.seed, truth.nullTapes)) {
    bests.push(rankedBy(await allPoints(plan, tools, nullTerms(seed)), objectives).slice(0, 1))
  }
  return nullReport(ranked[0], bests, objectives)
}

async function monteCarloOf(
  { truth, settings }: SweepPlan,
  { quoteAsset }: TruthSetup,
  { run, counter, ranked }: TruthTools,
): Promise<MonteCarloReport | null> {
  if (truth.monteCarlo === 0) return null
  const [best] = ranked
  if (best === undefined) {
    counter.leaveOut(1)
    return null
  }
  const [detailed = best] = await run([{ params: best.params, terms: { isDetailed: true } }])
  return bestMonteCarlo(detailed, quoteAsset, { rounds: truth.monteCarlo, seed: settings.seed })
}
