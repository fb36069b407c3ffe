/**
 * A time of day in a zone, through changes of the clock.
 */
import { describe, expect, it } from 'vitest'
import { InputError } from '../../src/domain/errors.ts'
import { dailyTime } from '../../src/strategy/daily-time.ts'

const days = (clock: string, zone: string, from: string, count: number): readonly string[] => {
  const { after } = dailyTime(clock, zone)
  const moments: number[] = []
  let time = Date.parse(from)
  for (let day = 0; day < count; day += 1) {
    time = after(time)
    moments.push(time)
  }
  return moments.map((moment) => new Date(moment).toISOString().slice(0, 19))
}

describe('a time of day', () => {
  it.each`
    clock         | zone                     | from                      | expected                                                                 | why
    ${'09:00'}    | ${'Europe/Berlin'}       | ${'2024-03-30T00:00:00Z'} | ${['2024-03-30T08:00:00', '2024-03-31T07:00:00', '2024-04-01T07:00:00']} | ${'is the same on the wall when summer begins'}
    ${'09:00'}    | ${'Europe/Berlin'}       | ${'2024-10-26T07:00:00Z'} | ${['2024-10-27T08:00:00', '2024-10-28T08:00:00']}                        | ${'and when it ends; what is now is not later'}
    ${'02:30'}    | ${'Europe/Berlin'}       | ${'2024-03-30T12:00:00Z'} | ${['2024-03-31T01:30:00', '2024-04-01T00:30:00']}                        | ${'that clocks skip comes an hour later, at 03:30'}
    ${'02:30'}    | ${'Europe/Berlin'}       | ${'2024-10-26T12:00:00Z'} | ${['2024-10-27T00:30:00', '2024-10-28T01:30:00']}                        | ${'that comes twice is reported the first time'}
    ${'02:00'}    | ${'Europe/Berlin'}       | ${'2024-03-30T12:00:00Z'} | ${['2024-03-31T01:00:00', '2024-04-01T00:00:00']}                        | ${'at the change itself is 03:00'}
    ${'00:30'}    | ${'America/Havana'}      | ${'2024-03-09T12:00:00Z'} | ${['2024-03-10T05:30:00', '2024-03-11T04:30:00']}                        | ${'at a midnight that is skipped stays on its day'}
    ${'02:15'}    | ${'Australia/Lord_Howe'} | ${'2024-10-05T00:00:00Z'} | ${['2024-10-05T15:45:00', '2024-10-06T15:15:00']}                        | ${'half an hour is moved there'}
    ${'10:00'}    | ${'Pacific/Apia'}        | ${'2011-12-29T00:00:00Z'} | ${['2011-12-29T20:00:00', '2011-12-30T20:00:00', '2011-12-31T20:00:00']} | ${'of a day that was left out is reported once with the next'}
    ${'09:30:15'} | ${'Asia/Kolkata'}        | ${'2024-01-01T00:00:00Z'} | ${['2024-01-01T04:00:15', '2024-01-02T04:00:15']}                        | ${'has seconds, and zones half hours'}
    ${'23:59:59'} | ${'UTC'}                 | ${'1969-12-31T23:59:59Z'} | ${['1970-01-01T23:59:59']}                                               | ${'is there before the epoch, too'}
    ${'00:00'}    | ${'America/New_York'}    | ${'2024-11-03T00:00:00Z'} | ${['2024-11-03T04:00:00', '2024-11-04T05:00:00']}                        | ${'is midnight on days of 25 hours'}
  `('$clock $zone $why', ({ clock, zone, from, expected }) => {
    expect(days(clock as string, zone as string, from as string, (expected as string[]).length)).toEqual(expected)
  })

  it('comes once a local day for ten years, never twice and never out of order', () => {
    for (const [clock, zone] of [
      ['02:30', 'Europe/Berlin'],
      ['01:30', 'America/New_York'],
      ['00:00', 'America/Sao_Paulo'],
    ] as const) {
      const { after } = dailyTime(clock, zone)
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
      let time = after(Date.UTC(2014, 0, 1, 12))
      const seen = new Set<string>()
      for (let count = 0; count < 3_652; count += 1) {
        const next = after(time)
        expect(next - time).toBeGreaterThan(22 * 3_600_000)
        seen.add(day.format(next))
        time = next
      }
      expect(seen.size).toBe(3_652)
    }
  })

  it.each(['9:00', '24:00', '09:60', '0900', '09:00:60', 'noon', ''])("'%s' is none", (clock) => {
    expect(() => dailyTime(clock, 'UTC')).toThrow(InputError)
  })

  it.each(['Europe/Berlln', '', 'CEST2'])("'%s' is no zone", (zone) => {
    expect(() => dailyTime('09:00', zone)).toThrow(`no zone '${zone}'`)
  })
})
