/** A recorded book from the view of your orders: the queue ahead of a resting order, and the liquidity for a taker. */
import type { Side } from '../../domain/order.ts'
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthSide } from '../../tape/depth-block.ts'
import type { RecordedDepth } from './recorded-depth.ts'

interface Missing {
  /** Lots you took that have not come back. */
  taken: number
  /** Lots that filled your resting orders. */
  met: number
  /** Lots of the recorded book there at its last update. */
  reported: number
}

/**
 * Lots that your orders took from a recorded book, by price: they are gone, but the recording still shows them.
 *
 * Lots that you took come back as the recorded book grows at that price; lots that filled your resting order do not,
 * because they can fill you only once. A smaller book caps both, and a removed level clears them. A price out of sight
 * changes nothing.
 * Known limit: prices out of sight stay and are checked at every change, so taking along a long trend in a recording of
 * a few levels costs time, though not fills.
 * Invariant: never more is missing at a price than the book last showed there.
 */
class MissingLots {
  readonly #bids = new Map<number, Missing>()
  readonly #asks = new Map<number, Missing>()

  get isNone(): boolean {
    return this.#bids.size === 0 && this.#asks.size === 0
  }

  /** @param side  on which they rested @param price  in ticks */
  at(side: Side, price: number): number {
    const missing = this.#of(side).get(price)
    return missing === undefined ? 0 : missing.taken + missing.met
  }

  /**
   * Records lots taken by an order of yours.
   *
   * @param reported  lots of the recorded book there
   */
  take(side: Side, price: number, lots: number, reported: number): void {
    this.#at(side, price, reported).taken += lots
  }

  /**
   * Records lots that filled a resting order of yours.
   *
   * @param reported  lots of the recorded book there
   */
  meet(side: Side, price: number, lots: number, reported: number): void {
    if (lots > 0) this.#at(side, price, reported).met += lots
  }

  /** Call once the recorded book has changed. */
  afterChange(book: RecordedBook): void {
    settle(this.#bids, book, BID)
    settle(this.#asks, book, ASK)
  }

  /** Call after a recorded trade has lowered the book: caps the missing lots at what is there. */
  afterTrade(book: RecordedBook): void {
    cap(this.#bids, book, BID)
    cap(this.#asks, book, ASK)
  }

  #at(side: Side, price: number, reported: number): Missing {
    const prices = this.#of(side)
    const known = prices.get(price)
    if (known !== undefined) return known
    const missing = { taken: 0, met: 0, reported }
    prices.set(price, missing)
    return missing
  }

  #of(side: Side): Map<number, Missing> {
    return side === 'BUY' ? this.#bids : this.#asks
  }
}

function settle(missing: Map<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) {
    if (!book.isShown(side, price)) continue
    at.taken -= Math.max(0, book.qtyAt(side, price) - at.reported)
  }
  cap(missing, book, side)
}

function cap(missing: Map<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) {
    if (!book.isShown(side, price)) continue
    const now = book.qtyAt(side, price)
    at.reported = now
    at.met = Math.min(at.met, now)
    at.taken = Math.max(0, Math.min(at.taken, now - at.met))
    if (at.met + at.taken === 0) missing.delete(price)
  }
}

export const depthSide = (side: Side): DepthSide => (side === 'BUY' ? BID : ASK)

export class FollowedBook {
  readonly depth: RecordedDepth
  missing = new MissingLots()
  /**
   * Cancel model: of a fall at a price, the share s^power was ahead, s being the share of the queue ahead. Infinity:
   * only orders behind yours cancel, as long as there are any.
   */
  readonly power: number

  constructor(depth: RecordedDepth, power: number) {
    this.depth = depth
    this.power = power
  }

  /** The same lots are missing here as in another view of the book. */
  takeOver({ missing }: FollowedBook): void {
    this.missing = missing
  }

  /** Recorded lots at a price, less those you took there. */
  available(side: Side, price: number): number {
    const reported = this.depth.book.qtyAt(depthSide(side), price)
    return reported === 0 ? 0 : Math.max(0, reported - this.missing.at(side, price))
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
