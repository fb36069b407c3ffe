/**
 * The front against all pairs.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { type Direction, paretoFront } from '../../../src/sweep/selection/pareto-front.ts'

type Points = readonly (readonly (number | null)[])[]

/** Every point beside every other. */
function naive(points: Points, directions: readonly Direction[]): readonly number[] {
  const isBetter = (one: number, other: number, axis: number): boolean =>
    directions[axis] === 'maximize' ? one > other : one < other
  return points.flatMap((point, index) => {
    if (point.includes(null)) return []
    const isBeaten = points.some(
      (other) =>
        !other.includes(null) &&
        other.some((value, axis) => isBetter(value ?? 0, point[axis] ?? 0, axis)) &&
        !other.some((value, axis) => isBetter(point[axis] ?? 0, value ?? 0, axis)),
    )
    return isBeaten ? [] : [index]
  })
}

describe('the front', () => {
  it('by hand: return up, drawdown down', () => {
    const points = [
      [1, 0.1],
      [2, 0.3],
      [1.5, 0.4],
      [3, 0.5],
      [1, 0.1],
      [null, 0],
      [0.9, 0.1],
    ]
    expect(paretoFront(points, ['maximize', 'minimize'])).toEqual([0, 1, 3, 4])
  })

  it('is that of all pairs', () => {
    const value = fc.option(fc.integer({ min: -3, max: 3 }), { freq: 10 })
    const cases = fc.integer({ min: 1, max: 4 }).chain((axes) =>
      fc.record({
        points: fc.array(fc.array(value, { minLength: axes, maxLength: axes }), { maxLength: 30 }),
        directions: fc.array(fc.constantFrom<Direction>('maximize', 'minimize'), { minLength: axes, maxLength: axes }),
      }),
    )
    fc.assert(
      fc.property(cases, ({ points, directions }) => {
        expect(paretoFront(points, directions)).toEqual(naive(points, directions))
      }),
    )
  })

  it('of nothing is nothing', () => {
    expect(paretoFront([], ['maximize'])).toEqual([])
    expect(paretoFront([[null]], ['maximize'])).toEqual([])
  })
})
