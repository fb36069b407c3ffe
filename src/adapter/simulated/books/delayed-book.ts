/**
 * The recorded order book of a market as a client with feed latency knows it: the state of the market's own book a
 * latency ago.
 *
 * Frames, quotes and recorded trades are applied as they were there, each a latency later; blocks are shared, not
 * copied. A book created during a run is unknown until the state of that moment has arrived.
 */
import type { RecordedDepth } from '../../../simulation/depth/recorded-depth.ts'
import { EVENT_KIND, type EventQueue } from '../../../simulation/event-queue.ts'
import { RecordedBook, type BookTradeListener } from '../../../tape/book/recorded-book.ts'
import type { DepthBlock, DepthSide } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { ToldBook } from './recorded-reads.ts'

/** Receives what a client learns of a book, when it arrives. */
export interface KnownBookListener {
  /** A frame arrived. @param time  of the frame, Unix milliseconds */
  onFrame(time: number): void
  onQuote(time: number, block: QuoteBlock, row: number): void
}

export interface DelayedBookParts {
  readonly depth: RecordedDepth
  readonly queue: EventQueue
  /** Milliseconds, > 0. */
  readonly latencyMs: number
  readonly listener: KnownBookListener
}

export class DelayedBook implements ToldBook, BookTradeListener {
  readonly book = new RecordedBook()
  toldAt = Number.NEGATIVE_INFINITY
  readonly #parts: DelayedBookParts

  constructor(parts: DelayedBookParts) {
    this.#parts = parts
    const { book, toldAt } = parts.depth
    book.listeners.push(this)
    if (toldAt === Number.NEGATIVE_INFINITY) return
    const state = book.state()
    this.#deliver(() => {
      this.book.restore(state)
      this.toldAt = toldAt
    })
  }

  onTraded(price: number, isBuyerMaker: boolean): void {
    this.#deliver(() => {
      this.book.traded(price, isBuyerMaker)
    })
  }

  onLowered(side: DepthSide, price: number, lots: number): void {
    this.#deliver(() => {
      this.book.lower(side, price, lots)
    })
  }

  readonly onDepth = (time: number, block: DepthBlock, start: number, end: number): void => {
    this.#deliver(() => {
      this.book.apply(block, start, end)
      this.toldAt = time
      this.#parts.listener.onFrame(time)
    })
  }

  readonly onQuote = (time: number, block: QuoteBlock, row: number): void => {
    this.#deliver(() => {
      this.book.applyQuotes(block, row, row + 1)
      this.toldAt = time
      this.#parts.listener.onQuote(time, block, row)
    })
  }

  #deliver(delivery: () => void): void {
    const { queue, latencyMs } = this.#parts
    queue.enter(queue.now() + latencyMs, EVENT_KIND.data, delivery)
  }
}
