/**
 * The market data of one simulated market, as it reaches a client: after the feed latency, a ticker after its trade.
 *
 * A stream that nobody watches is not fed.
 */
import type { CandleInterval } from '../../domain/candle.ts'
import { decimalOf, type Decimal } from '../../domain/decimal.ts'
import type { Ticker } from '../../domain/ticker.ts'
import { EVENT_KIND, type EventKind } from '../../simulation/event-queue.ts'
import type { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export class MarketFeed {
  readonly trades = new HotStream<MarketTrade>()
  readonly tickers = new HotStream<MarketTicker>()
  readonly #candlesByInterval = new Map<CandleInterval, HotStream<MarketCandle>>()
  readonly #simulated: SimulatedMarkets
  readonly #market: MarketView
  readonly #latencyMs: number
  /** Ticks; 0 before the first trade. */
  #lastPrice = 0

  constructor(simulated: SimulatedMarkets, market: MarketView, latencyMs: number) {
    this.#simulated = simulated
    this.#market = market
    this.#latencyMs = latencyMs
    simulated.listen(market.symbol, {
      onTrade: ({ id, createdAt, price, qty, isBuyerMaker }) => {
        this.#onTrade(id, createdAt, price, qty, isBuyerMaker)
      },
      onPrint: (id, time, price, qty, isBuyerMaker) => {
        this.#onTrade(id, time, price, qty, isBuyerMaker)
      },
    })
  }

  get lastPrice(): Decimal | undefined {
    return this.#lastPrice === 0 ? undefined : decimalOf(this.#lastPrice, this.#market.pricePrecision)
  }

  candles(interval: CandleInterval): HotStream<MarketCandle> {
    const known = this.#candlesByInterval.get(interval)
    if (known !== undefined) return known
    const stream = new HotStream<MarketCandle>()
    this.#candlesByInterval.set(interval, stream)
    this.#simulated.watchCandles(this.#market.symbol, interval, (candle) => {
      if (!stream.isWatched) return
      this.#deliver(EVENT_KIND.candle, () => {
        stream.push(new MarketCandle(candle, this.#market))
      })
    })
    return stream
  }

  /** Ticks and lots. */
  #onTrade(id: number, time: number, price: number, qty: number, isBuyerMaker: boolean): void {
    const ticker = this.tickers.isWatched ? this.#simulated.exchange.ticker(this.#market.symbol, time) : undefined
    if (this.#latencyMs === 0) this.#tell(id, time, price, qty, isBuyerMaker, ticker)
    else this.#tellLater(id, time, price, qty, isBuyerMaker, ticker)
  }

  // Apart, because a function that makes a closure pays for its surroundings also when it does not.
  #tellLater(
    id: number,
    time: number,
    price: number,
    qty: number,
    isBuyerMaker: boolean,
    ticker: Ticker | undefined,
  ): void {
    this.#deliver(EVENT_KIND.data, () => {
      this.#tell(id, time, price, qty, isBuyerMaker, ticker)
    })
  }

  #tell(
    id: number,
    createdAt: number,
    price: number,
    qty: number,
    isBuyerMaker: boolean,
    ticker: Ticker | undefined,
  ): void {
    const market = this.#market
    this.#lastPrice = price
    if (this.trades.isWatched) {
      const { symbol } = market
      this.trades.push(new MarketTrade({ id, symbol, price, qty, isBuyerMaker, createdAt }, market))
    }
    if (ticker !== undefined) this.tickers.push(new MarketTicker(ticker, market))
  }

  #deliver(kind: EventKind, delivery: () => void): void {
    const { queue } = this.#simulated
    if (this.#latencyMs === 0) delivery()
    else queue.schedule(queue.now() + this.#latencyMs, kind, delivery)
  }
}
