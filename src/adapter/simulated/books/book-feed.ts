/**
 * The recorded order book of one simulated market as its client receives it: after the feed latency, quotes before
 * levels.
 *
 * Work is done on demand: the market is subscribed with the first stream, a book without latency is read in place, and
 * an unwatched stream is not fed.
 */
import { openTimeOf } from '../../../domain/candle-length.ts'
import type { BookListener } from '../../../simulation/crowd/book-player.ts'
import type { RecordedDepth } from '../../../simulation/depth/recorded-depth.ts'
import { EVENT_KIND, type EventQueue } from '../../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../../simulation/simulated-markets.ts'
import type { DepthTerms } from '../../../strategy/depth-options.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { type BookReads, MarketBook } from '../../../strategy/market-book.ts'
import { MarketDepth } from '../../../strategy/market-depth.ts'
import { MarketQuote, type SeenQuote } from '../../../strategy/market-quote.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import { ASK, BID } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import { DelayedBook, type KnownBookListener } from './delayed-book.ts'
import { RecordedReads, type ToldBook } from './recorded-reads.ts'

export interface BookFeedParts {
  readonly simulated: SimulatedMarkets
  readonly market: MarketView
  readonly depth: RecordedDepth
  /** Milliseconds. */
  readonly latencyMs: number
}

/**
 * Levels of a recorded book after each frame, or at clock boundaries: then the latest state, if anything changed since
 * the last boundary.
 */
class DepthStream {
  readonly stream = new HotStream<MarketDepth>()
  readonly #terms: DepthTerms
  readonly #reads: BookReads
  readonly #market: MarketView
  readonly #queue: EventQueue
  #isDue = false

  constructor(terms: DepthTerms, reads: BookReads, market: MarketView, queue: EventQueue) {
    this.#terms = terms
    this.#reads = reads
    this.#market = market
    this.#queue = queue
  }

  /** A frame arrived. After a gap the book is unknown until the next snapshot, and nothing is emitted. */
  onFrame(): void {
    if (!this.stream.isWatched || !this.#reads.isKnown) return
    const { everyMs } = this.#terms
    if (everyMs === undefined) this.#push()
    else if (!this.#isDue) this.#tellAtBoundary(everyMs)
  }

  /** A frame or arrival in the boundary's own millisecond is still included. */
  #tellAtBoundary(everyMs: number): void {
    const now = this.#queue.now()
    const open = openTimeOf(now, everyMs)
    this.#isDue = true
    this.#queue.schedule(open === now ? now : open + everyMs, EVENT_KIND.candle, () => {
      this.#isDue = false
      if (this.stream.isWatched && this.#reads.isKnown) this.#push()
    })
  }

  #push(): void {
    const { toldAt } = this.#reads
    this.stream.push(new MarketDepth(toldAt, this.#reads.levels(this.#terms.levels), this.#market))
  }
}

export class BookFeed implements KnownBookListener {
  readonly #parts: BookFeedParts
  /** The book as the client knows it. */
  readonly #told: ToldBook
  readonly #reads: RecordedReads
  readonly #book: MarketBook
  readonly #depths = new Map<string, DepthStream>()
  #isListening = false
  /** The last emitted quote, or the one known at the first subscription; zeros before the first. */
  #touch: SeenQuote = NOBODY
  readonly #quotes = new HotStream<MarketQuote>(() => {
    this.#touch = this.#told.toldAt === Number.NEGATIVE_INFINITY ? NOBODY : this.#touchOf(this.#told.toldAt)
  })

  /** Create it on demand. */
  constructor(parts: BookFeedParts) {
    const { simulated, market, depth, latencyMs } = parts
    this.#parts = parts
    if (latencyMs === 0) this.#told = depth
    else {
      const delayed = new DelayedBook({ depth, queue: simulated.queue, latencyMs, listener: this })
      this.#told = delayed
      this.#listen(delayed)
    }
    this.#reads = new RecordedReads(this.#told)
    this.#book = new MarketBook(this.#reads, market)
  }

  /** The best prices, whenever a price or size changed. */
  quotes(): HotStream<MarketQuote> {
    this.#listenAtOnce()
    return this.#quotes
  }

  depth(terms: DepthTerms): HotStream<MarketDepth> {
    const key = `${terms.levels} ${terms.everyMs ?? ''}`
    const known = this.#depths.get(key)
    if (known !== undefined) return known.stream
    this.#listenAtOnce()
    const { market, simulated } = this.#parts
    const made = new DepthStream(terms, this.#reads, market, simulated.queue)
    this.#depths.set(key, made)
    return made.stream
  }

  book(): MarketBook {
    return this.#book
  }

  readonly onFrame = (time: number): void => {
    // After a gap the best prices are unknown until a snapshot or a quote.
    if (this.#quotes.isWatched && this.#told.book.isKnown) this.#tellTouch(this.#touchOf(time))
    for (const each of this.#depths.values()) each.onFrame()
  }

  readonly onQuote = (time: number, { bid, bidQty, ask, askQty }: QuoteBlock, row: number): void => {
    if (!this.#quotes.isWatched) return
    this.#tellTouch({
      time,
      bid: bid[row] ?? 0,
      bidQty: bidQty[row] ?? 0,
      ask: ask[row] ?? 0,
      askQty: askQty[row] ?? 0,
    })
  }

  /** Subscribes once. Listeners receive frames and quotes as they are played. */
  #listen({ onDepth, onQuote }: Required<BookListener>): void {
    if (this.#isListening) return
    this.#isListening = true
    const { simulated, market } = this.#parts
    // An unwatched print need not become a trade.
    simulated.listen(market.symbol, { onTrade: () => undefined, onPrint: () => undefined, onDepth, onQuote })
  }

  /** Subscribes without latency. */
  #listenAtOnce(): void {
    this.#listen({ onDepth: this.onFrame, onQuote: this.onQuote })
  }

  #tellTouch(touch: SeenQuote): void {
    const last = this.#touch
    const isSame =
      touch.bid === last.bid && touch.bidQty === last.bidQty && touch.ask === last.ask && touch.askQty === last.askQty
    if (isSame) return
    this.#touch = touch
    this.#quotes.push(new MarketQuote(touch, this.#parts.market))
  }

  #touchOf(time: number): SeenQuote {
    const { book } = this.#told
    const [bid, ask] = [book.bestBid ?? 0, book.bestAsk ?? 0]
    const bidQty = bid === 0 ? 0 : book.qtyAt(BID, bid)
    return { time, bid, bidQty, ask, askQty: ask === 0 ? 0 : book.qtyAt(ASK, ask) }
  }
}

const NOBODY: SeenQuote = { time: Number.NEGATIVE_INFINITY, bid: 0, bidQty: 0, ask: 0, askQty: 0 }
