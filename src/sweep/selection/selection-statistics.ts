/**
 * Statistics of the best of many trials: how much of its Sharpe ratio luck explains.
 *
 * Symbols: SR is the Sharpe ratio of the best trial and V the variance of those of all trials, both per period; n is
 * the number of its returns, γ₃ their `skew` and γ₄ their `kurtosis` + 3; P is the number of periods per year, Φ the
 * normal distribution.
 */
import { deviation } from '../../analysis/returns/float-sums.ts'
import { expectedMaximum, minimumBacktestYears } from './luck.ts'
import { minimumTrackRecord, probabilisticSharpe, sharpeSample } from './sharpe-significance.ts'
import { effectiveTrials } from './trial-correlation.ts'

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
