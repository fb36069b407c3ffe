/**
 * Price-time priority order book of one market.
 *
 * Invariant: after each command no bid meets an ask.
 */
import type { Depth } from '../domain/depth.ts'
import { opposite, type OrderRequest, type Side } from '../domain/order.ts'
import { BookSide } from './book-side.ts'
import type { LiveOrder } from './live-order.ts'

/** A resting order that an incoming one meets, and how much of it. */
export interface Match {
  readonly maker: LiveOrder
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
}

export class OrderBook {
  readonly #bids = new BookSide('BUY')
  readonly #asks = new BookSide('SELL')

  side(side: Side): BookSide {
    return side === 'BUY' ? this.#bids : this.#asks
  }

  /** What `request` would be matched with if it arrived now, best first. The book must not change while it is read. */
  *walk(request: OrderRequest): Generator<Match> {
    const side = this.side(opposite(request.side))
    let wanted = request.qty
    for (const maker of side.orders()) {
      const { price } = maker
      if (wanted === 0 || (request.type === 'LIMIT' && !side.isReachedBy(request.price, price))) return
      const qty = Math.min(wanted, maker.remaining)
      yield { maker, price, qty }
      wanted -= qty
    }
  }

  depth(levels: number): Depth {
    return { bids: this.#bids.depth(levels), asks: this.#asks.depth(levels) }
  }
}
