import { describe, expect, it } from 'vitest'
import {
  readableAmount,
  readableChange,
  readableCount,
  readableDecimal,
  readableDuration,
  readablePercent,
  readablePeriod,
  readableSigned,
} from '../../src/report/readable.ts'

describe('a decimal string', () => {
  it.each`
    text                    | decimal                 | amount                       | why
    ${'0'}                  | ${'0'}                  | ${'0'}                       | ${'nothing'}
    ${'999'}                | ${'999'}                | ${'999'}                     | ${'too short for a separator'}
    ${'-123456'}            | ${'-123456'}            | ${'-123,456'}                | ${'the sign takes no separator'}
    ${'1234567.1234'}       | ${'1234567.1234'}       | ${'1,234,567.1234'}          | ${'nor do the decimals'}
    ${'0.12345678'}         | ${'0.12345678'}         | ${'0.12345678'}              | ${'8 decimals stand'}
    ${'0.123456789'}        | ${'0.12345678…'}        | ${'0.12345678…'}             | ${'more are cut, not rounded, and it says so'}
    ${'-0.000000001'}       | ${'-0.00000000…'}       | ${'-0.00000000…'}            | ${'even when nothing but zeros is left'}
    ${'9007199254740993.5'} | ${'9007199254740993.5'} | ${'9,007,199,254,740,993.5'} | ${'no float on the way'}
  `('$text -> $amount: $why', ({ text, decimal, amount }: Record<'text' | 'decimal' | 'amount', string>) => {
    expect(readableDecimal(text)).toBe(decimal)
    expect(readableAmount(text)).toBe(amount)
  })
})

it.each`
  text         | expected      | why
  ${'1234.5'}  | ${'+1,234.5'} | ${'a gain has a sign'}
  ${'-1234.5'} | ${'-1,234.5'} | ${'a loss has its own'}
  ${'0'}       | ${'0'}        | ${'nothing has none'}
  ${'0.001'}   | ${'+0.001'}   | ${'however small'}
`('a change: $text -> $expected, $why', ({ text, expected }: Record<'text' | 'expected', string>) => {
  expect(readableSigned(text)).toBe(expected)
})

describe('a fraction', () => {
  it.each`
    fraction     | percent          | change            | why
    ${0}         | ${'0.00 %'}      | ${'0.00 %'}       | ${'no change has no sign'}
    ${0.0123}    | ${'1.23 %'}      | ${'+1.23 %'}      | ${'a gain has'}
    ${-0.5}      | ${'-50.00 %'}    | ${'-50.00 %'}     | ${'a loss has its own'}
    ${-0.000001} | ${'0.00 %'}      | ${'0.00 %'}       | ${'minus nothing is nothing'}
    ${123.456}   | ${'12,345.60 %'} | ${'+12,345.60 %'} | ${'with separators'}
    ${1e30}      | ${'1e+32 %'}     | ${'+1e+32 %'}     | ${'beyond what digits can say'}
  `(
    '$fraction -> $change: $why',
    ({ fraction, percent, change }: { fraction: number; percent: string; change: string }) => {
      expect(readablePercent(fraction)).toBe(percent)
      expect(readableChange(fraction)).toBe(change)
    },
  )
})

it('a count knows its plural', () => {
  expect([0, 1, 2, 1234].map((count) => readableCount(count, 'fill'))).toEqual([
    '0 fills',
    '1 fill',
    '2 fills',
    '1,234 fills',
  ])
})

it.each`
  ms             | expected             | why
  ${0}           | ${'0 ms'}            | ${'no time at all'}
  ${62_050}      | ${'1 min 2 s 50 ms'} | ${'to the millisecond'}
  ${86_400_001}  | ${'1 d 1 ms'}        | ${'parts of 0 are left out'}
  ${864_000_000} | ${'10 d'}            | ${'days are the longest'}
`('a duration: $expected, $why', ({ ms, expected }: { ms: number; expected: string }) => {
  expect(readableDuration(ms)).toBe(expected)
})

describe('a period', () => {
  it.each`
    from                          | to                            | expected                                                    | why
    ${'2020-01-01T00:00:00.000Z'} | ${'2024-03-01T00:00:00.000Z'} | ${'2020-01-01 to 2024-03-01'}                               | ${'whole days'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-03-01T11:22:33.456Z'} | ${'2024-01-01 to 2024-03-01'}                               | ${'months: dates'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-20T11:22:33.456Z'} | ${'2024-01-01 10:20 to 2024-01-20 11:22 UTC'}               | ${'long: minutes'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-01T10:31:20.999Z'} | ${'2024-01-01 10:20:30 to 10:31:20 UTC'}                    | ${'one date once'}
    ${'2024-01-01T23:59:00.000Z'} | ${'2024-01-02T00:01:00.000Z'} | ${'2024-01-01 23:59 to 2024-01-02 00:01 UTC'}               | ${'over midnight'}
    ${'2024-01-01T23:59:59.900Z'} | ${'2024-01-02T00:00:09.000Z'} | ${'2024-01-01 23:59:59.900 to 2024-01-02 00:00:09.000 UTC'} | ${'a moment over midnight'}
    ${'2024-01-01T10:20:30.456Z'} | ${'2024-01-01T10:20:31.000Z'} | ${'2024-01-01 10:20:30.456 to 10:20:31.000 UTC'}            | ${'short: milliseconds'}
  `('$why: $expected', ({ from, to, expected }: Record<'from' | 'to' | 'expected', string>) => {
    expect(readablePeriod(Date.parse(from), Date.parse(to))).toBe(expected)
  })
})
