/**
 * Applies changes of a recorded book to your resting orders: the crowd's queue ahead of them shrinks, and levels of the
 * other side that reach them fill them.
 *
 * An order-level recording says which orders of the crowd were removed, so nothing is assumed about them: later orders
 * were behind yours.
 * It compares only the prices at which the crowd queues before and after a change, and never scans the book.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { opposite, type Side } from '../../domain/order.ts'
import type { MarketAccess } from '../../exchange/exchange.ts'
import { depthSide, type FollowedBook } from '../depth/followed-book.ts'
import { tradedLots } from '../traded-lots.ts'
import type { CrowdQueue } from './crowd-queue.ts'
import { fallsAt, type FrameFalls } from './frame-falls.ts'
import { OvertakenOrders, type OwnResting } from './overtaken-orders.ts'

/** Parts of the crowd that the follower needs. */
export interface FollowerParts {
  readonly followed: FollowedBook
  readonly queue: CrowdQueue
  readonly access: MarketAccess
  /**
   * Lets lots of the recorded book's other side, at a price, meet our orders of `side`.
   *
   * @returns what happened; the lots are no longer there
   */
  readonly meet: (time: number, side: Side, price: number, lots: number) => readonly ExchangeEvent[]
  /** Our orders at a price, in their priority. */
  readonly ours: (side: Side, price: number) => readonly OwnResting[]
}

/** A price of the crowd's queue, with the lots of the book there before the change. */
interface Watched {
  side: Side
  price: number
  before: number
}

const SIDES = ['BUY', 'SELL'] as const

export class BookFollower {
  readonly #parts: FollowerParts
  /** Room for them; only the first `#count` are watched. */
  readonly #watched: Watched[] = []
  #count = 0

  readonly #overtaken: OvertakenOrders

  constructor(parts: FollowerParts) {
    this.#parts = parts
    this.#overtaken = new OvertakenOrders(parts)
  }

  /** True if a change of the book would have no further effect. */
  get isIdle(): boolean {
    const { access, followed } = this.#parts
    return followed.missing.isNone && access.bestPrice('BUY') === undefined && access.bestPrice('SELL') === undefined
  }

  /** True when a limit order of a side is known to reach nothing of the book. */
  isOutOfReach(side: Side, limitPrice: number): boolean {
    const { book } = this.#parts.followed.depth
    const other = side === 'BUY' ? book.bestAsk : book.bestBid
    return book.isKnown && other !== undefined && !reaches(side, other, limitPrice)
  }

  /** Call before the book changes. */
  beforeChange(): void {
    const { queue } = this.#parts
    this.#count = 0
    for (const side of SIDES) for (const price of queue.prices(side)) this.#watch(side, price)
  }

  /**
   * Call after the book has changed.
   *
   * @param falls  removals of single orders; undefined unless the recording is order-level
   * @returns the events that this caused
   */
  afterChange(time: number, falls: FrameFalls | undefined): readonly ExchangeEvent[] {
    const { followed } = this.#parts
    const { book } = followed.depth
    followed.missing.afterChange(book)
    // After a gap the contents of the book are unknown.
    if (!book.isKnown) return NOTHING
    let events = NOTHING
    for (let at = 0; at < this.#count; at += 1) {
      const watched = this.#watched[at]
      if (watched !== undefined) events = joined(events, this.#shrink(time, watched, falls))
    }
    if (falls !== undefined) events = joined(events, this.#overtaken.fill(time, falls))
    return events
  }

  /**
   * Call after `afterChange`: levels of the other side fill your orders that they reach.
   *
   * @returns the events that this caused
   */
  cross(time: number): readonly ExchangeEvent[] {
    const { book } = this.#parts.followed.depth
    if (!book.isKnown) return NOTHING
    return joined(this.#cross(time, 'BUY'), this.#cross(time, 'SELL'))
  }

  /**
   * Call with the matches of a recorded trade.
   *
   * @param price  of the trade, in ticks
   */
  onMet(time: number, price: number, events: readonly ExchangeEvent[]): void {
    this.#overtaken.onMet(time, price, events)
  }

  /** Call once a recorded trade has lowered the book. */
  afterTrade(): void {
    const { followed } = this.#parts
    if (!followed.missing.isNone) followed.missing.afterTrade(followed.depth.book)
  }

  #watch(side: Side, price: number): void {
    const before = this.#parts.followed.available(side, price)
    const room = this.#watched[this.#count]
    if (room === undefined) this.#watched.push({ side, price, before })
    else {
      room.side = side
      room.price = price
      room.before = before
    }
    this.#count += 1
  }

  #shrink(time: number, { side, price, before }: Watched, falls: FrameFalls | undefined): readonly ExchangeEvent[] {
    const { followed, queue } = this.#parts
    const now = followed.displayed(side, price)
    if (now === undefined) return NOTHING
    if (falls !== undefined) return joined(this.#cancelled(time, side, price, falls), this.#cap(time, side, price, now))
    // A quote does not identify who cancelled; order-level frames do.
    const isReported = followed.power === Infinity || followed.depth.reportsOrders
    if (now >= before || isReported) return this.#cap(time, side, price, now)
    return queue.shrink(time, side, price, (ahead) => followed.stillAhead(ahead, before, now))
  }

  /** Never more are ahead than are there. */
  #cap(time: number, side: Side, price: number, now: number): readonly ExchangeEvent[] {
    const { queue } = this.#parts
    if (queue.lotsAt(side, price) <= now) return NOTHING
    return queue.shrink(time, side, price, (ahead) => Math.min(ahead, now))
  }

  /** Applies cancels: of the cancelled orders, those that arrived no later than your order were ahead of it. */
  #cancelled(time: number, side: Side, price: number, falls: FrameFalls): readonly ExchangeEvent[] {
    const { followed, queue } = this.#parts
    // After you took lots from a level, it is unknown which of its orders are left.
    if (followed.missing.at(side, price) > 0) return NOTHING
    let events = NOTHING
    for (const { since, lots, isTraded } of fallsAt(falls, side, price)) {
      if (isTraded) continue
      let least = 0
      events = joined(
        events,
        queue.shrink(time, side, price, (ahead, ours) => {
          least = Math.max(least, since <= ours ? ahead - lots : ahead)
          return least
        }),
      )
    }
    return events
  }

  /** Levels of the recorded book's other side that reach our best orders of a side. */
  #cross(time: number, side: Side): readonly ExchangeEvent[] {
    const { followed, access } = this.#parts
    const { book } = followed.depth
    const best = access.bestPrice(side)
    const other = side === 'BUY' ? book.bestAsk : book.bestBid
    if (best === undefined || other === undefined || !reaches(side, other, best)) return NOTHING
    let events = NOTHING
    const from = opposite(side)
    for (const price of book.prices(depthSide(from))) {
      const ours = access.bestPrice(side)
      if (ours === undefined || !reaches(side, price, ours)) break
      const lots = followed.available(from, price)
      if (lots === 0) continue
      const happened = this.#parts.meet(time, side, price, lots)
      followed.missing.meet(from, price, tradedLots(happened), book.qtyAt(depthSide(from), price))
      events = joined(events, happened)
    }
    return events
  }
}

const NOTHING: readonly ExchangeEvent[] = []

const reaches = (side: Side, other: number, ours: number): boolean => (side === 'BUY' ? other <= ours : other >= ours)

const joined = (some: readonly ExchangeEvent[], more: readonly ExchangeEvent[]): readonly ExchangeEvent[] =>
  more.length === 0 ? some : some.length === 0 ? more : [...some, ...more]
