/** A recorded book behind the interface of a strategy's book. */
import { opposite, type Side } from '../../../domain/order.ts'
import { depthSide } from '../../../simulation/depth/followed-book.ts'
import type { BookReads } from '../../../strategy/market-book.ts'
import type { SeenLevels } from '../../../strategy/market-depth.ts'
import type { RecordedBook, TakingCost } from '../../../tape/book/recorded-book.ts'

/** A recorded book with the time of its last change. */
export interface ReportedBook {
  readonly book: RecordedBook
  /** Unix milliseconds; -Infinity before the first. */
  readonly reportedAt: number
}

export class RecordedReads implements BookReads {
  readonly #reported: ReportedBook

  constructor(reported: ReportedBook) {
    this.#reported = reported
  }

  /** After a gap quotes give the best prices, but no level beyond them. */
  get isKnown(): boolean {
    return this.#reported.book.isDeep
  }

  get reportedAt(): number {
    return this.#reported.reportedAt
  }

  get bestBid(): number | undefined {
    return this.#reported.book.bestBid
  }

  get bestAsk(): number | undefined {
    return this.#reported.book.bestAsk
  }

  qtyAt(side: Side, price: number): number {
    return this.#reported.book.qtyAt(depthSide(side), price)
  }

  levels(count: number): SeenLevels {
    return this.#reported.book.levels(count)
  }

  costOf(side: Side, lots: number): TakingCost {
    return this.#reported.book.costOf(depthSide(opposite(side)), lots)
  }
}
