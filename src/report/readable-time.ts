/**
 * Times for people, in UTC.
 */
import { isoTime } from '../domain/time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * A period as precisely as its length deserves: dates beyond 30 days or from midnight to midnight, milliseconds below a
 * minute, minutes when it ends on another date, else seconds. Finer digits are left out, not rounded.
 *
 * @param from  Unix milliseconds, <= to
 */
export function readablePeriod(from: number, to: number): string {
  const isWholeDays = from % DAY_MS === 0 && to % DAY_MS === 0
  if (isWholeDays || to - from > 30 * DAY_MS) return `${dateOf(from)} to ${dateOf(to)}`
  const isOneDate = dateOf(from) === dateOf(to)
  const clock = clockFor(to - from, isOneDate)
  const end = isOneDate ? clock(to) : `${dateOf(to)} ${clock(to)}`
  return `${dateOf(from)} ${clock(from)} to ${end} UTC`
}

const dateOf = (time: number): string => isoTime(time).slice(0, isoTime(time).indexOf('T'))

/** Writes the time of day in the digits that suit a period of `spanMs`; two dates leave no room for seconds. */
function clockFor(spanMs: number, isOneDate: boolean): (time: number) => string {
  const pattern = isOneDate ? 'HH:MM:SS' : 'HH:MM'
  const { length } = spanMs < MINUTE_MS ? 'HH:MM:SS.mmm' : pattern
  return (time) =>
    isoTime(time)
      .slice(isoTime(time).indexOf('T') + 1)
      .slice(0, length)
}
