/**
 * The recorded book of a simulated market as it is now, told by frames, by quotes, or by both: whichever came later is
 * what the best levels are.
 *
 * Nothing of ours is in it.
 */
import { RecordedBook } from '../../tape/book/recorded-book.ts'

/** What is recorded of a market's book. */
export interface DepthKinds {
  /** Levels; else its best prices alone. */
  readonly hasLevels: boolean
  readonly hasQuotes: boolean
}

export class RecordedDepth implements DepthKinds {
  readonly book = new RecordedBook()
  readonly hasLevels: boolean
  readonly hasQuotes: boolean
  /** True when the last frame was of a recording that tells each order, so that it is known who cancels. */
  tellsOrders = false
  /** Unix milliseconds of the last frame or quote; -Infinity before the first. */
  toldAt = Number.NEGATIVE_INFINITY

  constructor({ hasLevels, hasQuotes }: DepthKinds) {
    this.hasLevels = hasLevels
    this.hasQuotes = hasQuotes
  }
}
