/**
 * Searches among the combinations of a sweep, on surfaces whose best is known.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridOf, type Params } from '../../src/sweep/grid.ts'
import { givenObjective } from '../../src/sweep/objective.ts'
import type { PointOutcome } from '../../src/sweep/point-outcome.ts'
import { SEARCH_NAMES, searchedPoints, type PointSearch } from '../../src/sweep/point-search.ts'
import { seededRandom } from '../../src/runtime/strategies/seeded-random.ts'
import { needed, runs } from '../property/property.ts'

type Surface = (params: Params) => number | null

const steps = (count: number): readonly string[] => Array.from({ length: count }, (_, step) => String(step))

/** The score of an outcome is its count of orders; one without is an error. */
const outcomeOf = (params: Params, score: number | null): PointOutcome => ({
  key: JSON.stringify(params),
  params,
  digest: null,
  statistics: null,
  initialEquity: null,
  finalEquity: null,
  periods: null,
  orders: score ?? 0,
  error: score === null ? 'none' : null,
})
const objective = {
  ...givenObjective('surface', () => 0),
  score: ({ orders, error }: PointOutcome): number | null => (error === null ? orders : null),
}

/** The points that are run, in their order, batch by batch. */
function trialsOf(search: Omit<PointSearch, 'objective'>, surface: Surface): readonly (readonly Params[])[] {
  const points = searchedPoints({ ...search, objective })
  const batches: (readonly Params[])[] = []
  let step = points.next()
  while (step.done !== true) {
    batches.push(step.value)
    step = points.next(step.value.map((params) => outcomeOf(params, surface(params))))
  }
  expect(step.value.map(({ params }) => params)).toEqual(batches.flat())
  return batches
}

const flat = (search: Omit<PointSearch, 'objective'>, surface: Surface): readonly Params[] =>
  trialsOf(search, surface).flat()

const at = (params: Params, name: string): number => Number(params[name])

/** Highest at a = 37, b = 12, c = 8, falling by the square of the distance. */
const hill: Surface = (params) =>
  -((at(params, 'a') - 37) ** 2) - 4 * (at(params, 'b') - 12) ** 2 - 9 * (at(params, 'c') - 8) ** 2
/** Along a = 2 b, where both have to move together. */
const ridge: Surface = (params) =>
  -((at(params, 'a') - 2 * at(params, 'b')) ** 2) * 9 - (at(params, 'b') - 14) ** 2 - (at(params, 'c') - 8) ** 2
const CUBE = new Map([
  ['a', steps(50)],
  ['b', steps(25)],
  ['c', steps(16)],
])

const searches = fc.record({
  params: fc
    .array(fc.integer({ min: 1, max: 6 }), { minLength: 1, maxLength: 4 })
    .map((counts) => new Map(counts.map((count, axis) => [`p${axis}`, steps(count)] as const))),
  seed: fc.integer(),
  trials: fc.integer({ min: 1, max: 60 }),
  bad: fc.nat(3),
  flatness: fc.constantFrom(1, 0),
})

const bumps =
  (bad: number, flatness: number): Surface =>
  (params) => {
    const sum = Object.values(params).reduce((all, value, axis) => all + Number(value) * (axis + 1), 0)
    if (bad > 0 && sum % (bad + 1) === 0) return null
    return sum * flatness
  }

describe.each(SEARCH_NAMES)('a search by %s', (name) => {
  it('asks for each point once, for as many as it may, and for all where there are no more', () => {
    let [all, some] = [0, 0]
    fc.assert(
      fc.property(searches, ({ params, seed, trials, bad, flatness }) => {
        const points = flat({ name, params, seed, trials }, bumps(bad, flatness))
        const size = [...params.values()].reduce((product, { length }) => product * length, 1)
        expect(points).toHaveLength(Math.min(trials, size))
        expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(points.length)
        for (const point of points) expect(Object.keys(point)).toEqual([...params.keys()])
        if (size <= trials) all += 1
        else some += 1
      }),
      { numRuns: runs(150) },
    )
    expect(Math.min(all, some)).toBeGreaterThan(needed(20))
  })

  it('asks for the same points again, and with more trials for the same first ones', () => {
    fc.assert(
      fc.property(searches, fc.integer({ min: 1, max: 40 }), ({ params, seed, trials, bad, flatness }, more) => {
        const surface = bumps(bad, flatness)
        const points = flat({ name, params, seed, trials }, surface)
        expect(flat({ name, params, seed, trials: trials + more }, surface).slice(0, points.length)).toEqual(points)
      }),
      { numRuns: runs(60) },
    )
  })

  it('asks for no combination that is left out, and for every one that is not', () => {
    fc.assert(
      fc.property(searches, fc.integer({ min: 2, max: 9 }), ({ params, seed, bad, flatness }, part) => {
        const isWanted = (point: Params): boolean =>
          Object.values(point).reduce((a, b) => a + Number(b), 0) % part === 0
        const wanted = gridOf({ params, isWanted, seed })
        const points = flat({ name, params, seed, trials: 2_000, isWanted }, bumps(bad, flatness))
        expect(points.map((point) => JSON.stringify(point)).toSorted()).toEqual(
          wanted.map((point) => JSON.stringify(point)).toSorted(),
        )
      }),
      { numRuns: runs(60) },
    )
  })

  it('ends where no more is wanted, though there are too many combinations to look at all', () => {
    const params = new Map(['a', 'b', 'c', 'd'].map((axis) => [axis, steps(60)]))
    const isWanted = (point: Params): boolean => Object.values(point).every((value) => value === '7')
    expect(flat({ name, params, seed: 1, trials: 30, isWanted }, hill).length).toBeLessThanOrEqual(1)
  })

  it('asks for other points by another seed', () => {
    const [one, two] = [1, 2].map((seed) => flat({ name, params: CUBE, seed, trials: 40 }, hill))
    expect(one).not.toEqual(two)
  })

  it.each(['hill', 'ridge'])(
    'finds a point of the best thousandth of a %s in a quarter of the trials of chance',
    (shape) => {
      const surface = shape === 'hill' ? hill : ridge
      const scores = gridOf({ params: CUBE, seed: 1 }).map((params) => surface(params) ?? 0)
      const goal = scores.toSorted((a, b) => b - a)[Math.floor(scores.length / 1_000)] ?? 0
      const medianOf = (counts: readonly number[]): number => counts.toSorted((a, b) => a - b)[counts.length >> 1] ?? 0
      const first = (points: readonly Params[]): number => {
        const index = points.findIndex((params) => (surface(params) ?? 0) >= goal)
        return index < 0 ? points.length * 2 : index + 1
      }
      const seeds = steps(15).map(Number)
      const searched = medianOf(seeds.map((seed) => first(flat({ name, params: CUBE, seed, trials: 180 }, surface))))
      const drawn = medianOf(seeds.map((seed) => first(gridOf({ params: CUBE, seed, random: 10_000 }))))
      expect(drawn).toBeGreaterThan(400)
      expect(searched).toBeLessThan(drawn / 4)
    },
  )

  it('does not rest on the order in which the numbers of a parameter are named', () => {
    const shuffled = new Map(
      [...CUBE].map(([axis, values]) => {
        const random = seededRandom(values.length)
        const keyed = values.map((value) => [random(), value] as const)
        return [axis, keyed.toSorted(([a], [b]) => a - b).map(([, value]) => value)] as const
      }),
    )
    const terms = { name, seed: 5, trials: 60 }
    expect(flat({ ...terms, params: shuffled }, hill)).toEqual(flat({ ...terms, params: CUBE }, hill))
  })

  it('is not led astray by scores that are all the same, infinite or not there', () => {
    for (const score of [0, -Infinity, Infinity, null]) {
      expect(flat({ name, params: CUBE, seed: 1, trials: 60 }, () => score)).toHaveLength(60)
    }
  })
})
