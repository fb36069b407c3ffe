import { Decimal as AnyDecimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, toDecimal } from '../../src/domain/decimal.ts'

/** decimal.js with the digits of ours, and without the short ways. */
const Plain = AnyDecimal.clone({ precision: 64, toExpNeg: -64, toExpPos: 64, defaults: true })

const digits = (minLength: number, maxLength: number): fc.Arbitrary<string> =>
  fc.array(fc.constantFrom('0', '0', '9', '9', '1', '4', '5'), { minLength, maxLength }).map((all) => all.join(''))

const text = fc.oneof(
  fc
    .tuple(fc.constantFrom('', '-'), digits(1, 40), digits(0, 40))
    .map(([sign, whole, fraction]) => (fraction === '' ? `${sign}${whole}` : `${sign}${whole}.${fraction}`)),
  fc.tuple(fc.constantFrom('', '-'), digits(1, 16), digits(1, 9)).map(([sign, ...parts]) => sign + parts.join('.')),
  fc.constantFrom('0', '-0', '0.000', 'NaN', '-Infinity', '1e-30', '5e20', '.5', '5.', '1_0', '0x1f', '9'.repeat(63)),
)
const value = fc.oneof(text, fc.double(), fc.integer(), fc.maxSafeInteger(), fc.double({ min: -1, max: 1 }))

const partsOf = ({ s, e, d }: Decimal): unknown => ({ s, e, d })
const outcome = (make: () => unknown): unknown => {
  try {
    const made = make()
    return made instanceof AnyDecimal || made instanceof Decimal ? partsOf(made) : made
  } catch (error) {
    return String(error)
  }
}

describe('a decimal', () => {
  it('is read from a number, a text and another one like that of decimal.js', () => {
    fc.assert(
      fc.property(value, (read) => {
        expect(outcome(() => toDecimal(read))).toEqual(outcome(() => new Plain(read)))
        expect(outcome(() => new Decimal(toDecimal(read)))).toEqual(outcome(() => new Plain(read)))
      }),
      { numRuns: 5_000 },
    )
  })

  it.each([
    ...(['plus', 'minus', 'times', 'divToInt', 'comparedTo', 'lessThan', 'gte', 'equals'] as const),
    ...(['add', 'sub', 'mul', 'dividedToIntegerBy', 'cmp'] as const),
  ])('has the %s of decimal.js', (name) => {
    fc.assert(
      fc.property(value, value, fc.boolean(), (one, two, isSame) => {
        const other = isSame ? one : two
        const expected = outcome(() => new Plain(one)[name](other))
        expect(outcome(() => toDecimal(one)[name](other))).toEqual(expected)
        expect(outcome(() => toDecimal(one)[name](toDecimal(other)))).toEqual(expected)
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(['max', 'min'] as const)('has the %s of decimal.js', (name) => {
    fc.assert(
      fc.property(fc.array(value, { minLength: 1, maxLength: 3 }), (all) => {
        const expected = outcome(() => Plain[name](...all))
        expect(outcome(() => Decimal[name](...all))).toEqual(expected)
        expect(outcome(() => Decimal[name](...all.map(toDecimal)))).toEqual(expected)
      }),
      { numRuns: 5_000 },
    )
  })

  it('rounds like that of decimal.js', () => {
    fc.assert(
      fc.property(value, fc.integer({ min: -1, max: 45 }), fc.integer({ min: -1, max: 9 }), (one, places, mode) => {
        const rounding = mode as AnyDecimal.Rounding
        const expected = outcome(() => new Plain(one).toDecimalPlaces(places, rounding))
        expect(outcome(() => toDecimal(one).toDecimalPlaces(places, rounding))).toEqual(expected)
      }),
      { numRuns: 5_000 },
    )
    expect(partsOf(toDecimal('-1.55').toDP(1))).toEqual(partsOf(new Plain('-1.55').toDP(1)))
  })

  it('is the nearest double', () => {
    fc.assert(
      fc.property(value, (one) => {
        expect(outcome(() => toDecimal(one).toNumber())).toEqual(outcome(() => new Plain(one).toNumber()))
      }),
      { numRuns: 5_000 },
    )
  })
})
