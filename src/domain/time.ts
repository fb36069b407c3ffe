/**
 * Time is an integer of Unix milliseconds; order inside a millisecond is the sequence.
 */

/** Source of the present time. Pure code gets the time with its input instead. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}

/** What stands in its place during a backtest refuses the present to a strategy, and is slow. */
const PlainDate = Date

/** ISO 8601 date-time of Unix milliseconds, in UTC, as the specification writes them. */
export const isoTime = (timeMs: number): string => new PlainDate(timeMs).toISOString()
