/** Liveliness of a market by the hour of the day, UTC: quiet nights, a peak when Europe and America are both awake. */

/** Activity at each full hour, as a multiple of the day's mean; linear in between. */
const ACTIVITY_BY_HOUR: readonly number[] = [
  0.7, 0.6, 0.5, 0.5, 0.5, 0.6, 0.7, 0.9, 1.1, 1.1, 1.2, 1.1, 1.1, 1.4, 1.6, 1.6, 1.6, 1.5, 1.3, 1.1, 1.0, 0.9, 0.7,
  0.7,
]

import { HOUR_MS } from '../../domain/time.ts'

/**
 * @param timeMs  Unix milliseconds, not negative
 * @returns       from 0.5 to 1.6, 1 on average over a day
 */
export function activityAt(timeMs: number): number {
  const hours = timeMs / HOUR_MS
  const hour = Math.floor(hours)
  const from = activityOfHour(hour)
  return from + (activityOfHour(hour + 1) - from) * (hours - hour)
}

const activityOfHour = (hour: number): number => ACTIVITY_BY_HOUR[hour % ACTIVITY_BY_HOUR.length] ?? 1
