/**
 * Time is an integer of Unix milliseconds; order inside a millisecond is the sequence.
 */

/** Source of the present time. Pure code gets the time with its input instead. */
export interface Clock {
  /** Unix milliseconds. */
  now(): number
}

/** ISO 8601 date-time of Unix milliseconds, in UTC, as the specification writes them. */
export const isoTime = (timeMs: number): string => new Date(timeMs).toISOString()
