import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { DecimalColumn, TOO_LARGE, TOO_PRECISE, TOO_WIDE } from '../../../src/import/csv/decimal-column.ts'

const MAX = Number.MAX_SAFE_INTEGER

describe('DecimalColumn', () => {
  it('has the fewest decimals that hold every value so far', () => {
    const column = new DecimalColumn()
    const seen = [
      [5, 0],
      [125, 2],
      [3, 1],
      [7, 0],
    ].map(([mantissa = 0, decimals = 0]) => [column.units(mantissa, decimals), column.precision])
    expect(seen).toEqual([
      [5, 0],
      [125, 2],
      [30, 2],
      [700, 2],
    ])
  })

  it('keeps a precision that is given', () => {
    const column = new DecimalColumn(3)
    expect([column.units(5, 0), column.units(125, 2), column.precision]).toEqual([5000, 1250, 3])
    expect(column.units(1, 4)).toBe(TOO_PRECISE)
  })

  it.each`
    values                            | expected            | why
    ${[[1, 13]]}                      | ${TOO_PRECISE}      | ${'no market has more than 12 decimals'}
    ${[[1, 12]]}                      | ${1}                | ${'12 are allowed'}
    ${[[1, 2], [MAX, 0]]}             | ${TOO_LARGE}        | ${'the value has too many units at the precision of the rows before'}
    ${[[1, 2], [90071992547409, 0]]}  | ${9007199254740900} | ${'the largest that fits'}
    ${[[1, 2], [90071992547410, 0]]}  | ${TOO_LARGE}        | ${'the smallest that does not'}
    ${[[MAX, 0], [1, 1]]}             | ${TOO_WIDE}         | ${'a value before would have too many units at the precision of this one'}
    ${[[MAX, 0], [1, 0]]}             | ${1}                | ${'but not at its own'}
    ${[[900719925474099, 0], [1, 1]]} | ${1}                | ${'the largest before that fits'}
  `('$why', ({ values, expected }: { values: [number, number][]; expected: number }) => {
    const column = new DecimalColumn()
    expect(values.map(([mantissa, decimals]) => column.units(mantissa, decimals)).at(-1)).toBe(expected)
  })

  it('is not changed by a value that it refuses, nor by one that it is shown twice', () => {
    const value = fc.tuple(fc.oneof(fc.nat({ max: 99 }), fc.nat({ max: MAX })), fc.nat({ max: 13 }))
    let refused = 0
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        const once = new DecimalColumn()
        const twice = new DecimalColumn()
        for (const [mantissa, decimals] of values) {
          const precision = once.precision
          const units = once.units(mantissa, decimals)
          twice.units(mantissa, decimals)
          expect(twice.units(mantissa, decimals)).toBe(units)
          expect(twice.precision).toBe(once.precision)
          if (units >= 0) continue
          refused += 1
          expect(once.precision).toBe(precision)
        }
      }),
    )
    expect(refused).toBeGreaterThan(0)
  })

  it('refuses exactly what would take a row beyond 2^53 - 1 units or 12 decimals', () => {
    const value = fc.tuple(fc.oneof(fc.nat({ max: 99 }), fc.nat({ max: MAX })), fc.nat({ max: 13 }))
    const reached = { fine: 0, tooLarge: 0, tooWide: 0 }
    fc.assert(
      fc.property(fc.array(value, { maxLength: 8 }), (values) => {
        const column = new DecimalColumn()
        const taken: [number, number][] = []
        for (const [mantissa, decimals] of values) {
          const units = column.units(mantissa, decimals)
          const rows: [number, number][] = [...taken, [mantissa, decimals]]
          const precision = Math.max(...rows.map(([, digits]) => digits))
          const scaled = rows.map(([of, digits]) => BigInt(of) * 10n ** BigInt(precision - digits))
          const fits = precision <= 12 && scaled.every((row) => row <= BigInt(MAX))
          expect(units >= 0).toBe(fits)
          if (fits) {
            taken.push([mantissa, decimals])
            expect(BigInt(units)).toBe(scaled.at(-1))
            expect(column.precision).toBe(precision)
          }
          reached.fine += fits ? 1 : 0
          reached.tooLarge += units === TOO_LARGE ? 1 : 0
          reached.tooWide += units === TOO_WIDE ? 1 : 0
        }
      }),
      { numRuns: 500 },
    )
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
  })
})
