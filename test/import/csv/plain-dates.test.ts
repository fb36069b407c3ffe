import fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { parseIsoTime } from '../../../src/domain/iso-time.ts'
import { PlainDates } from '../../../src/import/csv/row-scanner.ts'
import { UNUSUAL } from '../../../src/import/csv/plain-numbers.ts'

const dates = new PlainDates()

/** What is read of a text that a comma follows. */
function read(text: string): { time: number; exact: boolean; rest: string } {
  const bytes = Buffer.from(`${text},\n`)
  const time = dates.time(bytes, 0)
  return { time, exact: !dates.hasCut, rest: bytes.toString('latin1', dates.end, bytes.length - 2) }
}

describe('PlainDates', () => {
  it.each`
    text                                | why
    ${'2024-08-09'}                     | ${'a day'}
    ${'2024-02-29'}                     | ${'a leap day'}
    ${'1970-01-01'}                     | ${'the first day'}
    ${'9999-12-31 23:59:59.999'}        | ${'the last moment'}
    ${'2024-08-09 12:30'}               | ${'a minute'}
    ${'2024-08-09T12:30:15'}            | ${'a second, behind a T'}
    ${'2024-08-09 12:30:15.5Z'}         | ${'half a second, in UTC'}
    ${'2024-08-09 12:30Z'}              | ${'a minute in UTC'}
    ${'2024-08-09T12:30:15.123000000Z'} | ${'nanoseconds that are zero'}
    ${'2024-08-09T12:30:15.123000001Z'} | ${'the last nanosecond'}
  `('reads $text: $why', ({ text }: { text: string }) => {
    expect(read(text)).toEqual({ ...parseIsoTime(text), rest: '' })
  })

  it.each([
    '2023-02-29',
    '2024-13-01',
    '2024-00-01',
    '2024-08-00',
    '0999-08-09',
    '1969-12-31',
    '2024-8-09',
    '2024/08/09',
    '',
  ])('leaves %j, no day from 1970 on', (text) => {
    expect(read(text).time).toBe(UNUSUAL)
  })

  it.each([
    '2024-08-09 24:00',
    '2024-08-09 12:60',
    '2024-08-09 12:30:60',
    '2024-08-09 1:30',
    '2024-08-09 12',
    '2024-08-09T12:30:15.',
  ])('leaves %j, no time of day', (text) => {
    expect(read(text).time).toBe(UNUSUAL)
  })

  it('reads dates as parseIsoTime does, or not to their end, or not at all', () => {
    const part = fc.constantFrom('00', '01', '02', '09', '12', '23', '28', '29', '30', '31', '59', '60', '1', '99')
    const parts = fc.tuple(
      fc.constantFrom('1969', '1970', '2000', '2023', '2024', '2100', '0000'),
      part,
      part,
      part,
      part,
      part,
    )
    const form = fc.record({
      separator: fc.constantFrom(' ', 'T', 't', '  '),
      length: fc.constantFrom('day', 'minute', 'second', 'fraction'),
      fraction: fc.constantFrom('', '0', '5', '123', '1239', '1230', '123000', '000001'),
      zone: fc.constantFrom('', '', '', 'Z', '+00:00', '+05:30', 'z'),
    })
    const reached = { read: 0, left: 0, cut: 0, zoned: 0 }
    fc.assert(
      fc.property(parts, form, ([year, month, day, hour, minute, second], { separator, length, fraction, zone }) => {
        const clock = { day: '', minute: `${hour}:${minute}`, second: `${hour}:${minute}:${second}`, fraction: '' }
        clock.fraction = `${clock.second}.${fraction}`
        const text = `${year}-${month}-${day}${length === 'day' ? '' : separator}${clock[length]}${zone}`
        const { time, exact, rest } = read(text)
        const isWhole = time !== UNUSUAL && rest === ''
        reached.read += isWhole ? 1 : 0
        reached.left += isWhole ? 0 : 1
        reached.cut += isWhole && !exact ? 1 : 0
        reached.zoned += isWhole && zone === 'Z' ? 1 : 0
        if (isWhole) expect({ time, exact }).toEqual(parseIsoTime(text))
      }),
      { numRuns: 5000 },
    )
    expect(Object.entries(reached).filter(([, count]) => count === 0)).toEqual([])
  })
})
