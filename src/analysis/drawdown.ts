/**
 * Largest peak-to-trough fall of an equity curve, as a fraction of the peak.
 *
 * Known limit: it sees the samples it is given; a fall between two of them is not among them.
 */
import { invariant } from '../domain/errors.ts'

export interface Drawdown {
  /** Fraction in [0, 1]; 0 when equity never fell. */
  readonly fraction: number
  /** Time of the peak and of the trough of that fall, the first of equal falls; undefined when equity never fell. */
  readonly peakAt: number | undefined
  readonly troughAt: number | undefined
}

/**
 * Fold over equity samples, oldest first, that keeps the largest drawdown so far.
 *
 * Equity of 0 or less after a peak is a drawdown of 1: no more than everything can be lost. Before the first value > 0
 * there is no peak: an account whose holdings have no price yet is not ruined.
 */
export class DrawdownFold {
  #peak = 0
  #peakAt: number | undefined
  #max: Drawdown = { fraction: 0, peakAt: undefined, troughAt: undefined }

  /** The largest fall so far. */
  get max(): Drawdown {
    return this.#max
  }

  /** Moves the peak, where money came or went that is no gain or fall. */
  rescale(peak: number): void {
    this.#peak = peak
  }

  /**
   * @param equity  in any unit, the same one for all samples
   * @param time    Unix milliseconds
   * @throws {InvariantError} when equity is not finite
   */
  add(equity: number, time: number): void {
    invariant(Number.isFinite(equity), `equity ${equity} is not finite`)
    if (equity > this.#peak) {
      this.#peak = equity
      this.#peakAt = time
    }
    if (this.#peak === 0) return
    const fraction = equity <= 0 ? 1 : (this.#peak - equity) / this.#peak
    if (fraction > this.#max.fraction) this.#max = { fraction, peakAt: this.#peakAt, troughAt: time }
  }
}

/**
 * Largest fall of a whole curve.
 *
 * @param equity  one value per sample, oldest first, in any unit
 * @returns       in [0, 1]; 1 when a value <= 0 follows one > 0; 0 for fewer than 2 samples
 * @throws {InvariantError} when a value is not finite
 * @see Magdon-Ismail & Atiya (2004), Maximum Drawdown
 */
export function maxDrawdown(equity: readonly number[]): number {
  const fold = new DrawdownFold()
  equity.forEach((value, index) => {
    fold.add(value, index)
  })
  return fold.max.fraction
}
