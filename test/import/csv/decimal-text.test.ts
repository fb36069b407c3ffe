import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../../src/import/csv/decimal-text.ts'

describe('parseDecimal', () => {
  it.each`
    text                                      | mantissa            | decimals | why
    ${'12.5'}                                 | ${125}              | ${1}     | ${'the usual form'}
    ${'61837.63000000'}                       | ${6183763}          | ${2}     | ${'trailing zeros do not count'}
    ${'1000'}                                 | ${1000}             | ${0}     | ${'zeros before the point do'}
    ${'007.50'}                               | ${75}               | ${1}     | ${'leading zeros do not'}
    ${'0'}                                    | ${0}                | ${0}     | ${'zero'}
    ${'0.000000000000000000'}                 | ${0}                | ${0}     | ${'zero, however written'}
    ${'0e99'}                                 | ${0}                | ${0}     | ${'zero has no size'}
    ${'3.844E-5'}                             | ${3844}             | ${8}     | ${'scientific notation is exact'}
    ${'3.8440e-5'}                            | ${3844}             | ${8}     | ${'its trailing zeros do not count either'}
    ${'1e3'}                                  | ${1000}             | ${0}     | ${'a positive exponent'}
    ${'1.25E+1'}                              | ${125}              | ${1}     | ${'a signed exponent'}
    ${'12.5e1'}                               | ${125}              | ${0}     | ${'the exponent uses up the fraction'}
    ${'100e-2'}                               | ${1}                | ${0}     | ${'the exponent uses up trailing zeros'}
    ${'9007199254740991'}                     | ${9007199254740991} | ${0}     | ${'2^53 - 1'}
    ${'0.000000000001'}                       | ${1}                | ${12}    | ${'12 decimals'}
    ${'0.0000000000010'}                      | ${1}                | ${12}    | ${'12 decimals and a zero'}
    ${`${'0'.repeat(50)}1.${'0'.repeat(50)}`} | ${1}                | ${0}     | ${'zeros may be many'}
  `('$why: $text', ({ text, mantissa, decimals }: { text: string; mantissa: number; decimals: number }) => {
    expect(parseDecimal(text, 12)).toEqual({ mantissa, decimals })
  })

  it.each`
    text                   | fault            | why
    ${''}                  | ${'malformed'}   | ${'nothing'}
    ${' 1'}                | ${'malformed'}   | ${'a blank'}
    ${'1 '}                | ${'malformed'}   | ${'a blank behind'}
    ${'+1'}                | ${'malformed'}   | ${'a plus sign'}
    ${'-1'}                | ${'malformed'}   | ${'a minus sign'}
    ${'.5'}                | ${'malformed'}   | ${'no digit before the point'}
    ${'1.'}                | ${'malformed'}   | ${'no digit behind it'}
    ${'1.2.3'}             | ${'malformed'}   | ${'two points'}
    ${'1,5'}               | ${'malformed'}   | ${'a comma'}
    ${'1_000'}             | ${'malformed'}   | ${'a separator'}
    ${'0x10'}              | ${'malformed'}   | ${'hexadecimal'}
    ${'NaN'}               | ${'malformed'}   | ${'not a number'}
    ${'Infinity'}          | ${'malformed'}   | ${'not a finite one'}
    ${'1e'}                | ${'malformed'}   | ${'an exponent without digits'}
    ${'1e1.5'}             | ${'malformed'}   | ${'an exponent that is no integer'}
    ${'\uff11'}            | ${'malformed'}   | ${'a digit that is not ASCII'}
    ${'1\n'}               | ${'malformed'}   | ${'a line feed'}
    ${'0.0000000000001'}   | ${'too-precise'} | ${'13 decimals'}
    ${'1e-13'}             | ${'too-precise'} | ${'13 decimals by the exponent'}
    ${'1e-999999999999'}   | ${'too-precise'} | ${'an exponent beyond all bounds'}
    ${'9007199254740992'}  | ${'too-large'}   | ${'2^53'}
    ${'9007199254740993'}  | ${'too-large'}   | ${'which a double would round to 2^53'}
    ${'900719925474099.3'} | ${'too-large'}   | ${'its digits do not fit, wherever the point is'}
    ${'10000000000000000'} | ${'too-large'}   | ${'17 digits'}
    ${'1e16'}              | ${'too-large'}   | ${'17 digits by the exponent'}
    ${'1e999999999999'}    | ${'too-large'}   | ${'an exponent beyond all bounds'}
  `('$why: $text is $fault', ({ text, fault }: { text: string; fault: string }) => {
    expect(parseDecimal(text, 12)).toBe(fault)
  })

  it('allows as many decimals as it is given', () => {
    expect(parseDecimal('1.230', 2)).toEqual({ mantissa: 123, decimals: 2 })
    expect(parseDecimal('1.234', 2)).toBe('too-precise')
    expect(parseDecimal('1.5', 0)).toBe('too-precise')
  })

  it('reads every way of writing a value as that value', () => {
    const value = fc.tuple(fc.nat({ max: Number.MAX_SAFE_INTEGER }), fc.integer({ min: 0, max: 12 }))
    fc.assert(
      fc.property(
        value,
        fc.nat({ max: 5 }),
        fc.nat({ max: 5 }),
        fc.integer({ min: -9, max: 9 }),
        (of, before, behind, shift) => {
          const [units, decimals] = of
          // The value as digits x 10^-(decimals + shift) x 10^shift, with zeros around that say nothing.
          const places = Math.max(0, decimals + shift)
          const digits = String(units).padStart(places + 1, '0')
          const zeros = '0'.repeat(behind)
          const fraction = digits.slice(digits.length - places) + zeros
          const text =
            '0'.repeat(before) + digits.slice(0, digits.length - places) + (fraction === '' ? '' : `.${fraction}`)
          const parsed = parseDecimal(`${text}e${places - decimals}`, 12)
          if (typeof parsed === 'string') throw new Error(`${text} is ${parsed}`)
          expect(BigInt(parsed.mantissa) * 10n ** BigInt(12 - parsed.decimals)).toBe(
            BigInt(units) * 10n ** BigInt(12 - decimals),
          )
          expect(parsed.decimals === 0 || parsed.mantissa % 10 !== 0).toBe(true)
        },
      ),
    )
  })
})
