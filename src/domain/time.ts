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

const MS_AND_ZONE = '000Z'.length

function firstOfSecond(timeMs: number): string {
  const text = new PlainDate(timeMs).toISOString()
  if (!Number.isInteger(timeMs) || timeMs < 0) return text
  lastSecond = timeMs - (timeMs % 1000)
  lastText = text.slice(0, -MS_AND_ZONE)
  return text
}
