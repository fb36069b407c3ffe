/**
 * Statistics of the best of many trials: what its Sharpe ratio is worth once luck is taken off.
 *
 * In the words of their docstrings: SR is the Sharpe ratio of the best and V the variance of those of all trials, each of one period;
 * n are its returns, γ₃ their `skew` and γ₄ their `kurtosis` + 3; P is the periods in a year, Φ the normal distribution.
 */
import { deviation } from '../returns/float-sums.ts'
import { expectedMaximum, minimumBacktestYears } from './luck.ts'
import { minimumTrackRecord, probabilisticSharpe, sharpeSample } from './sharpe-significance.ts'
import { effectiveTrials } from './trial-correlation.ts'

/** What the least track record is to show. */
const CONFIDENCE = 0.95

/** Of the best of the trials. */
export interface SelectionStatistics {
  /**
   * All that were tried, the best among them, whether or not they have a Sharpe ratio.
   *
   * @unit count
   */
  readonly trials: number
  /**
   * N = ρ + (1 - ρ) `trials`: independent trials that they are worth, where ρ is the mean correlation of the returns of all pairs, 0 where
   * it is below 0 or not known.
   *
   * @unit count
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio, appendix A.3
   */
  readonly effectiveTrials: number
  /**
   * √(V P) ((1 - γ) Φ⁻¹(1 - 1/N) + γ Φ⁻¹(1 - 1/(N e))), where γ is 0.5772, Euler and Mascheroni's: the largest Sharpe ratio that N trials
   * without skill are expected to show. 0 of one trial.
   *
   * @unit ratio, annualized as `sharpe` is
   * @null fewer than two trials have a Sharpe ratio, and N > 1
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
   */
  readonly luckSharpe: number | null
  /**
   * Φ(SR √(n - 1) / √(1 - γ₃ SR + (γ₄ - 1)/4 SR²)): probability that the true Sharpe ratio is above 0, were this the only trial.
   *
   * @unit share
   * @null n < 4, the returns did not vary, or the root is of nothing above 0
   * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
   */
  readonly probabilisticSharpe: number | null
  /**
   * The same with SR - `luckSharpe` / √P for the first SR: probability that the true Sharpe ratio is above what luck alone shows.
   *
   * @unit share
   * @null `probabilisticSharpe` or `luckSharpe` is null
   * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio
   */
  readonly deflatedSharpe: number | null
  /**
   * 1 + (1 - γ₃ SR + (γ₄ - 1)/4 SR²) (Φ⁻¹(0.95) / (SR - `luckSharpe` / √P))²: returns like these that bring `deflatedSharpe` to 0.95.
   *
   * @unit periods
   * @null `deflatedSharpe` is null, or the best is not above what luck alone shows: no length will do then
   * @see Bailey and López de Prado (2012), The Sharpe Ratio Efficient Frontier
   */
  readonly minimumTrackRecord: number | null
  /**
   * (what `luckSharpe` is for V P = 1, over SR √P)²: a backtest that is shorter shows a Sharpe ratio like this of N trials without skill.
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
  /** At least 1: as many as were ever made, not only those of the sweep at hand. */
  readonly trials: number
  /** Annualized Sharpe ratios of the trials that are known, the best among them; null for those that have none. */
  readonly sharpes: readonly (number | null)[]
  /** Mean correlation of their returns; null where it is not known. */
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
