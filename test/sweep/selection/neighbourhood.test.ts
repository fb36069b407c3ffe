/**
 * Plateau or needle.
 */
import { describe, expect, it } from 'vitest'
import { type GridPoint, neighbourhood } from '../../../src/sweep/selection/neighbourhood.ts'

/** A grid of two axes, its rows as text; `.` has no value. */
const grid = (rows: readonly string[]): readonly GridPoint[] =>
  rows.flatMap((row, first) =>
    row.split(' ').map((cell, second) => ({ place: [first, second], value: cell === '.' ? null : Number(cell) })),
  )

const bestOf = (points: readonly GridPoint[]): number =>
  points.reduce(
    (best, { value }, index) => ((value ?? -Infinity) > (points[best]?.value ?? -Infinity) ? index : best),
    0,
  )

describe('around the best', () => {
  it.each`
    rows                                                                  | drop    | shape        | why
    ${['0 0 0 0 0', '0 1 9 1 0', '0 8 10 9 0', '0 1 8 1 0', '0 0 0 0 0']} | ${0.15} | ${'plateau'} | ${'neighbours nearly as good'}
    ${['0 0 0 0 0', '0 0 1 0 0', '0 1 10 0 0', '0 0 0 0 0', '0 0 0 0 0']} | ${0.95} | ${'needle'}  | ${'nothing beside it'}
    ${['0 0 0 0 0', '0 0 5 0 0', '0 5 10 5 0', '0 0 5 0 0', '0 0 0 0 0']} | ${0.5}  | ${'slope'}   | ${'half of it is left'}
    ${['2 2 2 2 2', '2 2 0 2 2', '2 0 10 0 2', '2 2 0 2 2', '2 2 2 2 2']} | ${1.25} | ${'needle'}  | ${'worse than the middle one step away'}
    ${['0 0 0', '0 . 0', '. 10 .']}                                       | ${null} | ${null}      | ${'neighbours without a value'}
    ${['5 5 5', '5 5 5', '5 5 5']}                                        | ${null} | ${null}      | ${'no lead'}
    ${['10']}                                                             | ${null} | ${null}      | ${'alone'}
  `('$why: $shape', ({ rows, drop, shape }) => {
    const points = grid(rows)
    const found = neighbourhood(points, [true, true], bestOf(points))
    if (drop === null) expect(found.drop).toBeNull()
    else expect(found.drop).toBeCloseTo(drop, 12)
    expect(found.shape).toBe(shape)
  })

  it('lie those one step away on one axis, not across, not on an axis of names', () => {
    const points = grid(['1 2 3', '4 9 5', '6 7 8'])
    expect(neighbourhood(points, [true, true], 4).neighbours).toEqual([1, 3, 5, 7])
    expect(neighbourhood(points, [true, false], 4).neighbours).toEqual([1, 7])
    expect(neighbourhood(points, [false, false], 4)).toEqual({
      neighbours: [],
      median: null,
      drop: null,
      shape: null,
      edges: [],
    })
  })

  it('are the edges on which better ones may lie beyond', () => {
    const points = grid(['1 2 9', '1 2 3'])
    expect(neighbourhood(points, [true, true], 2).edges).toEqual([0, 1])
    expect(neighbourhood(points, [true, false], 2).edges).toEqual([0])
    expect(neighbourhood(grid(['1 9 1']), [true, true], 1).edges).toEqual([])
  })

  it('is the same for what is to be small, turned around', () => {
    const points = grid(['0 0 0', '0 9 7', '0 6 0'])
    const turned = points.map(({ place, value }) => ({ place, value: value === null ? null : -value }))
    expect(neighbourhood(turned, [true, true], 4).drop).toBe(neighbourhood(points, [true, true], 4).drop)
  })

  it('knows nothing of no points', () => {
    expect(neighbourhood([], [], 0)).toEqual({ neighbours: [], median: null, drop: null, shape: null, edges: [] })
  })
})
