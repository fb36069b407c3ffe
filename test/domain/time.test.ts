/**
 * Times as the specification writes them.
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { isoTime } from '../../src/domain/time.ts'

const MAX_TIME = 8.64e15
const near = fc.integer({ min: -2_500, max: 2_500 })

describe('isoTime', () => {
  it('writes every time as a date does, whichever it wrote before', () => {
    const base = fc.oneof(
      fc.constantFrom(0, Date.UTC(2025, 0, 1), Date.UTC(9999, 11, 31, 23, 59, 59, 999)),
      fc.nat(MAX_TIME - 3_000),
    )
    fc.assert(
      fc.property(
        base,
        fc.array(
          fc.oneof(
            near,
            near.map((ms) => ms + 0.25),
          ),
          { minLength: 1, maxLength: 8 },
        ),
        (time, steps) => {
          for (const step of steps) expect(isoTime(time + step)).toBe(new Date(time + step).toISOString())
        },
      ),
      { numRuns: 500 },
    )
  })

  it.each([Number.NaN, Number.POSITIVE_INFINITY, MAX_TIME + 1, -MAX_TIME - 1])(
    'has no text for %d, as a date has none',
    (time) => {
      expect(() => isoTime(time)).toThrow(RangeError)
    },
  )
})
