/**
 * Returns of trials as sums over blocks of time, sufficient for the Sharpe ratio of any half of the blocks.
 *
 * Invariant: stores two sums per trial and block, however many periods there are.
 */
import { invariant } from '../../domain/errors.ts'
import { FloatSum, deviation, mean } from '../../analysis/returns/float-sums.ts'

/** Threshold below which a variance, relative to the squared mean and deviation of its trial, is rounding. */
const ROUNDING = 1e-14

export class BlockMoments {
  /** Periods of each block, in the order of time. */
  readonly sizes: readonly number[]
  readonly #periods: number
  readonly #centers: number[] = []
  readonly #least: number[] = []
  readonly #sums: number[][]
  readonly #squares: number[][]

  /**
   * @param periods  returns of each trial
   * @param blocks   equal in length up to one period; at most as many as there are periods
   */
  constructor(periods: number, blocks: number) {
    invariant(blocks >= 1 && blocks <= periods, `${periods} periods in ${blocks} blocks`)
    const bounds = Array.from({ length: blocks + 1 }, (_, index) => Math.floor((index * periods) / blocks))
    this.sizes = bounds.slice(1).map((bound, index) => bound - (bounds[index] ?? 0))
    this.#periods = periods
    this.#sums = this.sizes.map(() => [])
    this.#squares = this.sizes.map(() => [])
  }

  get trials(): number {
    return this.#centers.length
  }

  /**
   * @param returns  of the same periods as those of every other; stored relative to their own mean, so that squares
   * keep their digits
   */
  add(returns: readonly number[]): void {
    invariant(returns.length === this.#periods, `${returns.length} returns next to ${this.#periods}`)
    const center = mean(returns) ?? 0
    this.#centers.push(center)
    const spread = deviation(returns) ?? 0
    this.#least.push(spread === 0 ? Infinity : (spread ** 2 + center ** 2) * ROUNDING)
    let period = 0
    this.sizes.forEach((size, block) => {
      const [total, squares] = [new FloatSum(), new FloatSum()]
      for (const end = period + size; period < end; period += 1) {
        const distance = (returns[period] ?? center) - center
        total.add(distance)
        squares.add(distance * distance)
      }
      this.#sums[block]?.push(total.value)
      this.#squares[block]?.push(squares.value)
    })
  }

  /** The sums as columns, for repeated passes over all trials. */
  columns(): MomentColumns {
    return {
      centers: Float64Array.from(this.#centers),
      leastVariances: Float64Array.from(this.#least),
      sums: this.#sums.map((column) => Float64Array.from(column)),
      squares: this.#squares.map((column) => Float64Array.from(column)),
    }
  }
}

/** Columns with one value per trial. */
export interface MomentColumns {
  /** Mean return over all blocks. */
  readonly centers: Float64Array
  /** A variance at or below it is rounding; Infinity for a trial that never varied. */
  readonly leastVariances: Float64Array
  /** Block by block: sum of the distances from the mean, and of their squares. */
  readonly sums: readonly Float64Array[]
  readonly squares: readonly Float64Array[]
}

/**
 * Sharpe ratios per period over some of the blocks, not annualized, trial by trial; 0 if returns did not vary, because
 * nothing was risked.
 *
 * @param periods  in those blocks
 * @param sums     over those blocks
 * @param into     as many as there are trials
 */
export function sharpesOf(
  { centers, leastVariances }: MomentColumns,
  periods: number,
  { sums, squares }: { readonly sums: Float64Array; readonly squares: Float64Array },
  into: Float64Array,
): void {
  for (let trial = 0; trial < into.length; trial += 1) {
    const total = sums[trial] ?? 0
    const variance = ((squares[trial] ?? 0) - (total * total) / periods) / (periods - 1)
    const isFlat = !(variance > (leastVariances[trial] ?? 0))
    into[trial] = isFlat ? 0 : ((centers[trial] ?? 0) + total / periods) / Math.sqrt(variance)
  }
}
