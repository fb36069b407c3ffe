/**
 * Change from one number to another, in percent.
 */

/** 0 from 0, as TA-Lib has it; undefined from undefined. */
export function percentChange(before: number | undefined, now: number): number | undefined {
  if (before === undefined) return undefined
  return before === 0 ? 0 : (100 * (now - before)) / before
}
