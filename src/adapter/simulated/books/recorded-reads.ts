/** A recorded book behind the interface of a strategy's book. */
import { opposite, type Side } from '../../../domain/order.ts'
import { depthSide } from '../../../simulation/depth/followed-book.ts'
import type { BookReads } from '../../../strategy/market-book.ts'
import type { SeenLevels } from '../../../strategy/market-depth.ts'
import type { RecordedBook, TakingCost } from '../../../tape/book/recorded-book.ts'

/** A recorded book with the time of its last change. */
export interface ToldBook {
  readonly book: RecordedBook
  /** Unix milliseconds; -Infinity before the first. */
  readonly toldAt: number
}

export class RecordedReads implements BookReads {
  readonly #told: ToldBook

  constructor(told: ToldBook) {
    this.#told = told
  }

  /** After a gap quotes give the best prices, but no level beyond them. */
  get isKnown(): boolean {
    return this.#told.book.isDeep
  }

  get toldAt(): number {
    return this.#told.toldAt
  }

  get bestBid(): number | undefined {
    return this.#told.book.bestBid
  }

  get bestAsk(): number | undefined {
    return this.#told.book.bestAsk
  }

  qtyAt(side: Side, price: number): number {
    return this.#told.book.qtyAt(depthSide(side), price)
  }

  levels(count: number): SeenLevels {
    return this.#told.book.levels(count)
  }

  costOf(side: Side, lots: number): TakingCost {
    return this.#told.book.costOf(depthSide(opposite(side)), lots)
  }
}
