import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { GapMarks } from '../../src/tape/gap-marks.ts'

const marksOf = (...ends: readonly (readonly [from: number, to: number])[]): GapMarks =>
  new GapMarks(ends.map(([from, to]) => ({ from, to, why: 'lost' })))

/** The rows before which a gap counts. */
const gapsBefore = (marks: GapMarks, times: readonly number[]): readonly number[] =>
  times.filter((time) => marks.isBefore(time))

describe('a marked gap', () => {
  it.each<[why: string, ends: [number, number][], times: number[], before: number[]]>([
    ['counts before the first row at its end', [[2, 5]], [1, 2, 5, 6], [5]],
    ['counts before the first row behind its end', [[2, 5]], [1, 2, 7, 8], [7]],
    ['counts once when rows share the millisecond of its end', [[2, 5]], [2, 5, 5], [5]],
    ['does not count before the first row that is played', [[2, 5]], [6, 7], []],
    ['does not count when no row comes behind it', [[2, 5]], [1, 4], []],
    ['counts once with another that no row parts from it', [[2, 5], [5, 9]], [1, 9, 10], [9]], // prettier-ignore
    ['counts beside another that a row parts from it', [[2, 5], [5, 9]], [1, 5, 9], [5, 9]], // prettier-ignore
    ['of no length counts', [[5, 5]], [5, 5, 6], []],
  ])('%s', (_, ends, times, before) => {
    expect(gapsBefore(marksOf(...ends), times)).toEqual(before)
  })
})

it('between any two rows counts exactly when one ends there', () => {
  const times = fc.array(fc.nat(20), { maxLength: 12 }).map((all) => all.toSorted((a, b) => a - b))
  fc.assert(
    fc.property(times, times, (ends, rows) => {
      const marks = marksOf(...ends.map((end) => [end, end] as const))
      rows.forEach((row, index) => {
        const before = rows[index - 1]
        const isThere = before !== undefined && ends.some((end) => before < end && end <= row)
        expect(marks.isBefore(row)).toBe(isThere)
      })
    }),
  )
})
