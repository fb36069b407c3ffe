/**
 * Statistics of the best of many trials: how much of its Sharpe ratio luck explains.
 *
 * Symbols: SR is the Sharpe ratio of the best trial and V the variance of those of all trials, both per period; n is
 * the number of its returns, γ₃ their `skew` and γ₄ their `kurtosis` + 3; P is the number of periods per year, Φ the
 * normal distribution.
 */
import { deviation, mean } from '../../analysis/returns/float-sums.ts'
import { kurtosis, skew } from '../../analysis/returns/shape.ts'
import { normalQuantile, normalShareBelow } from './normal.ts'
import { effectiveTrials } from './trial-correlation.ts'

/** Sharpe ratio with the moments of its returns. */
interface SharpeSample {
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
 * All ratios here are per period, not annualized: divide a yearly ratio by the root of the periods in a year first.
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

/** Deflated Sharpe ratio that `minimumTrackRecord` must reach. */
const CONFIDENCE = 0.95

/** Statistics of the best trial. */
export interface SelectionStatistics {
  /**
   * All trials, including the best one and those without a Sharpe ratio.
   *
   * @unit count
   */
  readonly trials: number
  /**
   * N = ρ + (1 - ρ) `trials`: the equivalent number of independent trials. ρ is the mean correlation of the returns
   * of all pairs, or 0 if it is negative or unknown.
   *
   * @unit count
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio, appendix A.3
   */
  readonly effectiveTrials: number
  /**
   * Largest Sharpe ratio that N trials without skill are expected to show: √(V P) ((1 - γ) Φ⁻¹(1 - 1/N) + γ Φ⁻¹(1 -
   * 1/(N e))). γ is the Euler-Mascheroni constant, 0.5772. 0 for one trial.
   *
   * @unit ratio, annualized like `sharpe`
   * @null fewer than two trials have a Sharpe ratio, and N > 1
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
   */
  readonly luckSharpe: number | null
  /**
   * Probability that the true Sharpe ratio is above 0 if this were the only trial: Φ(SR √(n - 1) / √(1 - γ₃ SR + (γ₄
   * - 1)/4 SR²)).
   *
   * @unit share
   * @null n < 4, the returns did not vary, or the value under the second root is not above 0
   * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
   */
  readonly probabilisticSharpe: number | null
  /**
   * Probability that the true Sharpe ratio is above `luckSharpe`: the formula of `probabilisticSharpe` with SR -
   * `luckSharpe` / √P for the first SR.
   *
   * @unit share
   * @null `probabilisticSharpe` or `luckSharpe` is null
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
   */
  readonly deflatedSharpe: number | null
  /**
   * Number of returns like these that raises `deflatedSharpe` to 0.95: 1 + (1 - γ₃ SR + (γ₄ - 1)/4 SR²) (Φ⁻¹(0.95) /
   * (SR - `luckSharpe` / √P))².
   *
   * @unit periods
   * @null `deflatedSharpe` is null, or the best is not above `luckSharpe`, so no number is enough
   * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
   */
  readonly minimumTrackRecord: number | null
  /**
   * A shorter backtest is expected to show this Sharpe ratio as the best of N trials without skill: ((`luckSharpe` at
   * V P = 1) / (SR √P))².
   *
   * @unit years
   * @null SR is null or not above 0
   * @see Bailey, Borwein, López de Prado and Zhu (2014), Pseudo-Mathematics and Financial Charlatanism
   */
  readonly minimumBacktestYears: number | null
}

export interface SelectionInputs {
  /** Returns of the best over the risk-free rate, period by period. */
  readonly best: readonly number[]
  readonly periodsPerYear: number
  /** Number of trials, at least 1: all ever made, not only those of the present sweep. */
  readonly trials: number
  /** Annualized Sharpe ratios of the known trials, including the best; null for trials without one. */
  readonly sharpes: readonly (number | null)[]
  /** Mean correlation of their returns; null if unknown. */
  readonly correlation: number | null
}

export function selectionStatistics(inputs: SelectionInputs): SelectionStatistics {
  const { periodsPerYear, trials } = inputs
  const effective = effectiveTrials(trials, inputs.correlation)
  const luck = luckOf(effective, inputs.sharpes)
  const sample = sharpeSample(inputs.best)
  const yearly = Math.sqrt(periodsPerYear)
  const ofPeriod = luck === null ? null : luck / yearly
  return {
    trials,
    effectiveTrials: effective,
    luckSharpe: luck,
    probabilisticSharpe: sample === null ? null : probabilisticSharpe(sample, 0),
    deflatedSharpe: sample === null || ofPeriod === null ? null : probabilisticSharpe(sample, ofPeriod),
    minimumTrackRecord: sample === null || ofPeriod === null ? null : minimumTrackRecord(sample, ofPeriod, CONFIDENCE),
    minimumBacktestYears: sample === null ? null : minimumBacktestYears(effective, sample.sharpe * yearly),
  }
}

function luckOf(trials: number, sharpes: readonly (number | null)[]): number | null {
  const reached = expectedMaximum(trials)
  if (reached === 0) return 0
  const spread = deviation(sharpes.filter((value) => value !== null))
  return reached === null || spread === null ? null : reached * spread
}
