import { Decimal as AnyDecimal } from 'decimal.js'
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { Decimal, decimalOf, stepsOf, toDecimal, unitsOf } from '../../src/domain/decimal.ts'
import { formatUnits } from '../../src/domain/fixed-point.ts'

/** Everything that decimal.js keeps of a number. */
const partsOf = ({ s, e, d }: Decimal): unknown => ({ s, e, d })

const CORNERS = [0, 1, 9, 10, 99, 1e6, 9_999_999, 1e7, 10_000_001, 1e13, 1e14 - 1, 1e14, 1e14 + 1, 1e15 - 1, 1e15]

describe('the decimal of an integer of units', () => {
  const units = fc.oneof(
    fc.constantFrom(...CORNERS, Number.MAX_SAFE_INTEGER),
    fc.maxSafeInteger(),
    fc.integer(),
    fc.bigInt({ min: -(10n ** 30n), max: 10n ** 30n }),
  )

  it('is the one that decimal.js reads from its text, in every part', () => {
    fc.assert(
      fc.property(units, fc.boolean(), fc.nat(20), (value, isNegative, decimals) => {
        const signed = isNegative ? -value : value
        const read = toDecimal(formatUnits(signed, decimals))
        expect(partsOf(decimalOf(signed, decimals))).toEqual(partsOf(read))
        expect(partsOf(decimalOf(BigInt(signed), decimals))).toEqual(partsOf(read))
      }),
      { numRuns: 2_000 },
    )
  })

  it.each(CORNERS)('is it for %d with each number of decimals', (value) => {
    for (let decimals = 0; decimals <= 20; decimals += 1) {
      expect(partsOf(decimalOf(value, decimals))).toEqual(partsOf(toDecimal(formatUnits(value, decimals))))
    }
  })

  it('is exact or refused', () => {
    expect(() => decimalOf(2 ** 53, 2)).toThrow('are not exact')
    expect(() => decimalOf(0.5, 2)).toThrow('are not exact')
    expect(() => decimalOf(Number.NaN, 2)).toThrow('are not exact')
  })
})

describe('a decimal in units', () => {
  it('is what it was made of', () => {
    const amounts = fc.oneof(
      fc.constantFrom(...CORNERS).map(BigInt),
      fc.bigInt({ min: -(10n ** 36n), max: 10n ** 36n }),
    )
    fc.assert(
      fc.property(fc.maxSafeNat(), amounts, fc.nat(12), (steps, amount, decimals) => {
        expect(stepsOf(decimalOf(steps, decimals), decimals)).toBe(steps)
        expect(unitsOf(decimalOf(amount, decimals), decimals)).toBe(amount)
      }),
    )
  })

  it.each`
    value      | decimals | why
    ${'0.125'} | ${2}     | ${'more digits'}
    ${'-1'}    | ${2}     | ${'below 0'}
    ${'1e16'}  | ${0}     | ${'beyond 2^53'}
  `('is no count of steps: $why', ({ value, decimals }) => {
    const decimal = toDecimal(value as string)
    expect(() => stepsOf(decimal, decimals as number)).toThrow(`${decimal.toFixed()} does not fit ${decimals} digits`)
  })

  it('is no amount with more digits', () => {
    expect(() => unitsOf(toDecimal('-0.125'), 2)).toThrow('-0.125 does not fit 2 digits')
    expect(unitsOf(toDecimal('-0.125'), 3)).toBe(-125n)
    expect(unitsOf(toDecimal('-0'), 3)).toBe(0n)
  })
})

describe('what a strategy writes', () => {
  it('is ours with 64 digits, also when it comes with fewer', () => {
    const third = toDecimal(new AnyDecimal(1)).div(3)
    expect(third.toFixed()).toBe(`0.${'3'.repeat(64)}`)
    expect(toDecimal(third)).toBe(third)
  })

  it('is no number at all, and refused', () => {
    expect(() => toDecimal('abc')).toThrow()
    expect(() => toDecimal(undefined as unknown as string)).toThrow()
    expect(() => toDecimal(null as unknown as string)).toThrow()
  })
})

describe('a decimal that a strategy makes', () => {
  it('is one of ours, with new and without', () => {
    for (const made of [new Decimal('1.5'), Decimal(1.5), Decimal(new AnyDecimal('1.5'))]) {
      expect(made).toBeInstanceOf(Decimal)
      expect(toDecimal(made)).toBe(made)
      expect(made.div(3).toFixed()).toBe('0.5')
    }
    expect(decimalOf(15, 1)).toBeInstanceOf(Decimal)
    expect(Decimal(1).div(3).toFixed()).toBe(`0.${'3'.repeat(64)}`)
  })

  it('can be reported from one of another library, and from anything else', () => {
    for (const other of [new AnyDecimal('1.5'), '1.5', 1.5, {}]) expect(other).not.toBeInstanceOf(Decimal)
  })

  it('is rounded by the modes that it names', () => {
    const half = Decimal('0.5')
    expect(half.toDecimalPlaces(0, Decimal.ROUND_FLOOR).toFixed()).toBe('0')
    expect(half.toDecimalPlaces(0, Decimal.ROUND_CEIL).toFixed()).toBe('1')
    expect(Decimal.min(half, '0.25', 1).toFixed()).toBe('0.25')
    expect(Decimal.max(half, '0.25', 1).toFixed()).toBe('1')
    expect(Decimal.sum(half, '0.25', 1).toFixed()).toBe('1.75')
  })

  it('has the digits of all the others', () => {
    const settings = Decimal as unknown as Record<'set' | 'config', (settings: unknown) => void>
    expect(() => settings.set({ precision: 5 })).toThrow('the digits of a Decimal cannot be set')
    expect(() => settings.config({ precision: 5 })).toThrow('the digits of a Decimal cannot be set')
    expect(() => new Decimal('abc')).toThrow('Invalid argument: abc')
  })
})
