/** Returns for the risk that was run, each from the excess over the risk-free rate unless it says otherwise. */
import { deviation, mean, sum } from './float-sums.ts'

/** Annualized deviation of the returns: s x root of P; null for fewer than two returns. */
export function volatility(returns: readonly number[], periodsPerYear: number): number | null {
  const spread = deviation(returns)
  return spread === null ? null : spread * Math.sqrt(periodsPerYear)
}

/**
 * Mean excess over its deviation, annualized; null for fewer than two returns, or without a deviation.
 *
 * @see Sharpe (1994), The Sharpe Ratio
 */
export function sharpe(excess: readonly number[], periodsPerYear: number): number | null {
  const center = mean(excess)
  const spread = center === null ? null : deviation(excess, center)
  if (center === null || spread === null || spread === 0) return null
  return (center / spread) * Math.sqrt(periodsPerYear)
}

/** Fewer returns say nothing of a year. */
export const MIN_PERIODS = 10

/** Sharpe ratio of a whole run, or of one combined from several; null for fewer than ten returns. */
export const sharpeOfRun = (excess: readonly number[], periodsPerYear: number): number | null =>
  excess.length < MIN_PERIODS ? null : sharpe(excess, periodsPerYear)

/**
 * Mean excess over the root of the mean squared loss, all returns counted in that mean, annualized; null for fewer than
 * two returns, or without a loss.
 *
 * @see Sortino and Price (1994), Performance Measurement in a Downside Risk Framework
 */
export function sortino(excess: readonly number[], periodsPerYear: number): number | null {
  const center = mean(excess)
  if (center === null || excess.length < 2) return null
  const losses = Math.sqrt(sum(excess.map((value) => Math.min(value, 0) ** 2)) / excess.length)
  return losses === 0 ? null : (center / losses) * Math.sqrt(periodsPerYear)
}

/**
 * Sum of the excess gains over that of the losses; null without a loss.
 *
 * @see Keating and Shadwick (2002), A Universal Performance Measure
 */
export function omega(excess: readonly number[]): number | null {
  const losses = lossesOf(excess)
  return losses === 0 ? null : sum(excess.map((value) => Math.max(value, 0))) / losses
}

/** Sum of the returns over that of the losses; null without a loss. */
export function gainToPain(returns: readonly number[]): number | null {
  const losses = lossesOf(returns)
  return losses === 0 ? null : sum(returns) / losses
}

const lossesOf = (values: readonly number[]): number => sum(values.map((value) => Math.max(-value, 0)))
