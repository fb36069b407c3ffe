/** Ranks a sweep's points by their objectives, and finds the Pareto front. */
import { paretoFront } from './selection/pareto-front.ts'
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'

interface Scored {
  readonly outcome: PointOutcome
  readonly scores: readonly number[]
}

/** Points that have a value for every objective. */
const scored = (outcomes: readonly PointOutcome[], objectives: readonly Objective[]): readonly Scored[] =>
  outcomes.flatMap((outcome) => {
    const scores = objectives.flatMap(({ score }) => score(outcome) ?? [])
    return scores.length === objectives.length ? [{ outcome, scores }] : []
  })

/**
 * Best first: by the first objective, ties by the next, remaining ties in grid order. Points without a value are
 * excluded.
 */
export const rankedBy = (
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): readonly PointOutcome[] =>
  scored(outcomes, objectives)
    .toSorted((a, b) => compared(a.scores, b.scores))
    .map(({ outcome }) => outcome)

function compared(a: readonly number[], b: readonly number[]): number {
  for (const [index, score] of a.entries()) {
    const other = b[index] ?? 0
    if (score !== other) return other > score ? 1 : -1
  }
  return 0
}

/** Pareto front: points that no other point beats in every objective, in the order of the ranking. */
export function paretoFrontOf(
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): readonly PointOutcome[] {
  const scores = outcomes.map((outcome) => objectives.map(({ score }) => score(outcome)))
  const front = paretoFront(
    scores,
    objectives.map(() => 'maximize'),
  )
  const members = new Set(front.map((index) => outcomes[index]))
  return rankedBy(outcomes, objectives).filter((outcome) => members.has(outcome))
}
