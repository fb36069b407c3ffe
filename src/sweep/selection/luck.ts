/** Luck in the best of many trials without skill: its expected Sharpe ratio, and the backtest length that limits it. */
import { normalQuantile } from './normal.ts'

/** Euler and Mascheroni's. */
const GAMMA = 0.577_215_664_901_532_9

/**
 * Expected largest of N independent draws from a standard normal distribution: (1 - γ) Φ⁻¹(1 - 1/N) + γ Φ⁻¹(1 - 1/(N
 * e)), never below 0.
 *
 * Known limit: for N = 2 it gives 0.52, where 0.56 is exact; from ten on it is right to 3 %.
 *
 * @param trials  an effective number, which may be no integer; the result for one draw is 0
 * @returns in deviations; null for fewer than one trial
 * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
 */
export function expectedMaximum(trials: number): number | null {
  if (!(trials >= 1 && trials < Infinity)) return null
  // Uses the lower tail, where 1/N keeps its digits.
  const [high, higher] = [normalQuantile(1 / trials), normalQuantile(1 / (trials * Math.E))]
  if (high === null || higher === null) return 0
  return Math.max(0, -(1 - GAMMA) * high - GAMMA * higher)
}

/**
 * Largest Sharpe ratio that trials without skill are expected to show.
 *
 * @param variance  of the Sharpe ratios of the trials, in the square of the unit that the result is to have; 0 or more
 * @returns null for fewer than one trial
 * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
 */
export function expectedMaximumSharpe(trials: number, variance: number): number | null {
  const reached = expectedMaximum(trials)
  return reached === null || !(variance >= 0) ? null : reached * Math.sqrt(variance)
}

/**
 * Minimum backtest length in years: the best of N trials without skill is then expected to show at most this Sharpe
 * ratio.
 *
 * @param sharpe  a year, above 0
 * @returns 0 for one trial; null for fewer, or a ratio of 0 or less
 * @see Bailey, Borwein, López de Prado and Zhu (2014), Pseudo-Mathematics and Financial Charlatanism
 */
export function minimumBacktestYears(trials: number, sharpe: number): number | null {
  const reached = expectedMaximum(trials)
  return reached === null || !(sharpe > 0) ? null : (reached / sharpe) ** 2
}
