/**
 * The current recorded book of a simulated market, from frames, quotes or both; the later of the two decides the best
 * levels.
 *
 * Contains none of your orders.
 */
import type { BookTapeInfo } from '../../tape/book-tape.ts'
import { RecordedBook } from '../../tape/book/recorded-book.ts'

/** Books by symbol. */
export function recordedDepths(
  books: readonly { readonly info: Pick<BookTapeInfo, 'symbol' | 'kind'> }[],
): ReadonlyMap<string, RecordedDepth> {
  const symbols = new Set(books.map(({ info }) => info.symbol))
  return new Map(
    [...symbols].map((symbol) => {
      const kinds = books.flatMap(({ info }) => (info.symbol === symbol ? [info.kind] : []))
      return [symbol, new RecordedDepth({ hasLevels: kinds.includes('depth'), hasQuotes: kinds.includes('quotes') })]
    }),
  )
}

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
  reportsOrders = false
  /** Unix milliseconds of the last frame or quote; -Infinity before the first. */
  reportedAt = Number.NEGATIVE_INFINITY

  constructor({ hasLevels, hasQuotes }: DepthKinds) {
    this.hasLevels = hasLevels
    this.hasQuotes = hasQuotes
  }
}
