/**
 * A finished sweep as one JSON object: the content of `sweep.json`.
 */
import type { Objective } from '../../runtime/sweep/objective.ts'
import type { SweepIdentity } from '../../runtime/sweep/point-key.ts'
import type { PointOutcome } from '../../runtime/sweep/point-outcome.ts'
import type { SearchName } from '../../runtime/sweep/point-search.ts'
import { paretoFrontOf, rankedBy } from '../../runtime/sweep/ranking.ts'
import type { SweepPlan } from './sweep-plan.ts'
import type { MonteCarloReport } from '../../runtime/sweep/best-monte-carlo.ts'
import type { CrossValidationReport } from '../../runtime/sweep/cross-validation.ts'
import type { NullReport } from '../../runtime/sweep/null-tapes.ts'
import type { SweepVerdict } from '../../runtime/sweep/verdict-report.ts'
import type { WalkForwardReport } from '../../runtime/sweep/walk-forward.ts'

/** A point of the ranking. */
export interface RankedPoint {
  /** Lower-case hex SHA-256 that its line in points.jsonl has too. */
  readonly key: string
  /** Of the swept parameters, as texts. */
  readonly params: Readonly<Record<string, string>>
  /** As `backtest` gives it for the same parameters. */
  readonly digest: string | null
  /** The objectives by their names, as they are. */
  readonly objectives: Readonly<Record<string, number | null>>
}

/** Plain JSON: what was swept, and what came of it. The parts that nobody asked for are null. */
export interface SweepReport {
  /** False while it runs, or after it was broken off. */
  readonly isComplete: boolean
  /** What all points have in common, by which the same sweep goes on. */
  readonly identity: SweepIdentity
  /** As it was named. */
  readonly strategy: string
  /** As they were named. */
  readonly tapes: readonly string[]
  /** Values that were tried, by parameter, as texts. */
  readonly params: Readonly<Record<string, readonly string[]>>
  /** The condition; null for none. */
  readonly where: string | null
  /** Count of points that were drawn of the grid; null for all. */
  readonly random: number | null
  /** The search by which points were chosen; null where all were known from the beginning. */
  readonly search: SearchName | null
  /** Count of points that were asked of the search; null without one. */
  readonly trials: number | null
  /** Names of the objectives, the first first. */
  readonly objective: readonly string[]
  /** Count of points. */
  readonly points: number
  /** Count of those that ended with an error. */
  readonly errors: number
  /** The best by the objectives; null where no point has them. */
  readonly best: RankedPoint | null
  /** The points that none other beats in every objective; of one objective the best alone. */
  readonly front: readonly RankedPoint[]
  /** What the best is worth; null where there is none. */
  readonly verdict: SweepVerdict | null
  /** Null where none was asked for. */
  readonly walkForward: WalkForwardReport | null
  /** Null where none was asked for. */
  readonly crossValidation: CrossValidationReport | null
  /** The same sweep on shuffled tapes. */
  readonly nullTapes: NullReport | null
  /** Null where none was asked for, or there is no best. */
  readonly monteCarlo: MonteCarloReport | null
}

/** What `sweep.json` says while the sweep runs. */
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
  }
  return { report, ranked }
}

const rankedPoint = (outcome: PointOutcome, objectives: readonly Objective[]): RankedPoint => ({
  key: outcome.key,
  params: outcome.params,
  digest: outcome.digest,
  objectives: Object.fromEntries(objectives.map(({ name, value }) => [name, value(outcome)])),
})
