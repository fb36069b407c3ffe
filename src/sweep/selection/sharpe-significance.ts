/**
 * Significance of an observed Sharpe ratio, which is inflated by few, skewed and fat-tailed returns.
 *
 * All ratios here are per period, not annualized: divide a yearly ratio by the root of the periods in a year first.
 */
import { deviation, mean } from '../../analysis/returns/float-sums.ts'
import { kurtosis, skew } from '../../analysis/returns/shape.ts'
import { expectedMaximumSharpe } from './luck.ts'
import { normalQuantile, normalShareBelow } from './normal.ts'

/** Sharpe ratio with the moments of its returns. */
export interface SharpeSample {
  /** Mean over deviation of the excess returns of a period. */
  readonly sharpe: number
  /** Returns. */
  readonly periods: number
  /** 0 for a normal distribution. */
  readonly skew: number
  /** Excess kurtosis, 0 for a normal distribution: 3 less than the γ₄ of the papers. */
  readonly kurtosis: number
}

/**
 * @param excess  returns of the periods over the risk-free rate
 * @returns null for fewer than four, or without a deviation
 */
export function sharpeSample(excess: readonly number[]): SharpeSample | null {
  const [center, spread, third, fourth] = [mean(excess), deviation(excess), skew(excess), kurtosis(excess)]
  if (center === null || spread === null || third === null || fourth === null) return null
  return { sharpe: center / spread, periods: excess.length, skew: third, kurtosis: fourth }
}

/**
 * Variance of the estimate times (n - 1): 1 - γ₃ SR + (γ₄ - 1)/4 SR²; undefined where adjusted moments bring it to 0 or
 * below.
 *
 * @see Mertens (2002), Comments on variance of the IID estimator in Lo (2002)
 */
function spreadOf({ sharpe, skew: third, kurtosis: excess }: SharpeSample): number | undefined {
  const spread = 1 - third * sharpe + ((excess + 2) / 4) * sharpe ** 2
  return spread > 0 ? spread : undefined
}

/**
 * Probability that the true ratio is above a benchmark: Φ((SR - SR*) √(n - 1) / √(1 - γ₃ SR + (γ₄ - 1)/4 SR²)).
 *
 * @param benchmark  of a period too
 * @returns in [0, 1]; null for fewer than two returns, or moments that no distribution has
 * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
 */
export function probabilisticSharpe(sample: SharpeSample, benchmark: number): number | null {
  const spread = spreadOf(sample)
  if (spread === undefined || sample.periods < 2) return null
  return normalShareBelow(((sample.sharpe - benchmark) * Math.sqrt(sample.periods - 1)) / Math.sqrt(spread))
}

/**
 * Deflated Sharpe ratio: the probability that the true ratio of the best of many trials is above 0, after correction
 * for luck. It is the probabilistic Sharpe ratio against the largest one expected of trials without skill.
 *
 * @param trials    independent ones
 * @param variance  of their Sharpe ratios of a period
 * @returns in [0, 1]; null if either ratio is null
 * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
 */
export function deflatedSharpe(sample: SharpeSample, trials: number, variance: number): number | null {
  const luck = expectedMaximumSharpe(trials, variance)
  return luck === null ? null : probabilisticSharpe(sample, luck)
}

/**
 * Minimum track record length: returns needed for the probabilistic Sharpe ratio to reach a confidence, 1 + (1 - γ₃ SR
 * + (γ₄ - 1)/4 SR²) (Φ⁻¹(confidence) / (SR - SR*))².
 *
 * @param confidence  in (0.5, 1), such as 0.95
 * @returns periods, not an integer; null if the ratio is not above the benchmark, because no length is sufficient then
 * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
 */
export function minimumTrackRecord(sample: SharpeSample, benchmark: number, confidence: number): number | null {
  const [spread, reach] = [spreadOf(sample), normalQuantile(confidence)]
  if (spread === undefined || reach === null || reach <= 0 || !(sample.sharpe > benchmark)) return null
  const periods = 1 + spread * (reach / (sample.sharpe - benchmark)) ** 2
  return Number.isFinite(periods) ? periods : null
}
