/**
 * Significance of one run: the same strategy on tapes whose returns are in another order.
 *
 * Null hypothesis: the order of blocks of returns says nothing about later ones, so that every order of them was
 * equally likely. The p-value is the share of the orders, the recorded one included, whose return is at least as high.
 * Each shuffled tape has the same returns, so the drift of the market is the same in all of them, and only their order
 * counts.
 */
import type { PointOutcome } from './point-outcome.ts'
import { pValue } from './null-tapes.ts'

export interface NullTestReport {
  /** Count of shuffled tapes. */
  readonly tapes: number
  /** Return on each, in the order of their seeds; null for a run that failed. */
  readonly returns: readonly (number | null)[]
  /** At least 1 / (tapes + 1). A failed run counts as one that did at least as well. */
  readonly pValue: number
}

/** @param made  return on the recorded tape */
export function nullTest(made: number, outcomes: readonly PointOutcome[]): NullTestReport {
  const returns = outcomes.map(({ statistics }) => statistics?.return ?? null)
  const scores = returns.map((value) => value ?? Infinity)
  return { tapes: returns.length, returns, pValue: pValue(made, scores) ?? 1 }
}
