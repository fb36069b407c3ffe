/**
 * Calendar periods as lengths of candles: months, and days whose length changes with daylight saving time.
 *
 * A month has no fixed length, so its mean represents it wherever a length in milliseconds is stored, and no other
 * length equals it.
 */

/** A strategy's `Date` refuses the present during a backtest, and is slow. */
const PlainDate = Date

import { DAY_MS, HOUR_MS } from './time.ts'

/** Mean length of a Gregorian month: 365.2425 days / 12. */
export const MONTH_MS = 2_629_746_000

/** Number of months that a length represents; undefined for a fixed length. */
export const monthsOf = (lengthMs: number): number | undefined =>
  lengthMs % MONTH_MS === 0 && lengthMs > 0 ? lengthMs / MONTH_MS : undefined

/** Months since January 1970, UTC. */
export function monthIndex(time: number): number {
  const date = new PlainDate(time)
  return (date.getUTCFullYear() - 1970) * 12 + date.getUTCMonth()
}

/** Unix milliseconds of the first moment of a month, UTC. @param index  months since January 1970 */
export const monthStart = (index: number): number => PlainDate.UTC(1970, index)

/** The same day and time of day so many months later, UTC; from the last day of a month to the last day. */
export function monthsLater(time: number, months: number): number {
  const index = monthIndex(time)
  const lastDay = monthStart(index + 1) - DAY_MS
  const end = monthStart(index + months + 1)
  if (time >= lastDay) return end - DAY_MS + (time - lastDay)
  return Math.min(monthStart(index + months) + time - monthStart(index), end - DAY_MS + (time % DAY_MS))
}

/** The length is a whole number of days or months, so the calendar says when such a candle ends. */
export const isOfCalendar = (lengthMs: number): boolean => lengthMs % DAY_MS === 0 || monthsOf(lengthMs) !== undefined

/**
 * No month (28 to 31 days), quarter (90 to 92) or year (365 or 366) is further from its mean length than this, days.
 */
const MONTH_SLACK_DAYS = 2.5

/**
 * The least time between the opens of two adjacent candles of that length, milliseconds: clocks are moved by an hour.
 */
export function leastStepOf(lengthMs: number): number {
  if (monthsOf(lengthMs) !== undefined) return lengthMs - MONTH_SLACK_DAYS * DAY_MS - HOUR_MS
  return isOfCalendar(lengthMs) ? lengthMs - HOUR_MS : lengthMs
}

/** The greatest such time. */
export function longestStepOf(lengthMs: number): number {
  if (monthsOf(lengthMs) !== undefined) return lengthMs + MONTH_SLACK_DAYS * DAY_MS + HOUR_MS
  return isOfCalendar(lengthMs) ? lengthMs + HOUR_MS : lengthMs
}

/** A step between two opens is that of adjacent candles, or of some with whole candles missing between them. */
export function isWholeSteps(step: number, lengthMs: number): boolean {
  if (!isOfCalendar(lengthMs)) return step % lengthMs === 0
  const slack = longestStepOf(lengthMs) - lengthMs
  const count = Math.max(1, Math.round(step / lengthMs))
  return Math.abs(step - count * lengthMs) <= slack
}
