/**
 * Levels outside of a window beside a list that is sorted each time, many enough for chunks to be split, filled up and
 * joined.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { FarLevels } from '../../../src/exchange/book/far-levels.ts'
import { NONE } from '../../../src/exchange/book/order-slots.ts'
import { runs } from '../../property/property.ts'

const HIGHEST = Number.MAX_SAFE_INTEGER

/**
 * A run of keys in one order or another: rising and falling ones fill chunks at their ends, scattered ones split them.
 */
const run = fc.record({
  from: fc.constantFrom(-HIGHEST, -1_000_000, 0, 500, 1_000, HIGHEST - 3_000),
  step: fc.constantFrom(1, 1, 2, 3),
  count: fc.integer({ min: 1, max: 700 }),
  order: fc.constantFrom('rising', 'falling', 'scattered'),
})
const step = fc.oneof(
  { weight: 3, arbitrary: fc.record({ does: fc.constant('insert' as const), run }) },
  { weight: 2, arbitrary: fc.record({ does: fc.constant('remove' as const), run }) },
)

const keysOf = ({
  from,
  step: gap,
  count,
  order,
}: typeof run extends fc.Arbitrary<infer T> ? T : never): readonly number[] =>
  Array.from({ length: count }, (_, index) => {
    const place = order === 'scattered' ? (index * 389) % count : index
    return from + gap * (order === 'falling' ? count - 1 - place : place)
  })

/** As the structure says them, best first. */
function keysOfFar(far: FarLevels): readonly number[] {
  const keys: number[] = []
  for (let key = far.keyBelow(Infinity); key !== -Infinity; key = far.keyBelow(key)) keys.push(key)
  return keys
}

describe('levels outside of a window', () => {
  it('are found by their key, in order, and counted, through every split and join', () => {
    fc.assert(
      fc.property(fc.array(step, { minLength: 1, maxLength: 8 }), fc.nat(3_000), (steps, off) => {
        const far = new FarLevels()
        const levels = new Map<number, number>()
        for (const each of steps) {
          for (const key of keysOf(each.run)) {
            if (each.does === 'remove') {
              if (levels.has(key)) expect(far.remove(key)).toBe(levels.get(key))
              levels.delete(key)
            } else if (!levels.has(key)) {
              far.insert(key, levels.size)
              levels.set(key, levels.size)
            }
          }
          const expected = [...levels.keys()].toSorted((a, b) => b - a)
          expect(keysOfFar(far)).toEqual(expected)
          expect(expected.map((key) => far.find(key))).toEqual(expected.map((key) => levels.get(key)))
          for (const low of [0, each.run.from, each.run.from + off]) {
            const within = expected.filter((key) => key >= low && key < low + 700)
            expect(far.countBetween(low, low + 700)).toBe(within.length)
            expect(far.find(low)).toBe(levels.get(low) ?? NONE)
            expect(far.keyBelow(low)).toBe(expected.find((key) => key < low) ?? -Infinity)
          }
        }
      }),
      { numRuns: runs(150) },
    )
  })

  it('come between two full chunks without pushing one out', () => {
    const far = new FarLevels()
    const chunk = (from: number): readonly number[] => Array.from({ length: 256 }, (_, index) => from + index)
    const keys = [...chunk(0), ...chunk(1_000), 2_000, 500]
    keys.forEach((key, level) => {
      far.insert(key, level)
    })
    expect(keysOfFar(far)).toEqual(keys.toSorted((a, b) => b - a))
    expect(keys.map((key) => far.find(key))).toEqual([...keys.keys()])
  })

  it('do not take one that is not there for another', () => {
    const far = new FarLevels()
    far.insert(5, 1)
    expect(() => far.remove(4)).toThrow('a level that goes was there')
    expect(() => far.remove(6)).toThrow('a level that goes was there')
  })
})
