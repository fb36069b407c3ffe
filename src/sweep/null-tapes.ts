/**
 * The same sweep on shuffled tapes, which contain nothing to find: the distribution of the best result by chance.
 *
 * Invariant: the seeds of the tapes derive from the seed of the sweep only, so that more tapes leave the first ones
 * unchanged.
 */
import { seededRandom } from '../runtime/strategies/seeded-random.ts'
import type { Objective } from './objective.ts'
import type { PointOutcome } from './point-outcome.ts'
import { rankedBy } from './ranking.ts'
import type { PointTerms } from './sweep-point.ts'

/**
 * Share of the bests of chance that are as good as a best, itself counted among them: (k + 1) / (N + 1).
 *
 * @param best   the higher, the better
 * @param nulls  the best of the same search on each of N markets without anything to find
 * @returns in (0, 1]; null without any
 * @see Phipson and Smyth (2010), Permutation P-values Should Never Be Zero; Davison and Hinkley (1997), Bootstrap
 * Methods and their Application
 */
export function pValue(best: number, nulls: readonly number[]): number | null {
  if (nulls.length === 0) return null
  return (nulls.filter((value) => value >= best).length + 1) / (nulls.length + 1)
}

/** Result of the sweep on shuffled tapes, as plain JSON. */
export interface NullReport {
  /** Count of shuffled tapes. */
  readonly tapes: number
  /** First objective of the best point of each, in the order of their seeds; null if no point has a value. */
  readonly bests: readonly (number | null)[]
  /**
   * Share of the tapes, including the recorded one, whose best is at least as good; null if the recorded one has no
   * best.
   */
  readonly pValue: number | null
}

/** Distinct 32-bit integers. */
export function nullSeeds(seed: number, count: number): readonly number[] {
  const random = seededRandom(seed)
  const seeds = new Set<number>()
  while (seeds.size < count) seeds.add(Math.floor(random() * 2 ** 32) | 0)
  return [...seeds]
}

export const nullTerms = (seed: number): PointTerms => ({ shuffle: { seed } })

/**
 * @param best   of the recorded tape
 * @param tapes  outcomes of the points on each shuffled tape
 */
export function nullReport(
  best: PointOutcome | undefined,
  tapes: readonly (readonly PointOutcome[])[],
  objectives: readonly Objective[],
): NullReport {
  const [objective] = objectives
  const bests = tapes.map((outcomes) => rankedBy(outcomes, objectives)[0])
  const score = (outcome: PointOutcome | undefined): number | null =>
    outcome === undefined || objective === undefined ? null : objective.score(outcome)
  const reached = score(best)
  return {
    tapes: tapes.length,
    bests: bests.map((outcome) => (outcome === undefined ? null : (objective?.value(outcome) ?? null))),
    // A tape on which nothing could be chosen counts as one with nothing as good.
    pValue:
      reached === null
        ? null
        : pValue(
            reached,
            bests.map((outcome) => score(outcome) ?? -Infinity),
          ),
  }
}
