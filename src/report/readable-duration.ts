/**
 * A span of time for people, exact to the millisecond.
 */

const UNITS = [
  ['d', 86_400_000],
  ['h', 3_600_000],
  ['min', 60_000],
  ['s', 1_000],
  ['ms', 1],
] as const

/** `1 min 2 s 50 ms`; parts of 0 are left out, and no time at all is `0 ms`. `ms` is an integer of 0 or more. */
export function readableDuration(ms: number): string {
  let left = ms
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length)
    if (count > 0) parts.push(`${count} ${unit}`)
    left -= count * length
  }
  return parts.length === 0 ? '0 ms' : parts.join(' ')
}
