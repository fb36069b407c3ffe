/**
 * Search by covariance matrix adaptation: what it finds, where, and in which batches.
 */
import fc from 'fast-check'
import { afterEach, describe, expect, it, vi } from 'vitest'
import { CmaSearch } from '../../../src/sweep/search/cma-search.ts'
import { Evolution, evolutionWeights, generationOf, type Offspring } from '../../../src/sweep/search/evolution.ts'
import type { Cell } from '../../../src/sweep/search/searcher.ts'
import { seededRandom } from '../../../src/runtime/strategies/seeded-random.ts'

type Surface = (cell: Cell) => number | null

interface Searched {
  readonly counts: readonly number[]
  readonly seed: number
  readonly trials: number
  readonly isWanted?: (cell: Cell) => boolean
}

/** The cells that are asked for, batch by batch. */
function batchesOf({ counts, seed, trials, isWanted = () => true }: Searched, surface: Surface): readonly Cell[][] {
  const taken = new Set<string>()
  const random = seededRandom(~seed)
  const isFree = (cell: Cell): boolean => isWanted(cell) && !taken.has(String(cell))
  const searcher = new CmaSearch({
    axes: counts.map((count) => ({ count, isOrdered: true })),
    random: seededRandom(seed),
    isFree,
    draw: (isFreeToo) => {
      for (let draw = 0; draw < 10_000; draw += 1) {
        const cell = counts.map((count) => Math.floor(random() * count))
        if (isFreeToo(cell)) return cell
      }
      return undefined
    },
  })
  const batches: Cell[][] = []
  for (let left = trials; left > 0;) {
    const batch = searcher.ask().slice(0, left)
    if (batch.length === 0) break
    for (const cell of batch) taken.add(String(cell))
    batches.push(batch)
    left -= batch.length
    searcher.tell(batch.map((cell) => ({ cell, score: surface(cell), isNew: true })))
  }
  return batches
}

const at = (cell: Cell, axis: number): number => cell[axis] ?? Number.NaN
const CUBE = [50, 50, 50]
const square = (cell: Cell, peak: readonly number[], weights = [1, 1, 1]): number =>
  -cell.reduce((sum, step, axis) => sum + (weights[axis] ?? 1) * (step - (peak[axis] ?? 0)) ** 2, 0)

/** Which trial was the first to be as good; Infinity where none was. */
function firstAbove(batches: readonly (readonly Cell[])[], surface: Surface, goal: number): number {
  const index = batches.flat().findIndex((cell) => (surface(cell) ?? -Infinity) >= goal)
  return index < 0 ? Infinity : index + 1
}

/** Score of the best share of a cube. */
function goalOf(surface: Surface, share: number): number {
  const scores: number[] = []
  for (let a = 0; a < 50; a += 1) {
    for (let b = 0; b < 50; b += 1) for (let c = 0; c < 50; c += 1) scores.push(surface([a, b, c]) ?? -Infinity)
  }
  return scores.sort((a, b) => b - a)[Math.floor(scores.length * share)] ?? 0
}

const SEEDS = Array.from({ length: 20 }, (_, seed) => seed)

afterEach(() => {
  vi.restoreAllMocks()
})

describe('a search by covariance matrix adaptation', () => {
  it.each<[string, Surface]>([
    ['a bowl', (cell) => square(cell, [31, 12, 40])],
    [
      'a bowl that is thirty times as steep on one side as on another',
      (cell) => square(cell, [31, 12, 40], [1, 30, 900]),
    ],
    [
      'a ridge across all axes',
      (cell) => -9 * (at(cell, 0) - at(cell, 1) - at(cell, 2) / 2) ** 2 - (at(cell, 1) - 14) ** 2,
    ],
    ['a slope into a corner', (cell) => at(cell, 0) + at(cell, 1) + at(cell, 2)],
    ['a bowl half of which ends with an error', (cell) => (at(cell, 0) < 31 ? null : square(cell, [31, 12, 40]))],
  ])('finds the best thousandth of %s in far fewer trials than chance', (_, surface) => {
    const goal = goalOf(surface, 0.001)
    const found = SEEDS.map((seed) =>
      firstAbove(batchesOf({ counts: CUBE, seed, trials: 250 }, surface), surface, goal),
    )
    // Chance needs 693 for an even bet.
    expect(found.filter((trials) => trials < 230).length).toBeGreaterThanOrEqual(16)
    expect(found.toSorted((a, b) => a - b)[10]).toBeLessThan(150)
  })

  it('goes to the very best of a bowl, since no axis freezes between steps', () => {
    const surface: Surface = (cell) => square(cell, [31, 12, 40])
    const found = SEEDS.map((seed) => firstAbove(batchesOf({ counts: CUBE, seed, trials: 400 }, surface), surface, 0))
    expect(found.filter((trials) => trials <= 400).length).toBeGreaterThanOrEqual(18)
  })

  it('begins again elsewhere where it has come to rest, and finds the higher of two hills', () => {
    const surface: Surface = (cell) => Math.max(square(cell, [10, 10, 10]), square(cell, [42, 42, 42]) + 50)
    const found = SEEDS.map((seed) =>
      firstAbove(batchesOf({ counts: CUBE, seed, trials: 1_000 }, surface), surface, 50),
    )
    expect(found.filter((trials) => trials <= 1_000).length).toBeGreaterThanOrEqual(16)
  })

  it('keeps to what is wanted, and finds the best of it', () => {
    const surface: Surface = (cell) => square(cell, [20, 20, 20])
    const isWanted = (cell: Cell): boolean => at(cell, 0) < at(cell, 1) && at(cell, 1) < at(cell, 2)
    for (const seed of SEEDS.slice(0, 5)) {
      const batches = batchesOf({ counts: CUBE, seed, trials: 300, isWanted }, surface)
      expect(batches.flat().every(isWanted)).toBe(true)
      expect(firstAbove(batches, surface, -2)).toBeLessThan(300)
    }
  })

  it('asks for no cell twice, for no more at once than a generation has, and for the same again', () => {
    const searches = fc.record({
      counts: fc.array(fc.integer({ min: 1, max: 7 }), { minLength: 1, maxLength: 5 }),
      seed: fc.integer(),
      trials: fc.integer({ min: 1, max: 150 }),
    })
    let restarted = 0
    fc.assert(
      fc.property(searches, fc.integer({ min: 1, max: 60 }), (search, more) => {
        const surface: Surface = (cell) => (cell.reduce((a, b) => a + b, 0) % 4 === 3 ? null : square(cell, [2, 1, 3]))
        const batches = batchesOf(search, surface)
        const cells = batches.flat().map(String)
        expect(new Set(cells).size).toBe(cells.length)
        const longest = Math.max(...batches.map(({ length }) => length))
        expect(longest).toBeLessThanOrEqual(128)
        if (longest > generationOf(5)) restarted += 1
        expect(batchesOf(search, surface)).toEqual(batches)
        const further = batchesOf({ ...search, trials: search.trials + more }, surface)
        expect(further.flat().slice(0, cells.length).map(String)).toEqual(cells)
      }),
      { numRuns: 60 },
    )
    expect(restarted).toBeGreaterThan(5)
  })

  it('asks for the same where the functions of the engine differ in their last bit', () => {
    const surface: Surface = (cell) => square(cell, [31, 12, 40])
    const search = { counts: CUBE, seed: 7, trials: 400 }
    const batches = batchesOf(search, surface)
    let asked = 0
    const [exp, log] = [Math.exp.bind(Math), Math.log.bind(Math)]
    const other = (own: (x: number) => number) => (x: number) => {
      asked += 1
      return own(x) * (1 + Number.EPSILON)
    }
    vi.spyOn(Math, 'exp').mockImplementation(other(exp))
    vi.spyOn(Math, 'log').mockImplementation(other(log))
    expect(batchesOf(search, surface)).toEqual(batches)
    expect(asked).toBeGreaterThan(0)
  })

  it('refuses axes of names', () => {
    const options = { random: () => 0.5, isFree: () => true, draw: () => undefined }
    expect(() => new CmaSearch({ ...options, axes: [{ count: 3, isOrdered: false }] })).toThrow('no direction')
    expect(new CmaSearch({ ...options, axes: [{ count: 1, isOrdered: false }] }).ask()).toEqual([])
  })
})

describe('an evolution', () => {
  const runs = fc.record({
    counts: fc.array(fc.integer({ min: 2, max: 60 }), { minLength: 1, maxLength: 6 }),
    seed: fc.integer(),
    generations: fc.integer({ min: 0, max: 120 }),
  })

  it('leaves the cell of its mean on every axis about as often as the margin says, whatever it has learnt', () => {
    fc.assert(
      fc.property(runs, ({ counts, seed, generations }) => {
        const random = seededRandom(seed)
        const size = generationOf(counts.length)
        const start = counts.map((count) => Math.floor(random() * count))
        const evolution = new Evolution(counts, size, start)
        const peak = counts.map((count) => Math.floor(random() * count))
        const drawn = (many: number): readonly Offspring[] =>
          Array.from({ length: many }, () => evolution.offspring(random))
        for (let generation = 0; generation < generations; generation += 1) {
          evolution.learn(drawn(size).toSorted((a, b) => square(b.cell, peak) - square(a.cell, peak)))
        }
        const many = 60 * size * counts.length
        const cells = drawn(many).map(({ cell }) => cell)
        for (const [axis, count] of counts.entries()) {
          const seen = new Map<number, number>()
          for (const cell of cells) seen.set(at(cell, axis), (seen.get(at(cell, axis)) ?? 0) + 1)
          expect([...seen.keys()].every((step) => step >= 0 && step < count)).toBe(true)
          // 60 are expected to leave it; half of that is far beyond chance.
          expect(many - Math.max(...seen.values())).toBeGreaterThan(30)
        }
      }),
      { numRuns: 40 },
    )
  })

  it('weighs the better half, the best most, as the tutorial has it', () => {
    const { weights, effective, stepPath, path, ofPath, ofBetter, chanceLength } = evolutionWeights(10, 10)
    expect(weights).toHaveLength(5)
    expect(weights.reduce((sum, weight) => sum + weight, 0)).toBeCloseTo(1, 14)
    expect(weights).toEqual(weights.toSorted((a, b) => b - a))
    expect(effective).toBeCloseTo(3.167, 3)
    expect(stepPath).toBeCloseTo((effective + 2) / (effective + 15), 14)
    expect(path).toBeCloseTo((4 + effective / 10) / (14 + effective / 5), 14)
    expect(ofPath).toBeCloseTo(2 / (11.3 ** 2 + effective), 14)
    expect(ofBetter).toBeCloseTo((2 * (effective - 2 + 1 / effective)) / (144 + effective), 14)
    expect(chanceLength).toBeCloseTo(3.0847, 3)
  })
})
