/**
 * The recorded books of simulated markets, created on demand. Unrecorded data is refused with a message that names it.
 */
import { InputError, invariant } from '../../../domain/errors.ts'
import { setting, worded } from '../../../domain/setting-name.ts'
import type { RecordedDepth } from '../../../simulation/depth/recorded-depth.ts'
import type { SimulatedMarkets } from '../../../simulation/simulated-markets.ts'
import type { DepthTerms } from '../../../strategy/depth-options.ts'
import type { HotStream } from '../../../strategy/hot-stream.ts'
import type { MarketBook } from '../../../strategy/market-book.ts'
import type { MarketDepth } from '../../../strategy/market-depth.ts'
import type { MarketQuote } from '../../../strategy/market-quote.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { RecordedBooks } from '../../exchange-adapter.ts'
import { candlesWords } from '../candle-market-data.ts'
import { BookFeed } from './book-feed.ts'

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
