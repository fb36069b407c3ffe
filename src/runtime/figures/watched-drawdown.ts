/**
 * Maximum drawdown of an equity that moves with every recorded trade, in doubles: the exact equity, a bigint, is read
 * only when a new peak or a larger drawdown is possible.
 *
 * Invariant: the result is the same as if the equity were read after every move.
 * Known limitation: moves of more than 2^52 units are read one by one.
 */
import { DrawdownFold, type Drawdown } from '../../analysis/drawdown.ts'

/**
 * The maximum drawdown, and the first time at which the equity was at or above its peak again; undefined if it was not.
 */
export interface RecoveredDrawdown extends Drawdown {
  readonly recoveredAt: number | undefined
}

/**
 * Binary digits below one unit of a peak that has moved in proportion: a book that gives away all but a unit, and gets
 * it back, keeps its peak to within a double.
 */
const MOVED_DIGITS = 128n

/** A sum of moves below this limit, plus one move, is exact; otherwise it is seen to exceed the limit. */
const FARTHEST = 2 ** 52

export class WatchedDrawdown {
  readonly #equity: () => bigint
  readonly #isKnown: () => boolean
  readonly #fold = new DrawdownFold()
  /** Binary digits of the peak and the lowest equity below one unit. */
  #digits = 0n
  /** The peak so far, and the lowest equity read since. */
  #peak = 0n
  #lowest = 0n
  #recoveredAt: number | undefined
  /** The maximum drawdown is not recovered yet: its peak is the peak so far. */
  #isDown = false
  /** Sum of the moves since the last read, and the bounds within which nothing can be new. */
  #moved = 0
  #floor = 0
  #ceiling = 0

  /**
   * @param equity   returns the exact present equity; 0 or more
   * @param isKnown  false while something that was bought has no price, so that the equity would fall by its cost
   */
  constructor(equity: () => bigint, isKnown: () => boolean = () => true) {
    this.#equity = equity
    this.#isKnown = isKnown
  }

  /** The drawdown as a fraction in [0, 1]. */
  get fraction(): number {
    return this.#fold.max.fraction
  }

  get max(): RecoveredDrawdown {
    return { ...this.#fold.max, recoveredAt: this.#recoveredAt }
  }

  /**
   * The equity moved by `change`, and in no other way.
   * @param change  its exact units, or anything beyond 2^53 of either sign
   */
  move(change: number, time: number): void {
    this.#moved += change
    if (!(this.#moved >= this.#floor && this.#moved <= this.#ceiling)) this.look(time)
  }

  /** Call when the equity changed in any other way. */
  look(time: number): void {
    if (!this.#isKnown()) {
      // The next move is read, whatever its size.
      this.#floor = Number.POSITIVE_INFINITY
      return
    }
    const equity = this.#equity() << this.#digits
    this.#note(equity, time)
    if (equity > this.#peak) {
      this.#peak = equity
      this.#lowest = equity
    } else if (equity < this.#lowest) this.#lowest = equity
    const harmless = this.#harmless()
    this.#moved = 0
    const lowest = harmless < this.#lowest ? harmless : this.#lowest
    this.#ceiling = Math.min(Number((this.#peak - equity) >> this.#digits) - Number(this.#isDown), FARTHEST)
    this.#floor = -Math.min(Number((equity - lowest) >> this.#digits), FARTHEST)
  }

  /** The equity moved by a transfer, which is no gain or fall: the peak moves in proportion. */
  rescale(before: bigint, after: bigint): void {
    const finer = MOVED_DIGITS - this.#digits
    const scaled = (value: bigint): bigint =>
      before <= 0n ? after << MOVED_DIGITS : ((value << finer) * after) / before
    this.#digits = MOVED_DIGITS
    this.#peak = scaled(this.#peak)
    this.#lowest = scaled(this.#lowest)
    this.#fold.rescale(Number(this.#peak))
    // The next move is read, whatever its size.
    this.#moved = 0
    this.#floor = Number.POSITIVE_INFINITY
  }

  #note(equity: bigint, time: number): void {
    const before = this.#fold.max
    this.#fold.add(Number(equity), time)
    if (this.#fold.max !== before) {
      this.#isDown = true
      this.#recoveredAt = undefined
    } else if (this.#isDown && equity >= this.#peak) {
      this.#isDown = false
      this.#recoveredAt = time
    }
  }

  /** An equity above which a fall from the peak is certainly not the maximum; slightly higher than the exact bound. */
  #harmless(): bigint {
    const peak = Number(this.#peak)
    // The margins far exceed the error of three roundings of doubles.
    const share = this.fraction * (1 - 1e-9) - 1e-14
    return share <= 0 ? this.#peak : this.#peak - BigInt(Math.floor(peak * share))
  }
}
