/**
 * The market data of one simulated market, as it reaches a client: after the feed latency, a ticker after its trade.
 *
 * A stream that nobody watches is not fed.
 */
import type { CandleInterval } from '../../domain/candle.ts'
import { decimalOf, type Decimal } from '../../domain/decimal.ts'
import type { Trade } from '../../domain/trade.ts'
import { EVENT_KIND, type EventKind } from '../../simulation/event-queue.ts'
import type { SimulatedMarket } from '../../simulation/simulated-market.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketView } from '../../strategy/market-view.ts'

export class MarketFeed {
  readonly trades = new HotStream<MarketTrade>()
  readonly tickers = new HotStream<MarketTicker>()
  readonly #candlesByInterval = new Map<CandleInterval, HotStream<MarketCandle>>()
  readonly #simulated: SimulatedMarket
  readonly #market: MarketView
  readonly #latencyMs: number
  /** Ticks; 0 before the first trade. */
  #lastPrice = 0

  constructor(simulated: SimulatedMarket, market: MarketView, latencyMs: number) {
    this.#simulated = simulated
    this.#market = market
    this.#latencyMs = latencyMs
    simulated.listen(market.symbol, {
      onTrade: (trade) => {
        this.#onTrade(trade)
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

  #onTrade(trade: Trade): void {
    const ticker = this.tickers.isWatched ? this.#simulated.exchange.ticker(trade.symbol, trade.createdAt) : undefined
    this.#deliver(EVENT_KIND.data, () => {
      this.#lastPrice = trade.price
      if (this.trades.isWatched) this.trades.push(new MarketTrade(trade, this.#market))
      if (ticker !== undefined) this.tickers.push(new MarketTicker(ticker, this.#market))
    })
  }

  #deliver(kind: EventKind, delivery: () => void): void {
    const { queue } = this.#simulated
    if (this.#latencyMs === 0) delivery()
    else queue.schedule(queue.now() + this.#latencyMs, kind, delivery)
  }
}
