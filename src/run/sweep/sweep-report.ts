/** A finished sweep as one JSON object: the content of `sweep.json`. */
import type { Objective } from '../../sweep/objective.ts'
import type { SweepIdentity } from '../../sweep/point-key.ts'
import type { PointOutcome } from '../../sweep/point-outcome.ts'
import type { SearchName } from '../../sweep/point-search.ts'
import { paretoFrontOf, rankedBy } from '../../sweep/ranking.ts'
import type { SweepPlan } from './sweep-plan.ts'
import type { MonteCarloReport } from '../../sweep/best-monte-carlo.ts'
import type { CrossValidationReport } from '../../sweep/cross-validation.ts'
import { robustnessOf, type RobustnessReport } from '../../sweep/robustness.ts'
import { isVaried } from '../../runtime/settings/varied-terms.ts'
import type { NullReport } from '../../sweep/null-tapes.ts'
import type { SweepVerdict } from '../../sweep/verdict-report.ts'
import type { WalkForwardReport } from '../../sweep/walk-forward.ts'

/** A point of the ranking. */
export interface RankedPoint {
  /** Key of the point in points.jsonl: a lower-case hex SHA-256. */
  readonly key: string
  /** Values of the swept parameters, as strings. */
  readonly params: Readonly<Record<string, string>>
  /** Digest that `backtest` gives for the same parameters. */
  readonly digest: string | null
  /** Values of the objectives, by name. */
  readonly objectives: Readonly<Record<string, number | null>>
}

/** Settings and results of a sweep, as plain JSON. Parts that were not requested are null. */
export interface SweepReport {
  /** False while the sweep runs, or after it was interrupted. */
  readonly isComplete: boolean
  /** Settings common to all points. A sweep resumes only with the same ones. */
  readonly identity: SweepIdentity
  /** Strategy as it was passed: a name or a path. */
  readonly strategy: string
  /** Tapes as they were passed. */
  readonly tapes: readonly string[]
  /** Swept values by parameter, as strings. */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** The condition; null for none. */
  readonly where: string | null
  /** Count of points in the random sample; null for all points. */
  readonly random: number | null
  /** Search method; null without a search. */
  readonly search: SearchName | null
  /** Count of points requested from the search; null without one. */
  readonly trials: number | null
  /** Names of the objectives, in order. */
  readonly objective: readonly string[]
  /** Count of points. */
  readonly points: number
  /** Count of points that failed. */
  readonly errors: number
  /** The best by the objectives; null if no point has a value for them. */
  readonly best: RankedPoint | null
  /** The Pareto front; with one objective, only the best. */
  readonly front: readonly RankedPoint[]
  /** Results by setting; absent if no setting varies. */
  readonly robustness?: RobustnessReport
  /** Verdict on the best; null if there is none. */
  readonly verdict: SweepVerdict | null
  /** Null if not requested. */
  readonly walkForward: WalkForwardReport | null
  /** Null if not requested. */
  readonly crossValidation: CrossValidationReport | null
  /** Results of the same sweep on shuffled tapes; null if not requested. */
  readonly nullTapes: NullReport | null
  /** Null if not requested, or if there is no best. */
  readonly monteCarlo: MonteCarloReport | null
}

/** Content of `sweep.json` while the sweep runs. */
export const reportAtStart = (plan: SweepPlan, identity: SweepIdentity): SweepReport => ({
  isComplete: false,
  identity,
  strategy: plan.settings.strategy === '' ? identity.strategy.name : plan.settings.strategy,
  tapes: plan.settings.tapes.map(({ file }) => file),
  params: Object.fromEntries(plan.values),
  where: plan.where,
  random: plan.random,
  search: plan.search?.name ?? null,
  trials: plan.search?.trials ?? null,
  objective: plan.objectives.map(({ name }) => name),
  points: plan.points,
  errors: 0,
  best: null,
  front: [],
  verdict: null,
  walkForward: null,
  crossValidation: null,
  nullTapes: null,
  monteCarlo: null,
})

/** @param outcomes  one a point, in their order */
export function reportAtEnd(
  plan: SweepPlan,
  identity: SweepIdentity,
  outcomes: readonly PointOutcome[],
): { readonly report: SweepReport; readonly ranked: readonly PointOutcome[] } {
  const { objectives } = plan
  const ranked = rankedBy(outcomes, objectives)
  const [best] = ranked
  const front = objectives.length === 1 ? ranked.slice(0, 1) : paretoFrontOf(outcomes, objectives)
  const report: SweepReport = {
    ...reportAtStart(plan, identity),
    isComplete: true,
    points: outcomes.length,
    errors: outcomes.filter(({ error }) => error !== null).length,
    best: best === undefined ? null : rankedPoint(best, objectives),
    front: front.map((outcome) => rankedPoint(outcome, objectives)),
    ...([...plan.values.keys()].some(isVaried) && { robustness: robustnessOf(plan.values, outcomes) }),
  }
  return { report, ranked }
}

const rankedPoint = (outcome: PointOutcome, objectives: readonly Objective[]): RankedPoint => ({
  key: outcome.key,
  params: outcome.params,
  digest: outcome.digest,
  objectives: Object.fromEntries(objectives.map(({ name, value }) => [name, value(outcome)])),
})
