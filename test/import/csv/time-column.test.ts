import { describe, expect, it } from 'vitest'
import { TimeColumn } from '../../../src/import/csv/time-column.ts'

/** What a column makes of its times, the first of which decides. */
function parseAll(texts: readonly string[], declaredMs = false): (number | string)[] {
  const column = new TimeColumn(declaredMs)
  return texts.map((text) => {
    const time = column.parse(text)
    return typeof time === 'number' ? time : time.expected
  })
}

describe('TimeColumn', () => {
  it.each`
    text                      | time              | why
    ${'0'}                    | ${0}              | ${'seconds from the first on'}
    ${'1315922016'}           | ${1315922016000}  | ${'10 digits are seconds'}
    ${'99999999999'}          | ${99999999999000} | ${'the last second'}
    ${'100000000000'}         | ${100000000000}   | ${'the first millisecond'}
    ${'1723161255342'}        | ${1723161255342}  | ${'13 digits are milliseconds'}
    ${'99999999999999'}       | ${99999999999999} | ${'the last millisecond'}
    ${'100000000000000'}      | ${100000000000}   | ${'the first microsecond'}
    ${'1583020803145000'}     | ${1583020803145}  | ${'16 digits are microseconds'}
    ${'99999999999999999'}    | ${99999999999999} | ${'the last microsecond, beyond 2^53'}
    ${'100000000000000000'}   | ${100000000000}   | ${'the first nanosecond'}
    ${'1583020803145000000'}  | ${1583020803145}  | ${'19 digits are nanoseconds'}
    ${'1583020803.145'}       | ${1583020803145}  | ${'seconds may have digits behind the point'}
    ${'1583020803.1459'}      | ${1583020803145}  | ${'what is finer than a millisecond is cut off'}
    ${'1583020803.0'}         | ${1583020803000}  | ${'as a float of whole seconds is written'}
    ${'99999999999999999999'} | ${99999999999999} | ${'the last nanosecond'}
    ${'0001583020803'}        | ${1583020803000}  | ${'magnitude is not length'}
    ${'2024-08-09'}           | ${1723161600000}  | ${'a date'}
  `('$why: $text', ({ text, time }: { text: string; time: number }) => {
    expect(parseAll([text])).toEqual([time])
  })

  it.each`
    text                       | why
    ${'100000000000000000000'} | ${'nothing is counted so finely'}
    ${'-1'}                    | ${'before 1970'}
    ${'1.'}                    | ${'no integer'}
    ${'1.7e12'}                | ${'no integer, but a float of one'}
    ${''}                      | ${'nothing'}
    ${'20240809'}              | ${'a date that would pass for a second of 1970'}
    ${'2015-02-30'}            | ${'no such day'}
    ${'noon'}                  | ${'no time'}
  `('is not reported by $text: $why', ({ text }: { text: string }) => {
    expect(parseAll([text])).toEqual([
      expect.stringContaining('Unix seconds, milliseconds, microseconds or nanoseconds'),
    ])
  })

  it.each`
    first                 | later              | expected                 | why
    ${'1315922016'}       | ${'1315922016000'} | ${'Unix seconds'}        | ${'milliseconds among seconds'}
    ${'1723161255342'}    | ${'1723161255'}    | ${'Unix milliseconds'}   | ${'seconds among milliseconds'}
    ${'1583020803145000'} | ${'15'}            | ${'Unix microseconds'}   | ${'too few digits to cut'}
    ${'1723161255342'}    | ${'2024-08-09'}    | ${'Unix milliseconds'}   | ${'a date among integers'}
    ${'2024-08-09'}       | ${'1723161255342'} | ${'a date'}              | ${'an integer among dates'}
    ${'2024-08-09'}       | ${'1969-12-31'}    | ${'a date from 1970 on'} | ${'before 1970'}
  `('holds the form of the first row, $why', ({ first, later, expected }: Record<string, string>) => {
    expect(parseAll([first ?? '', later ?? ''])[1]).toContain(expected)
  })

  it.each`
    first                    | later                 | why
    ${'1723161255342'}       | ${'1723161255343000'} | ${'microseconds behind milliseconds, as in Binance files of 2025'}
    ${'1723161255342000'}    | ${'1723161255343'}    | ${'milliseconds behind microseconds'}
    ${'1723161255342000000'} | ${'1723161255343000'} | ${'microseconds behind nanoseconds'}
  `('may change its unit below a second: $why', ({ first, later }: Record<string, string>) => {
    const column = new TimeColumn(false)
    expect([column.parse(first ?? ''), column.isMixed]).toEqual([1_723_161_255_342, false])
    expect([column.parse(later ?? ''), column.isMixed]).toEqual([1_723_161_255_343, true])
  })

  it.each`
    text                  | expected                      | why
    ${'45292'}            | ${'2024-01-01T00:00:00.000Z'} | ${'a day'}
    ${'45292.3958333333'} | ${'2024-01-01T09:30:00.000Z'} | ${'a fraction that is no whole second in decimals'}
    ${'36526.99998843'}   | ${'2000-01-01T23:59:59.000Z'} | ${'the last second of one'}
  `('reads days as spreadsheets count them: $text, $why', ({ text, expected }: Record<string, string>) => {
    expect(new TimeColumn(false).parse(text ?? '')).toBe(Date.parse(expected ?? ''))
  })

  it.each`
    text                  | expected                             | why
    ${'0'}                | ${0}                                 | ${'the first moment'}
    ${'1315922016'}       | ${1315922016}                        | ${'January 1970'}
    ${'8640000000000000'} | ${8640000000000000}                  | ${'the last moment a date can have'}
    ${'8640000000000001'} | ${'Unix milliseconds as an integer'} | ${'the one after'}
    ${'2024-08-09'}       | ${1723161600000}                     | ${'a date, which some write under that name'}
  `(
    'declared as milliseconds is that whatever the magnitude: $text, $why',
    ({ text, expected }: { text: string; expected: number | string }) => {
      expect(parseAll([text], true)).toEqual([expected])
    },
  )

  it.each`
    texts                                                       | exact    | why
    ${['1583020803145000', '1583020803145000']}                 | ${true}  | ${'whole milliseconds'}
    ${['1583020803145000', '1583020803145001']}                 | ${false} | ${'a microsecond more'}
    ${['1583020803145000000', '1583020803145000001']}           | ${false} | ${'a nanosecond more, which a double cannot hold'}
    ${['2024-08-09T00:00:00.1230', '2024-08-09T00:00:00.1231']} | ${false} | ${'a tenth of a millisecond more'}
  `('knows whether it rounded: $why', ({ texts, exact }: { texts: string[]; exact: boolean }) => {
    const column = new TimeColumn(false)
    const times = texts.map((text) => column.parse(text))
    expect(times[0]).toBe(times[1])
    expect(column.exact).toBe(exact)
  })
})
