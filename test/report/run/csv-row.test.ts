import { parse } from 'csv-parse/sync'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { csvRow } from '../../../src/report/run/csv-row.ts'

describe('a row of CSV', () => {
  it.each`
    fields           | row             | why
    ${['a', 'b c']}  | ${'a,b c\n'}    | ${'bare where nothing forbids it'}
    ${['', '']}      | ${',\n'}        | ${'an empty field is nothing'}
    ${['a,b', 'c']}  | ${'"a,b",c\n'}  | ${'a separator'}
    ${['a"b', 'c']}  | ${'"a""b",c\n'} | ${'a quote is doubled'}
    ${['a\nb', 'c']} | ${'"a\nb",c\n'} | ${'a line feed'}
    ${['a\rb', 'c']} | ${'"a\rb",c\n'} | ${'a carriage return alone, too'}
  `('$why', ({ fields, row }: { fields: string[]; row: string }) => {
    expect(csvRow(fields)).toBe(row)
  })

  it('gives a reader back every field as it was', () => {
    const fields = fc.array(fc.string({ unit: fc.constantFrom('a', '"', ',', '\n', '\r', ' ', 'é') }), {
      minLength: 2,
      maxLength: 6,
    })
    let quoted = 0
    fc.assert(
      fc.property(fields, (row) => {
        expect(parse(csvRow(row), { record_delimiter: '\n' })).toEqual([row])
        if (csvRow(row).startsWith('"')) quoted += 1
      }),
    )
    expect(quoted).toBeGreaterThan(0)
  })
})
