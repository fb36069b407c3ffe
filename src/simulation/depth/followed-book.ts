/** A recorded book from the view of your orders: the queue ahead of a resting order, and the liquidity for a taker. */
import type { Side } from '../../domain/order.ts'
import { ASK, BID, type DepthSide } from '../../tape/depth-block.ts'
import { MissingLots } from './missing-lots.ts'
import type { RecordedDepth } from './recorded-depth.ts'

export const depthSide = (side: Side): DepthSide => (side === 'BUY' ? BID : ASK)

export class FollowedBook {
  readonly depth: RecordedDepth
  readonly missing = new MissingLots()
  /**
   * Cancel model: of a fall at a price, the share s^power was ahead, s being the share of the queue ahead. Infinity:
   * only orders behind yours cancel, as long as there are any.
   */
  readonly power: number

  constructor(depth: RecordedDepth, power: number) {
    this.depth = depth
    this.power = power
  }

  /** Recorded lots at a price, less those you took there. */
  available(side: Side, price: number): number {
    const told = this.depth.book.qtyAt(depthSide(side), price)
    return told === 0 ? 0 : Math.max(0, told - this.missing.at(side, price))
  }

  /** Lots ahead of an order that joins a price now; undefined if the book does not show that price. */
  displayed(side: Side, price: number): number | undefined {
    const { book } = this.depth
    if (!book.isKnown) return undefined
    const on = depthSide(side)
    if (book.qtyAt(on, price) > 0) return this.available(side, price)
    // Not if trades may have passed all recorded levels, so that the queue is unknown.
    const sign = on === BID ? 1 : -1
    const [best, other] = on === BID ? [book.bestBid, book.bestAsk] : [book.bestAsk, book.bestBid]
    const isBetter = best !== undefined && price * sign > best * sign
    const isMet = other !== undefined && price * sign >= other * sign
    return isBetter || isMet || book.isShown(on, price) ? 0 : undefined
  }

  /**
   * Lots still ahead of an order after the lots at its price have changed.
   *
   * @param ahead   lots ahead before the change
   * @param before  lots at the price before the change
   * @param now     lots at the price now
   */
  stillAhead(ahead: number, before: number, now: number): number {
    if (this.power === Infinity || now >= before) return Math.min(ahead, now)
    const capped = Math.min(ahead, before)
    return Math.min(capped - this.#cancelledAhead(capped, before, before - now), now)
  }

  /** Whole lots, to the last one: so that for more that were ahead never fewer are. */
  #cancelledAhead(ahead: number, before: number, gone: number): number {
    let [part, whole] = [gone, 1]
    for (let times = 0; times < this.power; times += 1) {
      part *= ahead
      whole *= before
    }
    if (part <= Number.MAX_SAFE_INTEGER && whole <= Number.MAX_SAFE_INTEGER) return Math.floor(part / whole)
    let [exactPart, exactWhole] = [BigInt(gone), 1n]
    for (let times = 0; times < this.power; times += 1) {
      exactPart *= BigInt(ahead)
      exactWhole *= BigInt(before)
    }
    return Number(exactPart / exactWhole)
  }
}
