import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseDecimal } from '../../../src/import/csv/decimal-text.ts'
import { PlainNumbers, UNUSUAL } from '../../../src/import/csv/plain-numbers.ts'

const MAX = Number.MAX_SAFE_INTEGER

/** What is read of a text that a comma follows. */
function decimal(text: string): { value: number; decimals: number; rest: string } {
  const numbers = new PlainNumbers()
  const bytes = Buffer.from(`${text},\n`)
  const value = numbers.decimal(bytes, 0)
  return { value, decimals: numbers.decimals, rest: bytes.toString('latin1', numbers.end, bytes.length - 2) }
}

function integer(text: string, cutDigits = 0): { value: number; hasCut: boolean } {
  const numbers = new PlainNumbers()
  const value = numbers.integer(Buffer.from(`${text},\n`), 0, cutDigits)
  return { value, hasCut: numbers.hasCut }
}

describe('PlainNumbers', () => {
  it.each`
    text                    | value           | decimals | why
    ${'61837.63000000'}     | ${6183763}      | ${2}     | ${'trailing zeros do not count'}
    ${'123456789'}          | ${123456789}    | ${0}     | ${'9 digits fit 31 bits'}
    ${'9999999999'}         | ${9999999999}   | ${0}     | ${'10 do not'}
    ${'9007199254740991'}   | ${MAX}          | ${0}     | ${'2^53 - 1'}
    ${'9007199254740992'}   | ${UNUSUAL}      | ${0}     | ${'2^53'}
    ${'9007199254740993'}   | ${UNUSUAL}      | ${0}     | ${'which a double would round to 2^53'}
    ${'9999999999999999'}   | ${UNUSUAL}      | ${0}     | ${'16 digits beyond it'}
    ${'00000000000000001'}  | ${UNUSUAL}      | ${0}     | ${'17 digits, however small'}
    ${'9007199254740.991'}  | ${MAX}          | ${3}     | ${'2^53 - 1 units'}
    ${'9007199254740.992'}  | ${UNUSUAL}      | ${3}     | ${'2^53 units'}
    ${'900719925474099.20'} | ${UNUSUAL}      | ${1}     | ${'2^53 units and a zero'}
    ${'0.123456789012'}     | ${123456789012} | ${12}    | ${'12 decimals'}
    ${'0.1234567890123'}    | ${UNUSUAL}      | ${0}     | ${'13 decimals'}
    ${'0.1230000000000000'} | ${123}          | ${3}     | ${'13 zeros'}
    ${'007.5'}              | ${75}           | ${1}     | ${'leading zeros do not count'}
    ${'.5'}                 | ${UNUSUAL}      | ${0}     | ${'no digit before the point'}
    ${'5.'}                 | ${UNUSUAL}      | ${0}     | ${'no digit behind it'}
    ${''}                   | ${UNUSUAL}      | ${0}     | ${'nothing'}
    ${'-5'}                 | ${UNUSUAL}      | ${0}     | ${'a sign'}
  `('reads a decimal: $text, $why', ({ text, value, decimals }: { text: string; value: number; decimals: number }) => {
    const read = decimal(text)
    expect(read.value).toBe(value)
    if (value !== UNUSUAL) expect(read).toEqual({ value, decimals, rest: '' })
  })

  it.each`
    text                     | cutDigits | value            | hasCut   | why
    ${'1723161255342'}       | ${0}      | ${1723161255342} | ${false} | ${'milliseconds'}
    ${'1583020803145000'}    | ${3}      | ${1583020803145} | ${false} | ${'microseconds'}
    ${'1583020803145001'}    | ${3}      | ${1583020803145} | ${true}  | ${'the last digit that is cut'}
    ${'1583020803145100'}    | ${3}      | ${1583020803145} | ${true}  | ${'the first'}
    ${'1583020803145000000'} | ${6}      | ${1583020803145} | ${false} | ${'nanoseconds, beyond 2^53'}
    ${'1583020803145000001'} | ${6}      | ${1583020803145} | ${true}  | ${'their last digit'}
    ${'123'}                 | ${3}      | ${UNUSUAL}       | ${false} | ${'nothing would be left'}
    ${'0'}                   | ${0}      | ${0}             | ${false} | ${'zero'}
    ${'07'}                  | ${0}      | ${UNUSUAL}       | ${false} | ${'a leading zero'}
    ${'00'}                  | ${0}      | ${UNUSUAL}       | ${false} | ${'a leading zero before zero'}
    ${'9007199254740991'}    | ${0}      | ${MAX}           | ${false} | ${'2^53 - 1'}
    ${'9007199254740992'}    | ${0}      | ${UNUSUAL}       | ${false} | ${'2^53'}
    ${'12345678901234567'}   | ${0}      | ${UNUSUAL}       | ${false} | ${'17 digits'}
  `(
    'reads an integer: $text less $cutDigits, $why',
    ({ text, cutDigits, value, hasCut }: { text: string; cutDigits: number; value: number; hasCut: boolean }) => {
      const read = integer(text, cutDigits)
      expect(read.value).toBe(value)
      if (value !== UNUSUAL) expect(read.hasCut).toBe(hasCut)
    },
  )

  it('reads decimals as parseDecimal does, or not at all', () => {
    const digits = fc.string({ unit: fc.constantFrom('0', '0', '0', '0', '1', '5', '9'), maxLength: 18 })
    const text = fc.oneof(
      digits,
      fc.tuple(digits, digits).map(([whole, fraction]) => `${whole}.${fraction}`),
    )
    const reached = { read: 0, unusual: 0, long: 0 }
    fc.assert(
      fc.property(text, (written) => {
        const { value, decimals, rest } = decimal(written)
        const isRead = value !== UNUSUAL
        reached.read += isRead ? 1 : 0
        reached.unusual += isRead ? 0 : 1
        reached.long += isRead && value > 2 ** 31 ? 1 : 0
        if (!isRead) return
        expect(rest).toBe('')
        expect({ mantissa: value, decimals: value === 0 ? 0 : decimals }).toEqual(parseDecimal(written, 12))
      }),
      { numRuns: 2000 },
    )
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
  })

  it('reads integers as BigInt does, or not at all', () => {
    const reached = { read: 0, unusual: 0, cut: 0 }
    const text = fc.oneof(fc.nat({ max: MAX }).map(String), fc.stringMatching(/^[0-9]{1,20}$/))
    fc.assert(
      fc.property(text, fc.constantFrom(0, 3, 6), (written, cutDigits) => {
        const { value, hasCut } = integer(written, cutDigits)
        const isRead = value !== UNUSUAL
        reached.read += isRead ? 1 : 0
        reached.unusual += isRead ? 0 : 1
        reached.cut += isRead && hasCut ? 1 : 0
        if (!isRead) return
        const unit = 10n ** BigInt(cutDigits)
        expect(BigInt(value)).toBe(BigInt(written) / unit)
        expect(hasCut).toBe(BigInt(written) % unit !== 0n)
      }),
      { numRuns: 1000 },
    )
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
  })
})
