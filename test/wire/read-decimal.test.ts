import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { formatTrimmed, formatUnits } from '../../src/domain/fixed-point.ts'
import { amountOf, DecimalFault, plainDecimal, plainSignedDecimal, unitsOf } from '../../src/wire/read-decimal.ts'

const zeros = fc.integer({ min: 0, max: 50 }).map((count) => '0'.repeat(count))

describe('a decimal of the service', () => {
  it('is the same number with zeros that say nothing', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: Number.MAX_SAFE_INTEGER }),
        fc.integer({ min: 0, max: 12 }),
        zeros,
        zeros,
        (units, decimals, before, behind) => {
          const text = formatUnits(units, decimals)
          const padded = before + text + (text.includes('.') ? behind : behind && `.${behind}`)
          expect(unitsOf(padded, decimals)).toBe(units)
          expect(amountOf(padded, decimals)).toBe(BigInt(units))
          expect(unitsOf(formatTrimmed(units, decimals), decimals)).toBe(units)
          expect(plainDecimal(padded)).toBe(formatTrimmed(units, decimals))
        },
      ),
    ))

  it('is a fault with one more digit that says something', () =>
    fc.assert(
      fc.property(
        fc.integer({ min: 0, max: 10 ** 9 }),
        fc.integer({ min: 1, max: 12 }),
        fc.integer({ min: 1, max: 9 }),
        zeros,
        (units, decimals, digit, behind) => {
          const text = `${formatUnits(units, decimals)}${digit}${behind}`
          expect(unitsOf(text, decimals)).toEqual(new DecimalFault(`at most ${decimals} decimals`))
          expect(amountOf(text, decimals)).toBeInstanceOf(DecimalFault)
        },
      ),
    ))

  it.each`
    text                  | decimals | units                      | why
    ${'9007199254740991'} | ${0}     | ${Number.MAX_SAFE_INTEGER} | ${'the most that is exact'}
    ${'0'}                | ${8}     | ${0}                       | ${'zero'}
    ${'000.000'}          | ${2}     | ${0}                       | ${'zero with zeros'}
    ${'999999999999999'}  | ${0}     | ${999_999_999_999_999}     | ${'the last before it is checked'}
  `('$text is $units units: $why', ({ text, decimals, units }) => {
    expect(unitsOf(text, decimals)).toBe(units)
  })

  it.each(['9007199254740992', '9007199254740993', '1'.repeat(500_000)])('is a fault beyond 2^53 - 1 units', (text) => {
    expect(unitsOf(text, 0)).toBeInstanceOf(DecimalFault)
  })

  it('has its size held against it before it is reckoned with', () => {
    const long = '1'.repeat(1_000_000)
    for (const read of [plainDecimal, plainSignedDecimal]) expect(read(long)).toBeInstanceOf(DecimalFault)
    expect(amountOf(long, 2)).toBeInstanceOf(DecimalFault)
    expect(plainDecimal(`0.${'0'.repeat(1_000_000)}`)).toBe('0')
    expect(plainDecimal(`${long}x`)).toBeInstanceOf(DecimalFault)
  })

  it.each`
    text        | plain
    ${'-0'}     | ${'0'}
    ${'+0.0'}   | ${'0'}
    ${'-1.50'}  | ${'-1.5'}
    ${'+007.1'} | ${'7.1'}
  `('is without a sign that says nothing: $text is $plain', ({ text, plain }) => {
    expect(plainSignedDecimal(text)).toBe(plain)
  })
})
