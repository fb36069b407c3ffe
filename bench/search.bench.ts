/**
 * How many trials does a search take to the best of a grid?
 *
 * Medians of 60 seeds on 50 x 50 x 50 cells: a bowl, and one that is thirty times as steep along each next parameter.
 * Chance is at the best thousandth after 690, at the best ten-thousandth after 6 900. Budget: no more than a tenth of
 * that. Nothing here rests on time.
 * `npm run bench -- search`
 */
import type { PointOutcome } from '../src/sweep/point-outcome.ts'
import { givenObjective } from '../src/sweep/objective.ts'
import { SEARCH_NAMES, searchedPoints, type SearchName } from '../src/sweep/point-search.ts'

const STEPS = 50
const SEEDS = 60
const TRIALS = 3_000
const NAMES = ['a', 'b', 'c']
/** Deepest place of the bowl, between the cells. */
const DEEPEST = [31.3, 12.2, 22.7]
const VALUES = Array.from({ length: STEPS }, (_, step) => String(step))

type Surface = (place: readonly number[]) => number

const bowl =
  (steepness: readonly number[]): Surface =>
  (place) =>
    -place.reduce((sum, value, axis) => sum + (steepness[axis] ?? 1) * (value - (DEEPEST[axis] ?? 0)) ** 2, 0)

const objective = { ...givenObjective('surface', () => 0), score: ({ orders }: PointOutcome): number => orders }

/** Least value of the best share of the cells. */
function bestShare(surface: Surface, share: number): number {
  const scores: number[] = []
  for (let cell = 0; cell < STEPS ** 3; cell += 1) {
    scores.push(surface([cell % STEPS, Math.floor(cell / STEPS) % STEPS, Math.floor(cell / STEPS ** 2)]))
  }
  return scores.sort((a, b) => b - a)[Math.floor(scores.length * share) - 1] ?? 0
}

/** The score of an outcome is its count of orders. */
const outcomeOf = (params: Readonly<Record<string, string>>, orders: number): PointOutcome => ({
  ...{ key: '', params, digest: null, statistics: null, initialEquity: null, finalEquity: null },
  ...{ periods: null, orders, error: null },
})

function trialsTo(name: SearchName, seed: number, surface: Surface, target: number): number {
  const params = new Map(NAMES.map((each) => [each, VALUES]))
  const points = searchedPoints({ name, trials: TRIALS, params, isWanted: undefined, seed, objective })
  let trials = 0
  let step = points.next()
  while (step.done !== true) {
    const outcomes: PointOutcome[] = []
    for (const each of step.value) {
      trials += 1
      const score = surface(NAMES.map((axis) => Number(each[axis])))
      if (score >= target) return trials
      outcomes.push(outcomeOf(each, score))
    }
    step = points.next(outcomes)
  }
  return TRIALS
}

for (const [what, steepness, share] of [
  ['a bowl, the best thousandth', [1, 1, 1], 1e-3],
  ['a bowl, the best ten-thousandth', [1, 1, 1], 1e-4],
  ['a steep one, the best ten-thousandth', [1, 30, 900], 1e-4],
] as const) {
  const surface = bowl(steepness)
  const target = bestShare(surface, share)
  const reported = SEARCH_NAMES.map((name) => {
    const trials = Array.from({ length: SEEDS }, (_, seed) => trialsTo(name, seed + 1, surface, target))
    return `${name} ${trials.sort((a, b) => a - b)[SEEDS >> 1] ?? 0}`
  })
  console.log(`${what}: ${reported.join(', ')}`)
}
