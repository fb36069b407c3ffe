/**
 * The largest fall of an equity that moves with every recorded trade, in plain numbers: the exact equity, a bigint, is
 * looked at only where a new peak or a larger fall may have come.
 *
 * Invariant: the fall is what it would be if the equity had been looked at after every move. Known limit: moves of more
 * than 2^52 units are looked at one by one.
 */
import { DrawdownFold, type Drawdown } from '../../analysis/drawdown.ts'

/**
 * The largest fall, and the first time at which the equity was at or above its peak again; undefined when it was not.
 */
export interface RecoveredDrawdown extends Drawdown {
  readonly recoveredAt: number | undefined
}

/** A sum of moves below this, and one move more, is exact; or it is seen to be beyond this. */
const FARTHEST = 2 ** 52

export class WatchedDrawdown {
  readonly #equity: () => bigint
  readonly #fold = new DrawdownFold()
  /** The highest equity so far, and the lowest one that was looked at since. */
  #peak = 0n
  #lowest = 0n
  #recoveredAt: number | undefined
  /** The largest fall is not made up for yet: its peak is the highest equity so far. */
  #isDown = false
  /** Sum of the moves since the last look, and the sums between which nothing can be new. */
  #moved = 0
  #floor = 0
  #ceiling = 0

  /** @param equity  the exact one, as it is when it is asked for; 0 or more */
  constructor(equity: () => bigint) {
    this.#equity = equity
  }

  /** In [0, 1]. */
  get fraction(): number {
    return this.#fold.max.fraction
  }

  get max(): RecoveredDrawdown {
    return { ...this.#fold.max, recoveredAt: this.#recoveredAt }
  }

  /**
   * The equity moved by `change`, and in no other way.
   *
   * @param change  its exact units, or anything beyond 2^53 of either sign
   */
  move(change: number, time: number): void {
    this.#moved += change
    if (!(this.#moved >= this.#floor && this.#moved <= this.#ceiling)) this.look(time)
  }

  /** Call when the equity changed in any other way. */
  look(time: number): void {
    const equity = this.#equity()
    this.#note(equity, time)
    if (equity > this.#peak) {
      this.#peak = equity
      this.#lowest = equity
    } else if (equity < this.#lowest) this.#lowest = equity
    const harmless = this.#harmless()
    this.#moved = 0
    this.#ceiling = Math.min(Number(this.#peak - equity) - Number(this.#isDown), FARTHEST)
    this.#floor = Math.max(Number((harmless < this.#lowest ? harmless : this.#lowest) - equity), -FARTHEST)
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

  /** An equity from which on a fall from the peak is surely not the largest; a little above where it would be. */
  #harmless(): bigint {
    const peak = Number(this.#peak)
    // The margins are far more than what three roundings of doubles can do.
    const share = this.fraction * (1 - 1e-9) - 1e-14
    return share <= 0 ? this.#peak : this.#peak - BigInt(Math.floor(peak * share))
  }
}
