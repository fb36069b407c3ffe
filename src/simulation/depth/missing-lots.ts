/**
 * Lots that orders of ours took from a recorded book, by the price at which they were: they are not there any more, and
 * the recording does not know.
 *
 * What an order of ours took comes back as the book is recorded growing there; what came to a resting order of ours
 * does not, for it fills us once. A smaller book caps both, and a level that goes clears them. A price that goes out of
 * sight says nothing. Known limit: prices out of sight stay, and are looked at again at every change, so one who takes
 * along a long trend of a recording of a few levels pays for them in time, though not in fills.
 * Invariant: never more is missing at a price than the book has there, once it was told.
 */
import type { Side } from '../../domain/order.ts'
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthSide } from '../../tape/depth-block.ts'

interface Missing {
  /** That we took, and that are not back. */
  taken: number
  /** That came to us. */
  met: number
  /** Lots of the recorded book there when it was told last. */
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

  /** An order of ours took them. @param told  lots that the recorded book has there */
  take(side: Side, price: number, lots: number, told: number): void {
    this.#at(side, price, told).taken += lots
  }

  /** They came to a resting order of ours. @param told  lots that the recorded book has there */
  meet(side: Side, price: number, lots: number, told: number): void {
    if (lots > 0) this.#at(side, price, told).met += lots
  }

  /** Call once the recorded book has changed. */
  afterChange(book: RecordedBook): void {
    settle(this.#bids, book, BID)
    settle(this.#asks, book, ASK)
  }

  /** Call once a recorded trade has lowered the book: no more is missing than is there. */
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
