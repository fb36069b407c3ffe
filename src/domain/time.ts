/** Time is an integer of Unix milliseconds; order inside a millisecond is the sequence. */

export const SECOND_MS = 1_000
export const MINUTE_MS = 60 * SECOND_MS
export const HOUR_MS = 60 * MINUTE_MS
export const DAY_MS = 24 * HOUR_MS
export const WEEK_MS = 7 * DAY_MS
/** The usual year of the figures that are given for one. */
export const YEAR_MS = 365 * DAY_MS

/** Source of the present time. Pure code gets the time with its input instead. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}

/** The real Date: its replacement during a backtest is slow and does not give a strategy the present time. */
const PlainDate = Date

/** The second that was written last, and its text up to the point. */
let lastSecond = Number.NaN
let lastText = ''

/**
 * ISO 8601 date-time of Unix milliseconds in UTC, as in the specification. Cached per second, since times are usually
 * close together.
 */
export function isoTime(timeMs: number): string {
  const ms = timeMs % 1000
  if (timeMs - ms !== lastSecond || !Number.isInteger(ms) || ms < 0) return firstOfSecond(timeMs)
  return `${lastText}${ms < 10 ? '00' : ms < 100 ? '0' : ''}${ms}Z`
}

const TIME_OF_DAY = '00:00:00.000Z'.length

/** The day that was written last, and its text up to the hour. */
let lastDay = Number.NaN
let lastDate = ''

const twoDigits = (value: number): string => (value < 10 ? `0${value}` : String(value))

function firstOfSecond(timeMs: number): string {
  if (!Number.isInteger(timeMs) || timeMs < 0) return new PlainDate(timeMs).toISOString()
  const ofDay = timeMs % DAY_MS
  if (timeMs - ofDay !== lastDay) {
    lastDate = new PlainDate(timeMs).toISOString().slice(0, -TIME_OF_DAY)
    lastDay = timeMs - ofDay
  }
  const [hours, minutes] = [Math.floor(ofDay / HOUR_MS), Math.floor((ofDay % HOUR_MS) / MINUTE_MS)]
  const seconds = Math.floor((ofDay % MINUTE_MS) / SECOND_MS)
  lastText = `${lastDate}${twoDigits(hours)}:${twoDigits(minutes)}:${twoDigits(seconds)}.`
  lastSecond = timeMs - (timeMs % 1000)
  return isoTime(timeMs)
}
