import fc from 'fast-check'
import { expect, it } from 'vitest'
import { plottedLines, shown } from '../../../src/report/page/plotted-lines.ts'
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
      const lines = plottedLines('plots.csv', `time,name,value\n${csv}`)
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
  expect([...plottedLines('p', 'time,name,value\n1,"a, b",2\n').keys()]).toEqual(['a, b'])
  for (const row of ['1,a', '1,a,2,3', '1']) {
    expect(() => plottedLines('p', `time,name,value\n0,a,1\n${row}\n2,a,1\n`)).toThrow('fields')
  }
})
