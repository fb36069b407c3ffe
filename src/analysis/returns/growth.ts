/**
 * Growth of an account in a year of 365 days.
 */
import { DAY_MS } from '../../domain/time.ts'

const YEAR_DAYS = 365
/** A shorter run says nothing of a year. */
const LEAST_DAYS = 28

/**
 * Yearly return that makes the final equity of the initial one; null for a run shorter than 28 days, or one that began or ended without equity.
 *
 * @param durationMs  from the first row of the tape to the last; of a live session from its start to its end
 */
export function cagr(initial: bigint, final: bigint, durationMs: number): number | null {
  if (durationMs < LEAST_DAYS * DAY_MS || initial <= 0n || final <= 0n) return null
  // By way of the logarithm of what was added, so that a small growth keeps its digits.
  return Math.expm1(Math.log1p(Number(final - initial) / Number(initial)) * ((YEAR_DAYS * DAY_MS) / durationMs))
}

/**
 * Yearly return over the largest drawdown; null where either is missing or 0.
 *
 * @see Young (1991), Calmar Ratio: A Smoother Tool
 */
export function calmar(yearly: number | null, maxDrawdown: number): number | null {
  return yearly === null || yearly === 0 || maxDrawdown === 0 ? null : yearly / maxDrawdown
}
