/**
 * The recorded book of a market as a client knows it to whom market data travels: what the market's own book was a latency ago.
 *
 * Frames, quotes and believed trades do to it what they did there, each a latency later; blocks are kept, not copied. One that begins in the
 * middle of a run knows nothing until the state of that moment has come to it.
 *
 * Known limit: a print that is believed late, and only then fills an order of ours, lowers this book and not that of the market, until its
 * price is told again.
 */
import { CROWD } from '../../../domain/command.ts'
import type { Trade } from '../../../domain/trade.ts'
import type { MarketAccess } from '../../../exchange/exchange.ts'
import type { RecordedDepth } from '../../../simulation/depth/recorded-depth.ts'
import { EVENT_KIND, type EventQueue } from '../../../simulation/event-queue.ts'
import type { MarketListener } from '../../../simulation/recorded-market.ts'
import { RecordedBook } from '../../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthBlock } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { ToldBook } from './recorded-reads.ts'

/** Hears of what a client is told of a book, when it is known. */
export interface BookListener {
  /** A frame was told. @param time  of it, Unix milliseconds */
  onFrame(time: number): void
  onQuote(time: number, block: QuoteBlock, row: number): void
}

export interface DelayedBookParts {
  readonly depth: RecordedDepth
  /** For the price of what was recorded last. */
  readonly access: Pick<MarketAccess, 'lastPrice'>
  readonly queue: EventQueue
  /** Milliseconds, > 0. */
  readonly latencyMs: number
  readonly listener: BookListener
}

export class DelayedBook implements ToldBook, MarketListener {
  readonly book = new RecordedBook()
  toldAt = Number.NEGATIVE_INFINITY
  readonly #parts: DelayedBookParts
  /** Lots of the pieces of a recorded trade, as far as they were told. */
  #pieces = 0
  #isBuyerMaker = false

  constructor(parts: DelayedBookParts) {
    this.#parts = parts
    const { book, toldAt } = parts.depth
    if (toldAt === Number.NEGATIVE_INFINITY) return
    const state = book.state()
    this.#deliver(() => {
      this.book.restore(state)
      this.toldAt = toldAt
    })
  }

  /** A piece of a recorded trade, in which the crowd is always who took; one in which it is not is our own taking. */
  onTrade({
    qty,
    isBuyerMaker,
    buyerId,
    sellerId,
  }: Pick<Trade, 'qty' | 'isBuyerMaker' | 'buyerId' | 'sellerId'>): void {
    if ((isBuyerMaker ? sellerId : buyerId) === CROWD) this.#addPiece(qty, isBuyerMaker)
  }

  onPrint(_id: number, _time: number, _price: number, qty: number, isBuyerMaker: boolean, isBelieved: boolean): void {
    if (isBelieved) this.#addPiece(qty, isBuyerMaker)
  }

  /** A recorded trade is whole. Its own price may be that of none of its pieces: an order of ours that it met had a better one. */
  onMarketData(): void {
    const [lots, isBuyerMaker] = [this.#pieces, this.#isBuyerMaker]
    if (lots === 0) return
    this.#pieces = 0
    const { lastPrice: price } = this.#parts.access
    this.#deliver(() => {
      if (!this.book.isKnown) return
      this.book.traded(price, isBuyerMaker)
      this.book.lower(isBuyerMaker ? BID : ASK, price, lots)
    })
  }

  onDepth(time: number, block: DepthBlock, start: number, end: number): void {
    // An order of ours that the book itself filled was no recorded trade.
    this.#pieces = 0
    this.#deliver(() => {
      this.book.apply(block, start, end)
      this.toldAt = time
      this.#parts.listener.onFrame(time)
    })
  }

  onQuote(time: number, block: QuoteBlock, row: number): void {
    this.#pieces = 0
    this.#deliver(() => {
      this.book.applyQuotes(block, row, row + 1)
      this.toldAt = time
      this.#parts.listener.onQuote(time, block, row)
    })
  }

  #addPiece(lots: number, isBuyerMaker: boolean): void {
    this.#pieces += lots
    this.#isBuyerMaker = isBuyerMaker
  }

  #deliver(delivery: () => void): void {
    const { queue, latencyMs } = this.#parts
    queue.enter(queue.now() + latencyMs, EVENT_KIND.data, delivery)
  }
}
