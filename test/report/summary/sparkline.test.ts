import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { sparkline } from '../../../src/report/summary/sparkline.ts'

describe('a sparkline', () => {
  it.each`
    values                      | width | expected      | why
    ${[]}                       | ${5}  | ${''}         | ${'no values'}
    ${[3]}                      | ${3}  | ${'▄▄▄'}      | ${'one value is flat'}
    ${[5, 5, 5, 5]}             | ${4}  | ${'▄▄▄▄'}     | ${'a flat series is a middle line'}
    ${[0, 1, 2, 3, 4, 5, 6, 7]} | ${8}  | ${'▁▂▃▄▅▆▇█'} | ${'a block a level'}
    ${[0, -1, -2]}              | ${3}  | ${'█▅▁'}      | ${'falling, below zero too'}
    ${[1, 9, 1, 9]}             | ${2}  | ${'▄▄'}       | ${'a column is the last of its share'}
    ${[1, 9, 5, 1]}             | ${2}  | ${'█▁'}       | ${'and the line ends where the series ends'}
    ${[1, 2]}                   | ${4}  | ${'▁▁██'}     | ${'few values are stretched'}
  `(
    '$why: $values in $width -> $expected',
    ({ values, width, expected }: { values: number[]; width: number; expected: string }) => {
      expect(sparkline(values, width)).toBe(expected)
    },
  )

  it('refuses a value that is not finite', () => {
    expect(() => sparkline([1, Number.NaN], 2)).toThrow('finite')
  })

  it('has the asked width, both extremes of what it shows, and never a higher block for a lower value', () => {
    let moved = 0
    fc.assert(
      fc.property(fc.array(fc.integer({ min: -50, max: 50 }), { minLength: 1, maxLength: 90 }), (values) => {
        expect(sparkline(values, 67)).toHaveLength(67)
        const blocks = Array.from(sparkline(values, values.length))
        if (new Set(values).size === 1) return
        moved += 1
        expect(blocks[values.indexOf(Math.min(...values))]).toBe('▁')
        expect(blocks[values.indexOf(Math.max(...values))]).toBe('█')
        const byValue = blocks.map((block, index) => ({ block, value: values[index] ?? 0 }))
        const ordered = byValue.toSorted((a, b) => a.value - b.value).map(({ block }) => block)
        // The blocks lie in this order in Unicode, too.
        expect(ordered).toEqual(ordered.toSorted())
      }),
    )
    expect(moved).toBeGreaterThan(0)
  })
})
