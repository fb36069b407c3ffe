/**
 * The recorded book of one simulated market as it reaches a client: after the feed latency, quotes before levels.
 *
 * What nobody has asked for costs nothing: the market is listened to from the first stream on, and a book that does not
 * travel is read where it is. A stream that nobody watches is not fed.
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
 * Levels of a recorded book after each frame of it, or at boundaries of the clock: then the last state, where something
 * was told since the boundary before.
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

  /** A frame was told. Behind a gap nothing is known until the next snapshot, and nothing is told. */
  onFrame(): void {
    if (!this.stream.isWatched || !this.#reads.isKnown) return
    const { everyMs } = this.#terms
    if (everyMs === undefined) this.#push()
    else if (!this.#isDue) this.#tellAtBoundary(everyMs)
  }

  /** A frame of the boundary's own millisecond is in it still, as is what arrives then. */
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
  /** As the client knows it. */
  readonly #told: ToldBook
  readonly #reads: RecordedReads
  readonly #book: MarketBook
  readonly #depths = new Map<string, DepthStream>()
  #isListening = false
  /** What was told last, or was known when somebody began to listen; zeros before the first. */
  #touch: SeenQuote = NOBODY
  readonly #quotes = new HotStream<MarketQuote>(() => {
    this.#touch = this.#told.toldAt === Number.NEGATIVE_INFINITY ? NOBODY : this.#touchOf(this.#told.toldAt)
  })

  /** To be made when it is asked for. */
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

  /** The touch, whenever its prices or sizes were told to be others. */
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
    // Behind a gap nobody knows the touch until a snapshot, or a quote.
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

  /** Once. @param hearer  of frames and quotes as they are played */
  #listen({ onDepth, onQuote }: Required<BookListener>): void {
    if (this.#isListening) return
    this.#isListening = true
    const { simulated, market } = this.#parts
    // A print that nobody hears need not be made a trade.
    simulated.listen(market.symbol, { onTrade: () => undefined, onPrint: () => undefined, onDepth, onQuote })
  }

  /** What does not travel is known at once. */
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
