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
import type { Side } from '../../domain/order.ts'
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthSide } from '../../tape/depth-block.ts'

interface Missing {
  /** Lots you took that have not come back. */
  taken: number
  /** Lots that filled your resting orders. */
  met: number
  /** Lots of the recorded book there at its last update. */
  told: number
}

export class MissingLots {
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
   * @param told  lots of the recorded book there
   */
  take(side: Side, price: number, lots: number, told: number): void {
    this.#at(side, price, told).taken += lots
  }

  /**
   * Records lots that filled a resting order of yours.
   *
   * @param told  lots of the recorded book there
   */
  meet(side: Side, price: number, lots: number, told: number): void {
    if (lots > 0) this.#at(side, price, told).met += lots
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

  #at(side: Side, price: number, told: number): Missing {
    const prices = this.#of(side)
    const known = prices.get(price)
    if (known !== undefined) return known
    const missing = { taken: 0, met: 0, told }
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
    at.taken -= Math.max(0, book.qtyAt(side, price) - at.told)
  }
  cap(missing, book, side)
}

function cap(missing: Map<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) {
    if (!book.isShown(side, price)) continue
    const now = book.qtyAt(side, price)
    at.told = now
    at.met = Math.min(at.met, now)
    at.taken = Math.max(0, Math.min(at.taken, now - at.met))
    if (at.met + at.taken === 0) missing.delete(price)
  }
}
