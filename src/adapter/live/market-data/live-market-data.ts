/**
 * Live market data of a service; each market starts when it is first requested.
 *
 * Everything is emitted as an event of the session's time.
 */
import type { CandleInterval } from '../../../domain/candle.ts'
import type { Decimal } from '../../../domain/decimal.ts'
import { ExchangeError, invariant } from '../../../domain/errors.ts'
import { HotStream } from '../../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../../strategy/market-data.ts'
import type { MarketGap } from '../../../strategy/market-gap.ts'
import type { MarketView } from '../../../strategy/market-view.ts'
import { readTicker } from '../../../wire/read-ticker.ts'
import { readTrade, type WireTrade } from '../../../wire/wire-trade.ts'
import type { ConnectionState, EarlierCandles } from '../../exchange-adapter.ts'
import type { LiveTime } from '../live-time.ts'
import type { MarketReads } from '../rest/service-calls.ts'
import { tickerStream, tradeStream } from '../stream/stream-codec.ts'
import type { StreamConnection, StreamListener, StreamMessage } from '../stream/stream-connection.ts'
import { type MarketDataHealth, SymbolMarketData } from './symbol-market-data.ts'
import { MARKET_DATA_SETTINGS, type MarketDataSettings } from './market-data-settings.ts'

export interface LiveMarketDataOptions {
  readonly markets: readonly MarketView[]
  readonly reads: MarketReads
  /** Everything is polled if undefined. */
  readonly stream?: StreamConnection | undefined
  readonly time: LiveTime
  /** Returns numbers in [0, 1). */
  readonly random: () => number
  readonly settings?: Partial<MarketDataSettings> | undefined
  /** Whether an order of our account took part in a trade. */
  readonly isOwn?: ((trade: WireTrade) => boolean) | undefined
  /**
   * Whether a trade forms prices and candles; a replayed market excludes trades that our orders took. Default: every
   * trade does.
   */
  readonly isMarketData?: ((trade: WireTrade) => boolean) | undefined
  /** Called first with every new trade, also with those that are not emitted. */
  readonly onWireTrade?: (trade: WireTrade) => void
  /** Receives warnings for the operator, each once. */
  readonly onWarning?: (message: string) => void
  /** The trades of a market may have become complete except for those in flight, or no longer are. */
  readonly onCurrent?: (() => void) | undefined
  /** Receives failed reads, which are retried. */
  readonly onFault?: (error: ExchangeError) => void
}

/** Longest wait for a service's stream and first trades before a session starts without them. */
const MAX_FOLLOW_MS = 30_000

/** Minimum time between two reconnects of a stream that brings no trades. */
const MIN_RECONNECT_MS = 600_000

const nothing = (): void => undefined

export class LiveMarketData {
  readonly state$ = new HotStream<ConnectionState>()
  readonly #options: LiveMarketDataOptions
  readonly #settings: MarketDataSettings
  readonly #bySymbol = new Map<string, SymbolMarketData>()
  /** Handlers of stream messages by stream name. */
  readonly #routes = new Map<string, Route>()
  #state: ConnectionState = 'connecting'
  #isStarted = false
  #wasConnected = false
  /** Unix milliseconds. */
  #connectedSince: number | undefined
  /** Monotonic milliseconds. */
  #lastMessageAt: number | undefined
  /** Earliest time of the next reconnect because of silence, monotonic milliseconds. */
  #reconnectFrom = Number.NEGATIVE_INFINITY
  #opens = 0
  #unreadable = 0
  /** Resolves or rejects `start`. */
  #settleStart: (fault?: ExchangeError) => void = nothing
  /** Wakes `followed`. */
  #onFollowed: () => void = nothing
  #isClosed = false
  /** Subjects of warnings that were given, since each is given once. */
  readonly #warned = new Set<string>()

  constructor(options: LiveMarketDataOptions) {
    this.#options = options
    this.#settings = { ...MARKET_DATA_SETTINGS, ...options.settings }
  }

  get state(): ConnectionState {
    return this.#state
  }

  trades(symbol: string): HotStream<MarketTrade> {
    return this.watch(symbol).trades
  }

  tickers(symbol: string): HotStream<MarketTicker> {
    return this.watch(symbol).tickers
  }

  candles(symbol: string, interval: CandleInterval): HotStream<MarketCandle> {
    return this.watch(symbol).candles(interval)
  }

  earlierCandles(symbol: string, interval: CandleInterval): EarlierCandles {
    return this.watch(symbol).earlierCandles(interval)
  }

  /** Reads `count` candles from before the first emitted one. @throws {ExchangeError} */
  loadCandles(symbol: string, interval: CandleInterval, count: number): Promise<void> {
    return this.watch(symbol).loadCandles(interval, count)
  }

  /** Trades up to now that a new subscriber has not received, oldest first. */
  recentTrades(symbol: string): readonly MarketTrade[] {
    return this.watch(symbol).recentTrades()
  }

  afterCandles(symbol: string, interval: CandleInterval, time: number, action: () => void): void {
    this.watch(symbol).afterCandles(interval, time, action)
  }

  gaps(symbol: string): HotStream<MarketGap> {
    return this.watch(symbol).gaps
  }

  /** Closed candles, oldest first; empty for an interval that was not requested. */
  history(symbol: string, interval: CandleInterval): readonly MarketCandle[] {
    return this.#bySymbol.get(symbol)?.history(interval) ?? []
  }

  /** Price of the last trade, including our own; undefined for a market that was not requested or has no trade. */
  lastPrice(symbol: string): Decimal | undefined {
    return this.#bySymbol.get(symbol)?.lastPrice
  }

  health(): MarketDataHealth {
    const { time } = this.#options
    return {
      state: this.#state,
      connectedSince: this.#connectedSince,
      lastMessageAgeMs: this.#lastMessageAt === undefined ? undefined : time.monotonic() - this.#lastMessageAt,
      reconnects: Math.max(0, this.#opens - 1),
      unreadable: this.#unreadable,
      bySymbol: new Map(Array.from(this.#bySymbol, ([symbol, data]) => [symbol, data.health])),
    }
  }

  /**
   * Connects. Resolves when the history of every requested market is known; waits for a service that does not answer.
   * @throws {ExchangeError} if a market cannot be read at all
   */
  async start(): Promise<void> {
    if (this.#isStarted) return
    this.#isStarted = true
    const begun = new Promise<void>((resolve, reject) => {
      this.#settleStart = (fault) => {
        if (fault !== undefined) reject(fault)
        else resolve()
      }
    })
    this.#options.stream?.open(this.#streamListener())
    for (const data of this.#bySymbol.values()) data.feed.start()
    this.#checkState()
    await begun
    await Promise.all(Array.from(this.#bySymbol.values(), (data) => data.loadHistory()))
  }

  /**
   * Resolves when no later trade of a requested market can be missed: its history is known, and its stream is
   * subscribed or known not to exist. A service that does not get that far is reported and no longer waited for.
   */
  async followed(): Promise<void> {
    const lacking = (): readonly string[] =>
      [...this.#bySymbol].filter(([, { feed }]) => !feed.isFollowed).map(([symbol]) => symbol)
    const wait = { isOver: false }
    const timer = this.#options.time.after(MAX_FOLLOW_MS, () => {
      wait.isOver = true
      this.#options.onWarning?.(
        `trades of ${lacking().join(', ')} are not arriving yet; the session starts anyway and may miss some`,
      )
      this.#onFollowed()
    })
    while (!this.#isClosed && !wait.isOver && lacking().length > 0)
      await new Promise<void>((resolve) => {
        this.#onFollowed = resolve
      })
    timer.cancel()
  }

  /** Starts to follow a market's trades; everything derived from them can be requested from then on. */
  watch(symbol: string): SymbolMarketData {
    const known = this.#bySymbol.get(symbol)
    if (known !== undefined) return known
    const market = this.#options.markets.find((listed) => listed.symbol === symbol)
    invariant(market !== undefined, `no market '${symbol}'`)
    const data = this.#make(market)
    this.#bySymbol.set(symbol, data)
    this.#follow(tradeStream(symbol), {
      read: (json) => {
        const trade = readTrade(json, market)
        return () => data.feed.onStreamTrade(trade)
      },
      onSubscribed: () => data.feed.onSubscribed(),
      onNone: () => data.feed.onNoStream(),
    })
    if (this.#isStarted) data.feed.start()
    return data
  }

  /** Stops all emissions. */
  close(): void {
    this.#isClosed = true
    this.#options.stream?.close()
    for (const data of this.#bySymbol.values()) data.close()
    this.#setState('closed')
    this.#settleStart()
    this.#onFollowed()
  }

  #make(market: MarketView): SymbolMarketData {
    const { reads, time, random, isOwn, isMarketData, onWireTrade, onWarning } = this.#options
    let isTickerFollowed = false
    const onTickers = (): void => {
      if (isTickerFollowed) return
      isTickerFollowed = true
      this.#followTicker(market, data)
    }
    const options = {
      market,
      reads,
      isStreamed: this.#options.stream !== undefined,
      time,
      random,
      settings: this.#settings,
      isOwn: isOwn ?? (() => false),
      isMarketData: isMarketData ?? (() => true),
      onWireTrade: onWireTrade ?? nothing,
      onWarning: onWarning ?? nothing,
      onFault: (error: ExchangeError) => this.#onFault(error),
      onSilent: () => this.#reconnect(),
      onCurrent: () => {
        this.#checkState()
        this.#options.onCurrent?.()
      },
    }
    const data: SymbolMarketData = new SymbolMarketData(options, onTickers)
    return data
  }

  #followTicker(market: MarketView, { tickerFeed }: SymbolMarketData): void {
    this.#follow(tickerStream(market.symbol), {
      read: (json) => {
        const ticker = readTicker(json, market)
        return () => tickerFeed.onStreamTicker(ticker)
      },
      onSubscribed: () => tickerFeed.onSubscribed(),
      onNone: () => tickerFeed.onNoStream(),
    })
    tickerFeed.start()
  }

  #follow(stream: string, route: Route): void {
    this.#routes.set(stream, route)
    this.#options.stream?.subscribe(stream)
  }

  /** Reconnects in case the service lost a subscription. Rate-limited, because some services have no trades to send. */
  #reconnect(): void {
    const now = this.#options.time.monotonic()
    if (now < this.#reconnectFrom) return
    this.#reconnectFrom = now + MIN_RECONNECT_MS
    this.#options.stream?.reconnect?.('it delivered no trades')
  }

  #onFault(error: ExchangeError): void {
    this.#options.onFault?.(error)
    // An answer that does not come from the service, at every attempt, ends a start.
    const isForGood = !error.isRetryable || error.code === 'SCHEMA_FAULT'
    if (isForGood && !this.#wasConnected && error.code !== 'NO_ANSWER') this.#settleStart(error)
  }

  #streamListener(): StreamListener {
    const { time } = this.#options
    /** Runs an action as an event of the session, unless it is over. */
    const event = (action: () => void): void => {
      time.enter(() => {
        if (!this.#isClosed) action()
      })
    }
    return {
      onOpen: () => {
        event(() => {
          this.#opens += 1
          this.#connectedSince = time.now()
        })
      },
      onSubscribed: (stream) => event(() => this.#routes.get(stream)?.onSubscribed()),
      onRefused: (stream, reason) => {
        event(() => {
          this.#warn(`the service has no stream ${stream}, so papertape polls instead: ${reason}`, stream)
          this.#routes.get(stream)?.onNone()
        })
      },
      onMessage: (message) => event(() => this.#onMessage(message)),
      onUnreadable: (reason) => event(() => this.#onUnreadable(reason)),
      onLost: (reason) => {
        event(() => {
          this.#connectedSince = undefined
          this.#options.onWarning?.(`the stream is disconnected, reconnecting: ${reason}`)
          for (const route of this.#routes.values()) route.onNone()
        })
      },
    }
  }

  #onMessage({ stream, data }: StreamMessage): void {
    this.#lastMessageAt = this.#options.time.monotonic()
    const route = this.#routes.get(stream)
    if (route === undefined) {
      this.#onUnreadable('it belongs to a stream that was not requested')
      return
    }
    const report = this.#read(route, data)
    // Outside the parsing: an exception of a subscriber is no fault of the message.
    report?.()
  }

  #read(route: Route, data: unknown): (() => void) | undefined {
    try {
      return route.read(data)
    } catch (error) {
      if (!(error instanceof ExchangeError)) throw error
      this.#onUnreadable(error.message)
      return undefined
    }
  }

  #onUnreadable(reason: string): void {
    this.#unreadable += 1
    this.#warn(`skipped a message of the stream: ${reason}`, 'unreadable')
  }

  /** Warns once per subject. */
  #warn(message: string, subject: string): void {
    if (this.#warned.has(subject)) return
    this.#warned.add(subject)
    this.#options.onWarning?.(message)
  }

  #checkState(): void {
    if (this.#isClosed) return
    this.#onFollowed()
    const feeds = Array.from(this.#bySymbol.values(), ({ feed }) => feed)
    if (feeds.every(({ isBegun }) => isBegun)) this.#settleStart()
    if (feeds.every(({ isCurrent }) => isCurrent)) {
      this.#wasConnected = true
      this.#setState('connected')
    } else if (this.#wasConnected) {
      this.#setState('disconnected')
    }
  }

  #setState(state: ConnectionState): void {
    if (this.#state === state) return
    this.#state = state
    this.state$.push(state)
  }
}

interface Route {
  /** @returns emits it; @throws {ExchangeError} for data that cannot be read */
  readonly read: (json: unknown) => () => void
  readonly onSubscribed: () => void
  readonly onNone: () => void
}
