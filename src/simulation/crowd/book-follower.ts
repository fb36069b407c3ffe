/**
 * Lets a recorded book act on the orders that rest in a market, whenever it changes: the crowd ahead of ours shrinks with what the book
 * tells, and what the book offers at our prices fills us.
 *
 * It looks at the prices of the crowd's queue alone, before and after a change, never through the book.
 */
import type { ExchangeEvent } from '../../domain/exchange-event.ts'
import { opposite, type Side } from '../../domain/order.ts'
import type { MarketAccess } from '../../exchange/exchange.ts'
import { depthSide, type FollowedBook } from '../depth/followed-book.ts'
import { tradedLots } from '../traded-lots.ts'
import type { CrowdQueue } from './crowd-queue.ts'

/** What the follower needs of its crowd. */
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
}

/** A price of the crowd's queue, with what the book had there before it changed. */
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

  constructor(parts: FollowerParts) {
    this.#parts = parts
  }

  /** True when a change of the book would change nothing else. */
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

  /** Call once it has changed. @returns what that did */
  afterChange(time: number): readonly ExchangeEvent[] {
    const { followed } = this.#parts
    const { book } = followed.depth
    followed.missing.afterChange(book)
    // Behind a gap nobody knows what is there.
    if (!book.isKnown) return NOTHING
    let events = NOTHING
    for (let at = 0; at < this.#count; at += 1) {
      const watched = this.#watched[at]
      if (watched !== undefined) events = joined(events, this.#shrink(time, watched))
    }
    for (const side of SIDES) events = joined(events, this.#cross(time, side))
    return events
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

  #shrink(time: number, { side, price, before }: Watched): readonly ExchangeEvent[] {
    const { followed, queue } = this.#parts
    const now = followed.displayed(side, price)
    if (now === undefined) return NOTHING
    const isFalling = now < before && followed.power !== Infinity
    if (!isFalling && queue.lotsAt(side, price) <= now) return NOTHING
    return queue.shrink(time, side, price, (ahead) => followed.stillAhead(ahead, before, now))
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
