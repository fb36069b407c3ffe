import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plottedLines, shown } from '../../../src/report/page/plotted-lines.ts'
import { thinnedLine } from '../../../src/report/page/thinned-line.ts'
import { runs } from '../../property/property.ts'

const near = fc
  .tuple(fc.integer({ min: -(2 ** 40), max: 2 ** 40 }), fc.integer({ min: 0, max: 12 }))
  .map(([units, decimals]) => units / 10 ** decimals)
const number = fc.oneof(fc.double({ noNaN: true, noDefaultInfinity: true }), near, fc.integer())

it('a plotted value has nine digits, as many as a chart shows', () => {
  fc.assert(
    fc.property(number, (value) => {
      expect(shown(value)).toBe(Number(value.toPrecision(9)))
    }),
    { numRuns: runs(2_000) },
  )
})

it('plotted values are read from their text as numbers, whatever their form', () => {
  const digits = fc.stringMatching(/^-?[0-9]{1,20}(\.[0-9]{1,20})?$/)
  const odd = fc.constantFrom('1.2e+70', '1.5.2', '.5', '.5.3', '7.', '-', '', 'x', '1.234567890123456x', '1.000000005')
  fc.assert(
    fc.property(fc.array(fc.oneof(number.map(String), digits, digits, odd), { minLength: 1 }), (texts) => {
      const csv = texts.map((text, index) => `${index},${index % 3 === 0 ? 'a' : 'b c'},${text}\n`).join('')
      const text = `time,name,value\n${csv}`
      const lines = plottedLines('plots.csv', () => text.match(/(?:.*\n){1,3}/g) ?? [])
      const of = (isOf: (index: number) => boolean) => ({
        times: [...texts.keys()].filter(isOf),
        values: texts.filter((_, index) => isOf(index)).map((text) => shown(Number(text))),
      })
      expect(lines.get('a')).toEqual(of((index) => index % 3 === 0))
      if (texts.length > 1) expect(lines.get('b c')).toEqual(of((index) => index % 3 !== 0))
    }),
    { numRuns: runs(2_000) },
  )
})

it('reads quoted names, and refuses a row with more or fewer fields than the header', () => {
  expect([...plottedLines('p', () => ['time,name,value\n1,"a, b",2\n']).keys()]).toEqual(['a, b'])
  for (const row of ['1,a', '1,a,2,3', '1']) {
    expect(() => plottedLines('p', () => [`time,name,value\n0,a,1\n${row}\n2,a,1\n`])).toThrow('fields')
  }
})

it('keeps of each stretch the first, the lowest, the highest and the last point', () => {
  const value = fc.option(fc.integer({ min: 0, max: 9 }))
  fc.assert(
    fc.property(fc.array(value, { maxLength: 60 }), fc.integer({ min: 4, max: 40 }), (values, most) => {
      const times = [...values.keys()]
      const kept = thinnedLine({ times, values }, most).times
      const stretches = values.length <= most ? times.length : Math.floor(most / 4)
      const chosen = Array.from({ length: stretches }, (_, at) => {
        const bound = (stretch: number) => Math.floor((stretch * times.length) / stretches)
        const indices = times.slice(bound(at), bound(at + 1))
        const numbers = indices.map((index) => values[index] ?? null).filter((each) => each !== null)
        const firstOf = (number: number) => indices.find((index) => values[index] === number) ?? -1
        const ends = numbers.length === 0 ? [] : [firstOf(Math.min(...numbers)), firstOf(Math.max(...numbers))]
        return [indices[0] ?? 0, ...ends, indices.at(-1) ?? 0]
      })
      expect(kept).toEqual([...new Set(chosen.flat())].sort((a, b) => a - b))
    }),
    { numRuns: runs(500) },
  )
})
