import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { gridOf, type GridOptions, type Params } from '../../src/sweep/grid.ts'

const grid = (
  params: Readonly<Record<string, readonly string[]>>,
  more: Partial<GridOptions> = {},
): readonly Params[] => gridOf({ params: new Map(Object.entries(params)), seed: 1, ...more })

const upTo = (count: number): readonly string[] => Array.from({ length: count }, (_, index) => String(index))

describe('a grid', () => {
  it('has every combination, the last parameter moving fastest', () => {
    expect(grid({ fast: ['5', '10'], slow: ['20', '50', '100'] })).toEqual([
      { fast: '5', slow: '20' },
      { fast: '5', slow: '50' },
      { fast: '5', slow: '100' },
      { fast: '10', slow: '20' },
      { fast: '10', slow: '50' },
      { fast: '10', slow: '100' },
    ])
  })

  it('of no parameters is one run', () => expect(grid({})).toEqual([{}]))

  it('leaves out what is not wanted', () => {
    const isWanted = ({ a, b }: Params): boolean => a !== b
    expect(grid({ a: ['1', '2'], b: ['1', '2'] }, { isWanted })).toEqual([
      { a: '1', b: '2' },
      { a: '2', b: '1' },
    ])
  })

  it('of which nothing is wanted is refused with the count', () => {
    expect(() => grid({ a: upTo(30) }, { isWanted: () => false })).toThrow('where: excludes all of the 30 combinations')
  })

  it.each`
    params                              | error
    ${{ a: upTo(1000), b: upTo(1000) }} | ${'grid: 1000000 points, more than 100000'}
    ${{ a: upTo(9999), b: upTo(9999) }} | ${'grid: 99980001 combinations, more than 5000000'}
  `('of too many points is refused: $error', ({ params, error }) => expect(() => grid(params)).toThrow(error))

  it('may be large where the condition leaves few of it', () => {
    expect(grid({ a: upTo(1000), b: upTo(1000) }, { isWanted: ({ a, b }) => a === b })).toHaveLength(1000)
  })

  it.each([1, 7, 59, 60, 61])(
    'draws %s different points in the order of the grid, the same by the same seed',
    (random) => {
      const all = grid({ a: upTo(6), b: upTo(10) })
      const drawn = grid({ a: upTo(6), b: upTo(10) }, { random, seed: 5 })
      expect(drawn).toHaveLength(Math.min(random, 60))
      expect(drawn).toEqual(all.filter((point) => drawn.some(({ a, b }) => a === point.a && b === point.b)))
      expect(grid({ a: upTo(6), b: upTo(10) }, { random, seed: 5 })).toEqual(drawn)
    },
  )

  it('draws every point about as often as every other', () => {
    const counts = new Map<string, number>()
    for (let seed = 0; seed < 2000; seed += 1) {
      for (const { a = '' } of grid({ a: upTo(8) }, { random: 2, seed })) counts.set(a, (counts.get(a) ?? 0) + 1)
    }
    // 500 of each are expected; five deviations are 97.
    for (const count of counts.values()) expect(Math.abs(count - 500)).toBeLessThan(97)
    expect(counts.size).toBe(8)
  })

  it('draws from a grid that no one could look at as a whole, and heeds the condition there', () => {
    const params = { a: upTo(5000), b: upTo(5000), c: upTo(50) }
    const isWanted = ({ a, b }: Params): boolean => Number(a) < Number(b)
    const drawn = grid(params, { random: 100, isWanted })
    expect(new Set(drawn.map((point) => JSON.stringify(point))).size).toBe(100)
    expect(drawn.every(isWanted)).toBe(true)
    expect(grid(params, { random: 100, isWanted })).toEqual(drawn)
    expect(() => grid(params, { random: 2, isWanted: () => false })).toThrow('excludes all')
  })

  it('has as many points as its lists multiply to, each once', () => {
    const lists = fc.uniqueArray(fc.constantFrom('a', 'b', 'c', 'd'), { minLength: 1 })
    const counts = fc.array(fc.integer({ min: 1, max: 6 }), { minLength: 4, maxLength: 4 })
    fc.assert(
      fc.property(lists, counts, (names, lengths) => {
        const params = Object.fromEntries(names.map((name, index) => [name, upTo(lengths[index] ?? 1)]))
        const points = grid(params)
        expect(points).toHaveLength(names.reduce((all, _, index) => all * (lengths[index] ?? 1), 1))
        expect(new Set(points.map((point) => JSON.stringify(point))).size).toBe(points.length)
      }),
    )
  })
})
