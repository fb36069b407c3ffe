/**
 * Moments as people read them.
 */

/** A day in UTC. */
export const dayText = (ms: number): string => new Date(ms).toISOString().slice(0, 10)

/** To the minute in UTC. */
export const minuteText = (ms: number): string => new Date(ms).toISOString().slice(0, 16).replace('T', ' ')
