/**
 * Mean correlation between the returns of trials, and the equivalent number of independent trials.
 *
 * Pairs are never compared: the sums of the standardized returns per period are sufficient.
 * Known limit: one mean represents all pairs. Two unrelated families of trials count as one loosely correlated family.
 */
import { invariant } from '../../domain/errors.ts'
import { FloatSum, deviation, mean } from '../../analysis/returns/float-sums.ts'

/** Takes the returns of one trial after another; its memory does not grow with them. */
export class TrialCorrelation {
  readonly #totals: readonly FloatSum[]
  #trials = 0

  /** @param periods  returns of each trial */
  constructor(periods: number) {
    this.#totals = Array.from({ length: periods }, () => new FloatSum())
  }

  /** Trials with a deviation: others have no correlation, and do not count. */
  get trials(): number {
    return this.#trials
  }

  /** @param returns  of the same periods as those of every other */
  add(returns: readonly number[]): void {
    invariant(returns.length === this.#totals.length, `${returns.length} returns next to ${this.#totals.length}`)
    const [center, spread] = [mean(returns), deviation(returns)]
    if (center === null || spread === null || spread === 0) return
    this.#trials += 1
    returns.forEach((value, index) => this.#totals[index]?.add((value - center) / spread))
  }

  /**
   * Mean of Pearson's correlation over all pairs of two trials, in [-1, 1]; null for fewer than two with a deviation.
   */
  get mean(): number | null {
    const count = this.#trials
    if (count < 2) return null
    const squares = new FloatSum()
    for (const total of this.#totals) squares.add(total.value ** 2)
    const ofPairs = squares.value / (this.#totals.length - 1) - count
    // Rounding may lead a hair beyond.
    return Math.max(-1, Math.min(1, ofPairs / (count * (count - 1))))
  }
}

/**
 * Effective number of independent trials among M with mean correlation ρ: ρ + (1 - ρ) M. A correlation below 0 counts
 * as 0, so the result never exceeds M.
 *
 * @param trials       at least 1
 * @param correlation  null if unknown: each trial then counts as independent, which overestimates luck
 * @returns in [1, trials]
 * @see Bailey and López de Prado (2014), The Deflated Sharpe Ratio, appendix A.3
 */
export function effectiveTrials(trials: number, correlation: number | null): number {
  invariant(trials >= 1, `${trials} trials have no best`)
  const share = Math.max(0, correlation ?? 0)
  return share + (1 - share) * trials
}
