/**
 * Tick rule: infers the side of recorded trades without one.
 *
 * A fold: a trade at the previous price has the previous side, a lower price is a seller, a higher one a buyer; the
 * first trade is a buyer. A recorded side is passed through, and becomes the previous side.
 */
import { SIDE_BUY, SIDE_SELL, SIDE_UNKNOWN } from './tape.ts'

export class TickRule {
  #price = 0
  #side: number = SIDE_UNKNOWN

  /**
   * The side of the next trade, SIDE_BUY or SIDE_SELL.
   *
   * @param price  ticks
   * @param side   as recorded: SIDE_UNKNOWN, SIDE_BUY or SIDE_SELL
   */
  next(price: number, side: number): number {
    if (side === SIDE_UNKNOWN) this.#side = this.#guess(price)
    else this.#side = side
    this.#price = price
    return this.#side
  }

  /** The side that `next` would give, for a trade that the next one is not to be compared with. */
  peek(price: number, side: number): number {
    return side === SIDE_UNKNOWN ? this.#guess(price) : side
  }

  #guess(price: number): number {
    if (this.#side === SIDE_UNKNOWN) return SIDE_BUY
    if (price === this.#price) return this.#side
    return price < this.#price ? SIDE_SELL : SIDE_BUY
  }
}
