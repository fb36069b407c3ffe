/**
 * The recorded books of simulated markets, created on demand. Unrecorded data is refused with a message that names it.
 */
import { openTimeOf } from '../../../domain/candle-length.ts'
import { InputError, invariant } from '../../../domain/errors.ts'
import { setting, worded } from '../../../domain/setting-name.ts'
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
import { type BookTradeListener, RecordedBook } from '../../../tape/book/recorded-book.ts'
import { ASK, BID, type DepthBlock, type DepthSide } from '../../../tape/depth-block.ts'
import type { QuoteBlock } from '../../../tape/quote-block.ts'
import type { RecordedBooks } from '../../exchange-adapter.ts'
import { candlesWords } from '../candle-market-data.ts'
import { RecordedReads, type ReportedBook } from './recorded-reads.ts'

interface BookFeedParts {
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
    else if (!this.#isDue) this.#reportAtBoundary(everyMs)
  }

  /** A frame or arrival in the boundary's own millisecond is still included. */
  #reportAtBoundary(everyMs: number): void {
    const now = this.#queue.now()
    const open = openTimeOf(now, everyMs)
    this.#isDue = true
    this.#queue.schedule(open === now ? now : open + everyMs, EVENT_KIND.candle, () => {
      this.#isDue = false
      if (this.stream.isWatched && this.#reads.isKnown) this.#push()
    })
  }

  #push(): void {
    const { reportedAt } = this.#reads
    this.stream.push(new MarketDepth(reportedAt, this.#reads.levels(this.#terms.levels), this.#market))
  }
}

/**
 * The recorded order book of one simulated market as its client receives it: after the feed latency, quotes before
 * levels.
 *
 * Work is done on demand: the market is subscribed with the first stream, a book without latency is read in place, and
 * an unwatched stream is not fed.
 */
class BookFeed {
  readonly #parts: BookFeedParts
  /** The book as the client knows it. */
  readonly #reported: ReportedBook
  readonly #reads: RecordedReads
  readonly #book: MarketBook
  readonly #depths = new Map<string, DepthStream>()
  #isListening = false
  /** The last emitted quote, or the one known at the first subscription; zeros before the first. */
  #touch: SeenQuote = NO_QUOTE
  readonly #quotes = new HotStream<MarketQuote>(() => {
    this.#touch =
      this.#reported.reportedAt === Number.NEGATIVE_INFINITY ? NO_QUOTE : this.#touchOf(this.#reported.reportedAt)
  })

  /** Create it on demand. */
  constructor(parts: BookFeedParts) {
    const { simulated, market, depth, latencyMs } = parts
    this.#parts = parts
    if (latencyMs === 0) this.#reported = depth
    else {
      const delayed = new DelayedBook({ depth, queue: simulated.queue, latencyMs, listener: this })
      this.#reported = delayed
      this.#listen(delayed)
    }
    this.#reads = new RecordedReads(this.#reported)
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

  /** A frame arrived at the client. @param time  of the frame, Unix milliseconds */
  readonly onFrame = (time: number): void => {
    // After a gap the best prices are unknown until a snapshot or a quote.
    if (this.#quotes.isWatched && this.#reported.book.isKnown) this.#reportTouch(this.#touchOf(time))
    for (const each of this.#depths.values()) each.onFrame()
  }

  readonly onQuote = (time: number, { bid, bidQty, ask, askQty }: QuoteBlock, row: number): void => {
    if (!this.#quotes.isWatched) return
    this.#reportTouch({
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

  #reportTouch(touch: SeenQuote): void {
    const last = this.#touch
    const isSame =
      touch.bid === last.bid && touch.bidQty === last.bidQty && touch.ask === last.ask && touch.askQty === last.askQty
    if (isSame) return
    this.#touch = touch
    this.#quotes.push(new MarketQuote(touch, this.#parts.market))
  }

  #touchOf(time: number): SeenQuote {
    const { book } = this.#reported
    const [bid, ask] = [book.bestBid ?? 0, book.bestAsk ?? 0]
    const bidQty = bid === 0 ? 0 : book.qtyAt(BID, bid)
    return { time, bid, bidQty, ask, askQty: ask === 0 ? 0 : book.qtyAt(ASK, ask) }
  }
}

const NO_QUOTE: SeenQuote = { time: Number.NEGATIVE_INFINITY, bid: 0, bidQty: 0, ask: 0, askQty: 0 }

interface DelayedBookParts {
  readonly depth: RecordedDepth
  readonly queue: EventQueue
  /** Milliseconds, > 0. */
  readonly latencyMs: number
  readonly listener: Pick<BookFeed, 'onFrame' | 'onQuote'>
}

/**
 * The recorded order book of a market as a client with feed latency knows it: the state of the market's own book a
 * latency ago.
 *
 * Frames, quotes and recorded trades are applied as they were there, each a latency later; blocks are shared, not
 * copied. A book created during a run is unknown until the state of that moment has arrived.
 */
class DelayedBook implements ReportedBook, BookTradeListener {
  readonly book = new RecordedBook()
  reportedAt = Number.NEGATIVE_INFINITY
  readonly #parts: DelayedBookParts

  constructor(parts: DelayedBookParts) {
    this.#parts = parts
    const { book, reportedAt } = parts.depth
    book.listeners.push(this)
    if (reportedAt === Number.NEGATIVE_INFINITY) return
    const state = book.state()
    this.#deliver(() => {
      this.book.restore(state)
      this.reportedAt = reportedAt
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
      this.reportedAt = time
      this.#parts.listener.onFrame(time)
    })
  }

  readonly onQuote = (time: number, block: QuoteBlock, row: number): void => {
    this.#deliver(() => {
      this.book.applyQuotes(block, row, row + 1)
      this.reportedAt = time
      this.#parts.listener.onQuote(time, block, row)
    })
  }

  #deliver(delivery: () => void): void {
    const { queue, latencyMs } = this.#parts
    queue.enter(queue.now() + latencyMs, EVENT_KIND.data, delivery)
  }
}

export interface SimulatedBooksParts {
  readonly simulated: SimulatedMarkets
  readonly markets: readonly MarketView[]
  /** Milliseconds. */
  readonly feedLatency: (symbol: string) => number
}

export class SimulatedBooks implements RecordedBooks {
  readonly #parts: SimulatedBooksParts
  readonly #feedsBySymbol = new Map<string, BookFeed>()

  constructor(parts: SimulatedBooksParts) {
    this.#parts = parts
  }

  quotes(symbol: string): HotStream<MarketQuote> {
    return this.#feed(symbol, this.#recorded(`quotes('${symbol}')`, symbol, 'neither quotes nor a book')).quotes()
  }

  depth(symbol: string, terms: DepthTerms): HotStream<MarketDepth> {
    return this.#feed(symbol, this.#withLevels(`depth('${symbol}')`, symbol)).depth(terms)
  }

  book(symbol: string): MarketBook {
    return this.#feed(symbol, this.#withLevels(`book('${symbol}')`, symbol)).book()
  }

  #feed(symbol: string, depth: RecordedDepth): BookFeed {
    const known = this.#feedsBySymbol.get(symbol)
    if (known !== undefined) return known
    const { simulated, markets, feedLatency } = this.#parts
    const market = markets.find((each) => each.symbol === symbol)
    invariant(market !== undefined, `no market '${symbol}'`)
    const feed = new BookFeed({ simulated, market, depth, latencyMs: feedLatency(symbol) })
    this.#feedsBySymbol.set(symbol, feed)
    return feed
  }

  #withLevels(place: string, symbol: string): RecordedDepth {
    const depth = this.#recorded(place, symbol, 'no book')
    if (depth.hasLevels) return depth
    throw new InputError(place, `its tape has only the best prices: use quotes('${symbol}')`)
  }

  /** @throws {InputError} if only trades or candles of the market were recorded */
  #recorded(place: string, symbol: string, what: string): RecordedDepth {
    const { depth, candles } = this.#parts.simulated.market(symbol)
    if (depth !== undefined) return depth
    if (candles !== undefined)
      throw new InputError(place, `its tape has candles of ${candlesWords(candles)}, which contain ${what}`)
    throw new InputError(place, `its tape has trades, which contain ${what}`, {
      hint: worded`; pass its recorded book or quotes with ${setting('books')}`,
    })
  }
}
