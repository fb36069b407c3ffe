/**
 * The current recorded book of a simulated market, from frames, quotes or both; the later of the two decides the best
 * levels.
 *
 * Contains none of your orders.
 */
import { RecordedBook } from '../../tape/book/recorded-book.ts'

/** Kinds of recording available for a market's book. */
export interface DepthKinds {
  /** True if levels are recorded; false for best prices only. */
  readonly hasLevels: boolean
  readonly hasQuotes: boolean
}

export class RecordedDepth implements DepthKinds {
  readonly book = new RecordedBook()
  readonly hasLevels: boolean
  readonly hasQuotes: boolean
  /** True if the last frame is of an order-level recording, so it is known who cancels. */
  tellsOrders = false
  /** Unix milliseconds of the last frame or quote; -Infinity before the first. */
  toldAt = Number.NEGATIVE_INFINITY

  constructor({ hasLevels, hasQuotes }: DepthKinds) {
    this.hasLevels = hasLevels
    this.hasQuotes = hasQuotes
  }
}
