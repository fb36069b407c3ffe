/**
 * Lots that orders of ours took from a recorded book, by the price at which they were: they are not there any more, and the recording
 * does not know.
 *
 * What is missing at a price comes back as the book is recorded growing there; a smaller book caps it, and a level that goes clears it.
 * Invariant: never more is missing at a price than the book has there, once it was told.
 */
import type { Side } from '../../domain/order.ts'
import type { RecordedBook } from '../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthSide } from '../../tape/depth-block.ts'

interface Missing {
  lots: number
  /** Lots of the recorded book there, before it changes. */
  before: number
}

export class MissingLots {
  readonly #bids = new Map<number, Missing>()
  readonly #asks = new Map<number, Missing>()

  get isNone(): boolean {
    return this.#bids.size === 0 && this.#asks.size === 0
  }

  /** @param side  on which they rested @param price  in ticks */
  at(side: Side, price: number): number {
    return this.#of(side).get(price)?.lots ?? 0
  }

  add(side: Side, price: number, lots: number): void {
    const at = this.#of(side)
    const known = at.get(price)
    if (known === undefined) at.set(price, { lots, before: 0 })
    else known.lots += lots
  }

  /** Call before the recorded book changes. */
  beforeChange(book: RecordedBook): void {
    remember(this.#bids, book, BID)
    remember(this.#asks, book, ASK)
  }

  /** Call once it has changed. */
  afterChange(book: RecordedBook): void {
    settle(this.#bids, book, BID)
    settle(this.#asks, book, ASK)
  }

  /** Call once a recorded trade has lowered the book: no more is missing than is there. */
  afterTrade(book: RecordedBook): void {
    cap(this.#bids, book, BID)
    cap(this.#asks, book, ASK)
  }

  #of(side: Side): Map<number, Missing> {
    return side === 'BUY' ? this.#bids : this.#asks
  }
}

function remember(missing: ReadonlyMap<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) at.before = book.qtyAt(side, price)
}

function settle(missing: Map<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) {
    const now = book.qtyAt(side, price)
    // Out of sight is not gone.
    if (now === 0 && !book.isShown(side, price)) continue
    const left = Math.min(at.lots - Math.max(0, now - at.before), now)
    if (left > 0) at.lots = left
    else missing.delete(price)
  }
}

function cap(missing: Map<number, Missing>, book: RecordedBook, side: DepthSide): void {
  if (missing.size === 0) return
  for (const [price, at] of missing) {
    const now = book.qtyAt(side, price)
    if (now === 0 && book.isShown(side, price)) missing.delete(price)
    else if (now > 0 && at.lots > now) at.lots = now
  }
}
