/**
 * Times for people, in UTC.
 */
import { isoTime } from '../domain/time.ts'

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/**
 * A period as precisely as its length deserves: dates beyond 30 days or from midnight to midnight, minutes beyond a
 * day, milliseconds below a minute, else seconds. Finer digits are left out, not rounded.
 *
 * @param from  Unix milliseconds, <= to
 */
export function readablePeriod(from: number, to: number): string {
  const isWholeDays = from % DAY_MS === 0 && to % DAY_MS === 0
  if (isWholeDays || to - from > 30 * DAY_MS) return `${dateOf(from)} to ${dateOf(to)}`
  const clock = clockFor(to - from)
  const end = dateOf(from) === dateOf(to) ? clock(to) : `${dateOf(to)} ${clock(to)}`
  return `${dateOf(from)} ${clock(from)} to ${end} UTC`
}

const dateOf = (time: number): string => isoTime(time).slice(0, isoTime(time).indexOf('T'))

/** Writes the time of day in the digits that suit a period of `spanMs`. */
function clockFor(spanMs: number): (time: number) => string {
  const pattern = spanMs < MINUTE_MS ? 'HH:MM:SS.mmm' : 'HH:MM:SS'
  const { length } = spanMs > DAY_MS ? 'HH:MM' : pattern
  return (time) =>
    isoTime(time)
      .slice(isoTime(time).indexOf('T') + 1)
      .slice(0, length)
}
