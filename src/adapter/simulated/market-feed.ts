/**
 * The market data of one simulated market as its client receives it: after the feed latency, a ticker after the trades
 * that changed it.
 *
 * A recorded market emits one ticker per recorded row; a match of our own taking is emitted as a trade and changes
 * nothing else. An unwatched stream is not fed.
 */
import type { Candle } from '../../domain/candle.ts'
import type { CandleLength } from '../../domain/candle-length.ts'
import { decimalOf, type Decimal } from '../../domain/decimal.ts'
import type { Ticker } from '../../domain/ticker.ts'
import type { MarketAccess } from '../../exchange/exchange.ts'
import { EVENT_KIND, type EventKind } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketCandle, MarketTicker, MarketTrade, type SeenTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export class MarketFeed {
  readonly trades = new HotStream<MarketTrade>()
  readonly tickers = new HotStream<MarketTicker>()
  readonly gaps = new HotStream<MarketGap>()
  readonly prices = new HotStream<Decimal>()
  readonly #candlesByInterval = new Map<CandleLength, HotStream<MarketCandle>>()
  readonly #simulated: SimulatedMarkets
  readonly #market: MarketView
  readonly #latencyMs: number
  readonly #access: MarketAccess
  /**
   * Last price in ticks as the client sees it, which lags behind the statistics if there is feed latency; 0 before the
   * first trade.
   */
  #seenPrice = 0

  /** @param own  accounts of the client */
  constructor(simulated: SimulatedMarkets, market: MarketView, latencyMs: number, own: ReadonlySet<string>) {
    this.#simulated = simulated
    this.#market = market
    this.#latencyMs = latencyMs
    const { symbol } = market
    this.#access = simulated.exchange.market(symbol)
    simulated.listen(symbol, {
      onTrade: ({ id, createdAt, price, qty, isBuyerMaker, buyerId, sellerId }) => {
        const isOwn = own.has(buyerId) || own.has(sellerId)
        if (this.#reportsTrades) this.#reportTrade({ id, symbol, price, qty, isBuyerMaker, createdAt, isOwn })
      },
      onPrint: (id, createdAt, price, qty, isBuyerMaker, believed) => {
        if (this.#reportsTrades) this.#reportTrade({ id, symbol, price, qty, isBuyerMaker, createdAt, believed })
      },
      onMarketData: (time) => {
        this.#onMarketData(time)
      },
    })
  }

  get lastPrice(): Decimal | undefined {
    const ticks = this.#latencyMs === 0 ? this.#access.lastPrice : this.#seenPrice
    return ticks === 0 ? undefined : decimalOf(ticks, this.#market.pricePrecision)
  }

  /** @param interval  listed, or the tape's own */
  candles(interval: CandleLength): HotStream<MarketCandle> {
    const known = this.#candlesByInterval.get(interval)
    if (known !== undefined) return known
    const stream = new HotStream<MarketCandle>()
    this.#candlesByInterval.set(interval, stream)
    this.#simulated.watchCandles(this.#market.symbol, interval, (candle) => {
      if (!stream.isWatched) return
      if (this.#latencyMs > 0) this.#reportCandleLater(stream, candle)
      else stream.push(new MarketCandle(candle, this.#market))
    })
    return stream
  }

  /** A gap has the latency of trades and arrives before the first one after it. */
  reportGap(gap: MarketGap): void {
    if (!this.gaps.isWatched) return
    this.#simulated.queue.advance(gap.to)
    this.#deliver(EVENT_KIND.data, () => {
      this.gaps.push(gap)
    })
  }

  /** A new subscriber receives what was in flight then. */
  get #reportsTrades(): boolean {
    return this.#latencyMs > 0 || this.trades.isWatched
  }

  #reportTrade(trade: SeenTrade): void {
    if (this.#latencyMs > 0) this.#reportTradeLater(trade)
    else this.trades.push(new MarketTrade(trade, this.#market))
  }

  // A separate function, because a function that creates a closure pays for its scope even when it does not create it.
  #reportTradeLater(trade: SeenTrade): void {
    const { lastPrice } = this.#access
    this.#deliver(EVENT_KIND.data, () => {
      this.#seenPrice = lastPrice
      if (this.trades.isWatched) this.trades.push(new MarketTrade(trade, this.#market))
    })
  }

  #reportCandleLater(stream: HotStream<MarketCandle>, candle: Candle): void {
    this.#deliver(EVENT_KIND.candle, () => {
      stream.push(new MarketCandle(candle, this.#market))
    })
  }

  #onMarketData(time: number): void {
    const ticker = this.tickers.isWatched ? this.#simulated.exchange.ticker(this.#market.symbol, time) : undefined
    if (this.#latencyMs > 0) this.#reportMarketDataLater(ticker)
    else this.#pushMarketData(ticker)
  }

  #pushMarketData(ticker: Ticker | undefined): void {
    if (ticker !== undefined) this.tickers.push(new MarketTicker(ticker, this.#market))
    const price = this.prices.isWatched ? this.lastPrice : undefined
    if (price !== undefined) this.prices.push(price)
  }

  #reportMarketDataLater(ticker: Ticker | undefined): void {
    const { lastPrice } = this.#access
    this.#deliver(EVENT_KIND.data, () => {
      this.#seenPrice = lastPrice
      this.#pushMarketData(ticker)
    })
  }

  #deliver(kind: EventKind, delivery: () => void): void {
    const { queue } = this.#simulated
    if (this.#latencyMs === 0) delivery()
    else queue.enter(queue.now() + this.#latencyMs, kind, delivery)
  }
}
