import { describe, expect, it } from 'vitest'
import { parseIsoTime } from '../../src/domain/iso-time.ts'

describe('parseIsoTime', () => {
  it.each`
    text                                  | iso                           | why
    ${'2024-08-09'}                       | ${'2024-08-09T00:00:00.000Z'} | ${'a date is midnight UTC'}
    ${'2024-08-09T12:30'}                 | ${'2024-08-09T12:30:00.000Z'} | ${'no seconds'}
    ${'2024-08-09T12:30:05'}              | ${'2024-08-09T12:30:05.000Z'} | ${'no zone is UTC'}
    ${'2024-08-09 12:30:05'}              | ${'2024-08-09T12:30:05.000Z'} | ${'a space for the T'}
    ${'2024-08-09T12:30:05Z'}             | ${'2024-08-09T12:30:05.000Z'} | ${'Z is UTC'}
    ${'2024-08-09T12:30:05.7Z'}           | ${'2024-08-09T12:30:05.700Z'} | ${'tenths'}
    ${'2024-08-09 12:30:05.138000+00:00'} | ${'2024-08-09T12:30:05.138Z'} | ${'as pandas writes it'}
    ${'2024-08-09T12:30:05+02:00'}        | ${'2024-08-09T10:30:05.000Z'} | ${'east of Greenwich'}
    ${'2024-08-09T12:30:05-0330'}         | ${'2024-08-09T16:00:05.000Z'} | ${'west of it, without a colon'}
    ${'2024-08-09T23:30:00-02'}           | ${'2024-08-10T01:30:00.000Z'} | ${'a zone of whole hours, over midnight'}
    ${'2024-02-29'}                       | ${'2024-02-29T00:00:00.000Z'} | ${'a leap year'}
    ${'2000-02-29'}                       | ${'2000-02-29T00:00:00.000Z'} | ${'a leap century'}
    ${'1969-12-31T23:00:00-01:00'}        | ${'1970-01-01T00:00:00.000Z'} | ${'the first moment, reported from the west'}
  `('$why: $text', ({ text, iso }: { text: string; iso: string }) => {
    expect(parseIsoTime(text)).toEqual({ time: Date.parse(iso), exact: true })
  })

  it.each`
    text                           | why
    ${'2015-02-30'}                | ${'no such day'}
    ${'2023-02-29'}                | ${'no leap year'}
    ${'1900-02-29'}                | ${'no leap century'}
    ${'2024-00-10'}                | ${'no month 0'}
    ${'2024-13-10'}                | ${'no month 13'}
    ${'2024-04-31'}                | ${'30 days'}
    ${'2024-04-00'}                | ${'no day 0'}
    ${'2024-04-01T24:00:00'}       | ${'hours end at 23'}
    ${'2024-04-01T12:60:00'}       | ${'minutes end at 59'}
    ${'2024-04-01T12:00:60'}       | ${'no leap seconds'}
    ${'2024-04-01T12:00:00+24:00'} | ${'no such zone'}
    ${'2024-04-01T12:00:00+01:60'} | ${'no such zone'}
    ${'2024-04-01T12'}             | ${'hours alone'}
    ${'2024-04-01T12:00:00.'}      | ${'a point without digits'}
    ${'2024-04-01Z'}               | ${'a zone without a time of day'}
    ${'2024-4-1'}                  | ${'digits left out'}
    ${'24-04-01'}                  | ${'a year of two digits'}
    ${'0024-04-01'}                | ${'a year that JavaScript would take for 1924'}
    ${'01/04/2024'}                | ${'another order'}
    ${'2024-04-01 12:00:00 UTC'}   | ${'a zone by name'}
    ${' 2024-04-01'}               | ${'a blank'}
    ${'2024-04-01\n'}              | ${'a line feed'}
    ${'\uff12024-04-01'}           | ${'a digit that is not ASCII'}
    ${''}                          | ${'nothing'}
  `('refuses $text: $why', ({ text }: { text: string }) => {
    expect(parseIsoTime(text)).toBeUndefined()
  })

  it('rounds what is finer than a millisecond down, and says so', () => {
    const second = Date.parse('2024-08-09T12:30:05Z')
    expect(parseIsoTime('2024-08-09T12:30:05.1239999')).toEqual({ time: second + 123, exact: false })
    expect(parseIsoTime('2024-08-09T12:30:05.123000001')).toEqual({ time: second + 123, exact: false })
    expect(parseIsoTime('2024-08-09T12:30:05.123000000')).toEqual({ time: second + 123, exact: true })
  })
})
