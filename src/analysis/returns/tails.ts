/**
 * Bad days and good ones, as they were: historical quantiles of the returns, of twenty or more.
 */
import { ascending, mean, quantile } from './float-sums.ts'

const LEAST = 20
const TAIL = 0.05

/** What is lost in a period, or more, in one of twenty: a loss is positive. */
export function valueAtRisk(returns: readonly number[]): number | null {
  return returns.length < LEAST ? null : negated(quantile(ascending(returns), TAIL))
}

/**
 * Mean of what is lost in the periods that are as bad as the value at risk, or worse: a loss is positive.
 *
 * @see Acerbi and Tasche (2002), Expected Shortfall: A Natural Coherent Alternative to Value at Risk
 */
export function expectedShortfall(returns: readonly number[]): number | null {
  if (returns.length < LEAST) return null
  const worst = quantile(ascending(returns), TAIL)
  const beyond = mean(returns.filter((value) => value <= worst))
  return beyond === null ? null : negated(beyond)
}

/** Size of the 95 % quantile over that of the 5 % one; null where that is 0. */
export function tailRatio(returns: readonly number[]): number | null {
  if (returns.length < LEAST) return null
  const sorted = ascending(returns)
  const low = Math.abs(quantile(sorted, TAIL))
  return low === 0 ? null : Math.abs(quantile(sorted, 1 - TAIL)) / low
}

/** No -0, which JSON would not bring back. */
const negated = (value: number): number => (value === 0 ? 0 : -value)
