/**
 * Points of a sweep by their objectives: from the best to the worst, and those that no other point beats in every one.
 */
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'

interface Scored {
  readonly outcome: PointOutcome
  readonly scores: readonly number[]
}

/** Those that have every objective. */
const scored = (outcomes: readonly PointOutcome[], objectives: readonly Objective[]): readonly Scored[] =>
  outcomes.flatMap((outcome) => {
    const scores = objectives.flatMap(({ score }) => score(outcome) ?? [])
    return scores.length === objectives.length ? [{ outcome, scores }] : []
  })

/**
 * The best first: by the first objective, among equals by the next, among equals of all in the order of the grid. Points without an
 * objective are not there.
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

/**
 * The Pareto front: points of which no other is at least as good in every objective and better in one, in the order of the ranking. Of
 * points that are equal in all of them each is there.
 */
export function paretoFront(
  outcomes: readonly PointOutcome[],
  objectives: readonly Objective[],
): readonly PointOutcome[] {
  const ranked = scored(outcomes, objectives).toSorted((a, b) => compared(a.scores, b.scores))
  const front: Scored[] = []
  // Whoever beats a point comes before it, and whatever beats that one beats the point too.
  for (const point of ranked) if (!front.some((other) => beats(other.scores, point.scores))) front.push(point)
  return front.map(({ outcome }) => outcome)
}

const beats = (a: readonly number[], b: readonly number[]): boolean =>
  a.every((score, index) => score >= (b[index] ?? 0)) && a.some((score, index) => score > (b[index] ?? 0))
