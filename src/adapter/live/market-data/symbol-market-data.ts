/** Live market data of one market: its trades and everything derived from them. */
import type { Candle, CandleInterval } from '../../../domain/candle.ts'
import { type Decimal, decimalOf } from '../../../domain/decimal.ts'
import type { ExchangeError } from '../../../domain/errors.ts'
import type { Ticker } from '../../../domain/ticker.ts'
import { isoTime } from '../../../domain/time.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import { MarketCandle, MarketTicker, MarketTrade } from '../../../strategy/market-data.ts'
import type { MarketGap } from '../../../strategy/market-gap.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import type { WireTrade } from '../../../wire/wire-trade.ts'
import type { ConnectionState, EarlierCandles } from '../../exchange-adapter.ts'
import type { LiveTime } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import { CandleBuilder } from './candle-builder.ts'
import type { MarketDataSettings } from './market-data-settings.ts'
import { TickerFeed } from './ticker-feed.ts'
import { faultOf, TradeFeed } from './trade-feed.ts'
import type { GapKind, SequenceCounts } from './trade-sequence.ts'

interface SymbolHealth extends SequenceCounts {
  /**
   * `stream`: trades are emitted as they arrive. `checked`: they wait for a read, after a connect or because the stream
   * was wrong. `polled`: there is no stream.
   */
  readonly source: 'stream' | 'checked' | 'polled'
  /** Trades that arrived after their candle was emitted. */
  readonly lateForCandle: number
}

/** Live market data figures for a status screen. */
export interface MarketDataHealth {
  readonly state: ConnectionState
  /** Unix milliseconds; undefined while the stream is not connected. */
  readonly connectedSince: number | undefined
  /** Since the last message of the stream, milliseconds; undefined before the first. */
  readonly lastMessageAgeMs: number | undefined
  readonly reconnects: number
  /** Frames of the stream that could not be read. */
  readonly unreadable: number
  readonly bySymbol: ReadonlyMap<string, SymbolHealth>
}

export interface SymbolMarketDataOptions {
  readonly market: MarketView
  readonly reads: MarketReads
  /** Whether there is a stream, which will state what it offers. */
  readonly isStreamed: boolean
  readonly time: LiveTime
  readonly random: () => number
  readonly settings: MarketDataSettings
  readonly isOwn: (trade: WireTrade) => boolean
  readonly isMarketData: (trade: WireTrade) => boolean
  readonly onWireTrade: (trade: WireTrade) => void
  readonly onWarning: (message: string) => void
  readonly onFault: (error: ExchangeError) => void
  /** The stream is alive and does not bring the trades. */
  readonly onSilent: () => void
  readonly onCurrent: () => void
}

interface CandleWatch {
  readonly stream: HotStream<MarketCandle>
  readonly builder: CandleBuilder
}

export class SymbolMarketData {
  readonly trades = new HotStream<MarketTrade>()
  readonly gaps = new HotStream<MarketGap>()
  readonly tickers: HotStream<MarketTicker>
  readonly feed: TradeFeed
  readonly tickerFeed: TickerFeed
  readonly #options: SymbolMarketDataOptions
  readonly #candlesByInterval = new Map<CandleInterval, CandleWatch>()
  /** Copy on write: a builder that is added while a trade is emitted already has that trade. */
  #builders: readonly CandleBuilder[] = []
  /** Resolves when the history is known. */
  readonly #begun: Promise<void>
  #onBegun: () => void = () => undefined
  /** Ticks; undefined before the first trade. */
  #lastTicks: number | undefined

  /** @param onTickers  called when the first subscriber of tickers arrives */
  constructor(options: SymbolMarketDataOptions, onTickers: () => void) {
    const { market, reads, isStreamed, time, random, settings, onFault } = options
    const { symbol } = market
    this.#options = options
    this.#begun = new Promise((resolve) => {
      this.#onBegun = resolve
    })
    this.tickers = new HotStream(onTickers)
    this.feed = new TradeFeed({ symbol, reads, isStreamed, time, random, settings, listener: this.#feedListener() })
    this.tickerFeed = new TickerFeed({
      symbol,
      reads,
      time,
      clock: this.feed.clock,
      pollMs: settings.tickerMs,
      onStreamed: () => this.feed.onTraded(),
      onWarning: options.onWarning,
      onTicker: (ticker: Ticker) => this.tickers.push(new MarketTicker(ticker, market)),
      onFault: (error) => onFault(faultOf(error)),
    })
  }

  /** Price of the last trade, including our own: the wire does not say what the market was without them. */
  get lastPrice(): Decimal | undefined {
    if (this.#lastTicks === undefined) return undefined
    return decimalOf(this.#lastTicks, this.#options.market.pricePrecision)
  }

  get health(): SymbolHealth {
    const lateForCandle = this.#builders.map((builder) => builder.late)
    return {
      ...this.feed.counts,
      source: this.feed.source,
      lateForCandle: lateForCandle.reduce((sum, late) => sum + late, 0),
    }
  }

  candles(interval: CandleInterval): HotStream<MarketCandle> {
    return this.#watchOf(interval).stream
  }

  earlierCandles(interval: CandleInterval): EarlierCandles {
    const { since, candles } = this.#watchOf(interval).builder.earlier
    return { since, candles: candles.map((candle) => new MarketCandle(candle, this.#options.market)) }
  }

  /** Reads `count` candles from before the first emitted one. @throws {ExchangeError} */
  async loadCandles(interval: CandleInterval, count: number): Promise<void> {
    const { builder } = this.#watchOf(interval)
    await this.#begun
    await builder.loadHistory(count)
  }

  /** Trades up to now that it was not asked to emit, oldest first. */
  recentTrades(): readonly MarketTrade[] {
    const { market, isOwn } = this.#options
    return this.feed.sequence.recent().trades.map((trade) => new MarketTrade({ ...trade, isOwn: isOwn(trade) }, market))
  }

  /** Calls `action` once the candles that closed by `time` were emitted. */
  afterCandles(interval: CandleInterval, time: number, action: () => void): void {
    this.#watchOf(interval).builder.afterEnd(time, action)
  }

  /** Closed candles, oldest first; empty for an interval that was not requested. */
  history(interval: CandleInterval): readonly MarketCandle[] {
    const candles = this.#candlesByInterval.get(interval)?.builder.history ?? []
    return candles.map((candle) => new MarketCandle(candle, this.#options.market))
  }

  /** Reads the candles from before the beginning. */
  async loadHistory(): Promise<void> {
    await Promise.all(this.#builders.map((builder) => builder.loadHistory()))
  }

  close(): void {
    this.feed.close()
    this.tickerFeed.close()
    for (const builder of this.#builders) builder.close()
  }

  #feedListener(): ConstructorParameters<typeof TradeFeed>[0]['listener'] {
    const { market, settings, onWireTrade, onWarning, onSilent, onFault, onCurrent } = this.#options
    return {
      onSeen: (trade) => {
        this.tickerFeed.onTrade()
        onWireTrade(trade)
      },
      onAhead: ({ id, createdAt }) => {
        const byMs = createdAt - this.feed.clock.now()
        onWarning(
          `${market.symbol}: the time of trade ${id} (${isoTime(createdAt)}) is ${Math.round(byMs / 1_000)} s ahead of the clock; its arrival time is used instead`,
        )
      },
      onSilent: () => {
        onWarning(
          `${market.symbol}: the stream does not deliver the trades that the service lists; polling every ${settings.pollMs / 1_000} s instead`,
        )
        onSilent()
      },
      onTrade: (trade) => this.#reportTrade(trade),
      onGap: (from, to, kind) => this.#reportGap(from, to, kind),
      onBegin: () => {
        this.#lastTicks = this.feed.sequence.last?.price
        for (const builder of this.#builders) this.#begin(builder)
        this.#onBegun()
      },
      onCurrent,
      onFault,
    }
  }

  #reportTrade(trade: WireTrade): void {
    const { market, isOwn, isMarketData } = this.#options
    const builders = this.#builders
    for (const builder of builders) builder.closeBefore(trade.createdAt)
    if (isMarketData(trade)) {
      this.#lastTicks = trade.price
      for (const builder of builders) builder.trade(trade)
    }
    if (!this.trades.isWatched) return
    const { id, symbol, price, qty, isBuyerMaker, createdAt } = trade
    const seen = { id, symbol, price, qty, isBuyerMaker, createdAt, isOwn: isOwn(trade) }
    this.trades.push(new MarketTrade(seen, market))
  }

  #reportGap(from: number, to: number, kind: GapKind): void {
    for (const builder of this.#builders) builder.gap(from, to, kind)
    this.gaps.push({ symbol: this.#options.market.symbol, from, to })
  }

  #watchOf(interval: CandleInterval): CandleWatch {
    const known = this.#candlesByInterval.get(interval)
    if (known !== undefined) return known
    const { market, settings, time, reads, onWarning } = this.#options
    const stream = new HotStream<MarketCandle>()
    const builder = new CandleBuilder({
      symbol: market.symbol,
      interval,
      closeAfterMs: settings.closeAfterMs,
      time,
      clock: this.feed.clock,
      reads,
      whenWhole: (action) => this.feed.whenWhole(action),
      onCandle: (candle: Candle) => stream.push(new MarketCandle(candle, market)),
      onWarning,
    })
    const watch = { stream, builder }
    this.#candlesByInterval.set(interval, watch)
    this.#builders = [...this.#builders, builder]
    if (this.feed.isBegun) this.#begin(builder)
    return watch
  }

  #begin(builder: CandleBuilder): void {
    const { trades, after } = this.feed.sequence.recent()
    builder.begin(trades.filter(this.#options.isMarketData), after)
  }
}
