/**
 * Decimal text and scaled integers (the specification, section 1; decisions 15 and 29).
 */
import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { InvariantError } from '../../src/domain/errors.ts'
import {
  divideHalfEven,
  divideUp,
  faultMessage,
  formatTrimmed,
  formatUnits,
  isDecimalString,
  parseAmount,
  parseUnits,
  powerOfTen,
} from '../../src/domain/fixed-point.ts'

describe('parseUnits: a non-negative decimal as an integer of units', () => {
  it.each`
    text                                          | decimals | value          | why
    ${'0'}                                        | ${0}     | ${0}           | ${'zero'}
    ${'0'}                                        | ${12}    | ${0}           | ${'zero of a fine unit'}
    ${'0.00'}                                     | ${2}     | ${0}           | ${'zero with its decimals'}
    ${'12.5'}                                     | ${2}     | ${1250}        | ${'fewer decimals than allowed'}
    ${'12.50'}                                    | ${2}     | ${1250}        | ${'as many as allowed'}
    ${'12'}                                       | ${2}     | ${1200}        | ${'no decimals'}
    ${'007'}                                      | ${0}     | ${7}           | ${'leading zeros are allowed'}
    ${'0000000000000000000000000000000000000001'} | ${0}     | ${1}           | ${'40 characters'}
    ${'0.1'}                                      | ${1}     | ${1}           | ${'what a double cannot hold'}
    ${'1.005'}                                    | ${3}     | ${1005}        | ${'what multiplying by 1000 gets wrong'}
    ${'9007199254740991'}                         | ${0}     | ${2 ** 53 - 1} | ${'the largest'}
    ${'9007199254.740991'}                        | ${6}     | ${2 ** 53 - 1} | ${'the largest, with a point'}
  `('$text with $decimals decimals -> $value: $why', ({ text, decimals, value }) => {
    expect(parseUnits(text, decimals)).toEqual({ ok: true, value })
  })

  it.each`
    text                                           | decimals | fault            | why
    ${''}                                          | ${2}     | ${'malformed'}   | ${'nothing'}
    ${' 1'}                                        | ${2}     | ${'malformed'}   | ${'a blank before'}
    ${'1 '}                                        | ${2}     | ${'malformed'}   | ${'a blank behind'}
    ${'1\n'}                                       | ${2}     | ${'malformed'}   | ${'a line end behind'}
    ${'.5'}                                        | ${2}     | ${'malformed'}   | ${'no digit before the point'}
    ${'5.'}                                        | ${2}     | ${'malformed'}   | ${'no digit behind the point'}
    ${'1.2.3'}                                     | ${2}     | ${'malformed'}   | ${'two points'}
    ${'1,5'}                                       | ${2}     | ${'malformed'}   | ${'a comma'}
    ${'1_000'}                                     | ${2}     | ${'malformed'}   | ${'digits in groups'}
    ${'1e3'}                                       | ${2}     | ${'malformed'}   | ${'an exponent'}
    ${'0x10'}                                      | ${2}     | ${'malformed'}   | ${'hexadecimal'}
    ${'NaN'}                                       | ${2}     | ${'malformed'}   | ${'no number'}
    ${'Infinity'}                                  | ${2}     | ${'malformed'}   | ${'no number'}
    ${'-1'}                                        | ${2}     | ${'malformed'}   | ${'negative'}
    ${'-0'}                                        | ${2}     | ${'malformed'}   | ${'negative zero'}
    ${'+1'}                                        | ${2}     | ${'malformed'}   | ${'a plus sign'}
    ${'١٢'}                                        | ${2}     | ${'malformed'}   | ${'digits that are not ASCII'}
    ${'１'}                                        | ${2}     | ${'malformed'}   | ${'full-width digits'}
    ${'1.234'}                                     | ${2}     | ${'too-precise'} | ${'more decimals than allowed'}
    ${'1.000'}                                     | ${2}     | ${'too-precise'} | ${'even when they are zeros'}
    ${'1.0'}                                       | ${0}     | ${'too-precise'} | ${'a point where none is allowed'}
    ${'9007199254740992'}                          | ${0}     | ${'too-large'}   | ${'2^53'}
    ${'90071992547409.92'}                         | ${2}     | ${'too-large'}   | ${'2^53 units'}
    ${'00000000000000000000000000000000000000001'} | ${0}     | ${'too-long'}    | ${'41 characters'}
  `('$text with $decimals decimals is $fault: $why', ({ text, decimals, fault }) => {
    expect(parseUnits(text, decimals)).toEqual({ ok: false, fault })
  })
})

describe('parseAmount: a signed decimal of any size', () => {
  it.each`
    text                                           | decimals | value                             | why
    ${'-1.5'}                                      | ${1}     | ${-15n}                           | ${'negative'}
    ${'+1.5'}                                      | ${1}     | ${15n}                            | ${'a plus sign is part of the pattern'}
    ${'-0'}                                        | ${3}     | ${0n}                             | ${'there is one zero'}
    ${'1000000000000000000000000000000'}           | ${0}     | ${10n ** 30n}                     | ${'beyond 2^53'}
    ${'9999999999999999999999999999999999999999'}  | ${24}    | ${(10n ** 40n - 1n) * 10n ** 24n} | ${'40 digits'}
    ${'-999999999999999.999999999999999999999999'} | ${24}    | ${undefined}                      | ${'41 characters'}
  `('$text with $decimals decimals -> $value: $why', ({ text, decimals, value }) => {
    const expected = value === undefined ? { ok: false, fault: 'too-long' } : { ok: true, value }
    expect(parseAmount(text, decimals)).toEqual(expected)
  })

  it.each(['', '+', '-', '--1', '+-1', '1-', '- 1', '1e9', '-.5'])("'%s' is malformed", (text) => {
    expect(parseAmount(text, 2)).toEqual({ ok: false, fault: 'malformed' })
  })
})

describe('isDecimalString', () => {
  it.each`
    text              | expected
    ${'0'}            | ${true}
    ${'10.25'}        | ${true}
    ${'00.250'}       | ${true}
    ${'1'.repeat(40)} | ${true}
    ${'1'.repeat(41)} | ${false}
    ${'-1'}           | ${false}
    ${'+1'}           | ${false}
    ${'1.'}           | ${false}
    ${'1\n'}          | ${false}
    ${''}             | ${false}
  `('$text -> $expected', ({ text, expected }) => {
    expect(isDecimalString(text)).toBe(expected)
  })
})

describe('formatting', () => {
  it.each`
    units              | decimals | exact                                 | trimmed
    ${0}               | ${0}     | ${'0'}                                | ${'0'}
    ${0}               | ${2}     | ${'0.00'}                             | ${'0'}
    ${-0}              | ${2}     | ${'0.00'}                             | ${'0'}
    ${-0}              | ${0}     | ${'0'}                                | ${'0'}
    ${0n}              | ${24}    | ${`0.${'0'.repeat(24)}`}              | ${'0'}
    ${5}               | ${0}     | ${'5'}                                | ${'5'}
    ${100}             | ${0}     | ${'100'}                              | ${'100'}
    ${100}             | ${1}     | ${'10.0'}                             | ${'10'}
    ${1250}            | ${2}     | ${'12.50'}                            | ${'12.5'}
    ${1205}            | ${2}     | ${'12.05'}                            | ${'12.05'}
    ${5}               | ${3}     | ${'0.005'}                            | ${'0.005'}
    ${-5}              | ${3}     | ${'-0.005'}                           | ${'-0.005'}
    ${-1200}           | ${2}     | ${'-12.00'}                           | ${'-12'}
    ${2 ** 53 - 1}     | ${12}    | ${'9007.199254740991'}                | ${'9007.199254740991'}
    ${10n ** 30n}      | ${24}    | ${`1000000.${'0'.repeat(24)}`}        | ${'1000000'}
    ${10n ** 30n + 1n} | ${24}    | ${'1000000.000000000000000000000001'} | ${'1000000.000000000000000000000001'}
  `('decision 15: $units units of 10^-$decimals: $exact, trimmed $trimmed', ({ units, decimals, exact, trimmed }) => {
    expect(formatUnits(units, decimals)).toBe(exact)
    expect(formatTrimmed(units, decimals)).toBe(trimmed)
  })

  it.each([0.5, 2 ** 53, Number.NaN, Number.POSITIVE_INFINITY])('%d units are not exact: a bug', (units) => {
    expect(() => formatUnits(units, 2)).toThrow(InvariantError)
  })

  it('reading what was written gives the same units, trimmed or not, at any size', () => {
    const amounts = fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n })
    fc.assert(
      fc.property(amounts, fc.nat(24), (units, decimals) => {
        for (const text of [formatUnits(units, decimals), formatTrimmed(units, decimals)]) {
          if (text.length <= 40) expect(parseAmount(text, decimals)).toEqual({ ok: true, value: units })
        }
      }),
      { seed: 1 },
    )
  })

  it('a plain decimal of few digits is read as every other one is', () => {
    const digits = fc.stringMatching(/^[0-9]{0,9}$/)
    const texts = fc.oneof(
      fc.tuple(digits, fc.constantFrom('', '.'), digits).map((parts) => parts.join('')),
      fc.stringMatching(/^[-+]?[0-9.x]{0,17}$/),
    )
    fc.assert(
      fc.property(texts, fc.nat(12), (text, decimals) => {
        const units = parseUnits(text, decimals)
        const amount = parseAmount(text, decimals)
        const isUnits = amount.ok && amount.value <= Number.MAX_SAFE_INTEGER && /^[0-9]/.test(text)
        expect(units.ok).toBe(isUnits)
        if (units.ok && amount.ok) expect(BigInt(units.value)).toBe(amount.value)
      }),
      { numRuns: 1_000 },
    )
  })

  it('never writes an exponent, a plus sign, a negative zero or a trailing zero', () => {
    const amounts = fc.bigInt({ min: -(10n ** 38n), max: 10n ** 38n })
    fc.assert(
      fc.property(amounts, fc.nat(24), (units, decimals) => {
        const text = formatTrimmed(units, decimals)
        expect(text).toMatch(/^(0|-?[1-9][0-9]*|-?(0|[1-9][0-9]*)\.[0-9]*[1-9])$/)
      }),
      { seed: 1 },
    )
  })
})

describe('rounding', () => {
  it.each`
    numerator          | denominator | expected           | why
    ${5n}              | ${2n}       | ${2n}              | ${'2.5 to the even 2'}
    ${7n}              | ${2n}       | ${4n}              | ${'3.5 to the even 4'}
    ${-5n}             | ${2n}       | ${-2n}             | ${'the same below zero'}
    ${-7n}             | ${2n}       | ${-4n}             | ${'the same below zero'}
    ${1n}              | ${2n}       | ${0n}              | ${'0.5 to zero'}
    ${-1n}             | ${2n}       | ${0n}              | ${'-0.5 to zero'}
    ${8n}              | ${3n}       | ${3n}              | ${'2.67 up'}
    ${7n}              | ${3n}       | ${2n}              | ${'2.33 down'}
    ${6n}              | ${3n}       | ${2n}              | ${'nothing to round'}
    ${0n}              | ${7n}       | ${0n}              | ${'nothing'}
    ${10n ** 40n + 5n} | ${10n}      | ${10n ** 39n}      | ${'a half, at any size'}
    ${10n ** 40n + 6n} | ${10n}      | ${10n ** 39n + 1n} | ${'a little more than a half, at any size'}
  `('divideHalfEven($numerator, $denominator) = $expected: $why', ({ numerator, denominator, expected }) => {
    expect(divideHalfEven(numerator, denominator)).toBe(expected)
  })

  it.each`
    numerator          | denominator | expected           | why
    ${0n}              | ${3n}       | ${0n}              | ${'nothing'}
    ${1n}              | ${3n}       | ${1n}              | ${'anything above nothing is one'}
    ${3n}              | ${3n}       | ${1n}              | ${'nothing to round'}
    ${4n}              | ${3n}       | ${2n}              | ${'up'}
    ${10n ** 40n + 1n} | ${10n}      | ${10n ** 39n + 1n} | ${'up, at any size'}
  `('divideUp($numerator, $denominator) = $expected: $why', ({ numerator, denominator, expected }) => {
    expect(divideUp(numerator, denominator)).toBe(expected)
  })

  it.each`
    name                 | divide
    ${'half even by 0'}  | ${() => divideHalfEven(1n, 0n)}
    ${'half even by -1'} | ${() => divideHalfEven(1n, -1n)}
    ${'up by 0'}         | ${() => divideUp(1n, 0n)}
    ${'up of -1'}        | ${() => divideUp(-1n, 1n)}
  `('$name is a bug', ({ divide }: { divide: () => bigint }) => {
    expect(divide).toThrow(InvariantError)
  })

  it.each([0, 1, 24, 64, 65, 100])('powerOfTen(%i)', (exponent) => {
    expect(powerOfTen(exponent)).toBe(BigInt(`1${'0'.repeat(exponent)}`))
  })
})

describe('faultMessage', () => {
  it.each`
    fault            | text                   | message
    ${'malformed'}   | ${'12,5'}              | ${"expected a decimal such as 12.5, got '12,5'"}
    ${'too-long'}    | ${'1'.repeat(50)}      | ${'expected at most 40 characters, got 50'}
    ${'too-precise'} | ${'1.234'}             | ${"'1.234' has more than 2 decimals"}
    ${'too-large'}   | ${'99999999999999999'} | ${"'99999999999999999' is more than 2^53 - 1 units of 10^-2"}
  `('$fault: $message', ({ fault, text, message }) => {
    expect(faultMessage(fault, text, 2)).toBe(message)
  })

  it('does not repeat endless input', () => {
    expect(faultMessage('malformed', 'x'.repeat(1_000), 2).length).toBeLessThan(100)
  })
})
