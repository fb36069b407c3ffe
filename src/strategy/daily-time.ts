/**
 * A local time of day as moments: once each local day, through changes of the clock.
 *
 * A time skipped when clocks go forward is shifted by the change: 02:30 fires at 03:30. A repeated time fires at its
 * first occurrence. Java and Temporal do the same.
 * Known limit: zones are those of the ICU of this Node; another version may have other rules for the present.
 */
import { InputError } from '../domain/errors.ts'
import { DAY_MS } from '../domain/time.ts'
import { zoneClock } from '../domain/zone-clock.ts'

/** Moments of a time of day, in Unix milliseconds. */
export interface DailyTime {
  /** The first one later than `time`. */
  readonly after: (time: number) => number
}

/**
 * @param clock  `HH:MM` or `HH:MM:SS`, 00:00 to 23:59:59
 * @param zone   IANA, such as Europe/Berlin
 * @throws {InputError} for an invalid time of day, or an unknown zone
 */
export function dailyTime(clock: string, zone: string): DailyTime {
  const sinceMidnight = clockMs(clock)
  const { aheadMs, utcOf } = zoneClock(zone, 'daily')
  /** Moment on the local day that is this many days after 1970-01-01. */
  const onDay = (day: number): number => utcOf(day * DAY_MS + sinceMidnight)
  return {
    after: (time) => {
      const today = Math.floor((time + aheadMs(time)) / DAY_MS)
      for (let day = today - 1; ; day += 1) {
        const moment = onDay(day)
        if (moment > time) return moment
      }
    },
  }
}

function clockMs(clock: string): number {
  const [, hours, minutes, seconds = '0'] = /^([01]\d|2[0-3]):([0-5]\d)(?::([0-5]\d))?$/.exec(clock) ?? []
  if (hours !== undefined && minutes !== undefined) {
    return ((Number(hours) * 60 + Number(minutes)) * 60 + Number(seconds)) * 1_000
  }
  throw new InputError('daily', `expected a time of day such as '09:00' or '17:30:15', got '${clock}'`)
}
