/**
 * The exchange adapter of one strategy at a live service: market data from the feed, orders through the account's order
 * manager.
 *
 * Several strategies may share an account: each sees its own orders and fills, and the balances of all.
 */
import { filter, map, type Observable } from 'rxjs'
import type { CandleLength } from '../../domain/candle-length.ts'
import { type CandleInterval, listedInterval } from '../../domain/candle.ts'
import type { Decimal } from '../../domain/decimal.ts'
import { type ExchangeError, invariant } from '../../domain/errors.ts'
import { isOpen } from '../../domain/order.ts'
import { HotStream } from '../../strategy/hot-stream.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../../strategy/market-data.ts'
import type { MarketGap } from '../../strategy/market-gap.ts'
import type { MarketView } from '../../strategy/market-view.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../../strategy/own-order.ts'
import type {
  AccountUpdate,
  ConnectionState,
  EarlierCandles,
  EarlierUpdate,
  ExchangeAdapter,
  PastReads,
  Placement,
  RequestOutcome,
  ReportedCandles,
} from '../exchange-adapter.ts'
import { LISTED_CANDLES } from '../listed-candles.ts'
import type { LiveTime } from './live-time.ts'
import type { LiveOrderManager } from './orders/live-order-manager.ts'

/** Market data of a live adapter, as its exchange passes it on. */
export interface LiveFeed {
  /**
   * Resolves when the history of every requested market is known.
   * @throws {ExchangeError} if one cannot be read
   */
  start(): Promise<void>
  /** Subscribes to a market. */
  watch(symbol: string): unknown
  readonly state: ConnectionState
  readonly state$: HotStream<ConnectionState>
  trades(symbol: string): HotStream<MarketTrade>
  tickers(symbol: string): HotStream<MarketTicker>
  candles(symbol: string, interval: CandleInterval): HotStream<MarketCandle>
  earlierCandles(symbol: string, interval: CandleInterval): EarlierCandles
  afterCandles(symbol: string, interval: CandleInterval, time: number, action: () => void): void
  loadCandles(symbol: string, interval: CandleInterval, count: number): Promise<void>
  recentTrades(symbol: string): readonly MarketTrade[]
  gaps(symbol: string): HotStream<MarketGap>
  lastPrice(symbol: string): Decimal | undefined
}

export interface LiveExchangeParts {
  readonly owner: string
  readonly markets: readonly MarketView[]
  readonly feed: LiveFeed
  readonly manager: Pick<LiveOrderManager, 'place' | 'cancel' | 'dropWaiting'>
  readonly time: LiveTime
  readonly balances: OwnBalances
  /** Called once the changes before the session are saved in its files. */
  readonly onWritten: () => void
}

export class LiveExchange implements ExchangeAdapter {
  readonly owner: string
  readonly markets: readonly MarketView[]
  readonly updates$ = new HotStream<AccountUpdate>()
  readonly faults$ = new HotStream<ExchangeError>()
  series: ExchangeAdapter['series']
  readonly #parts: LiveExchangeParts
  readonly #openById = new Map<string, OwnOrder>()
  #balances: OwnBalances
  /** Orders and fills from before its session. */
  #earlier: EarlierUpdate[] = []
  #startBalances: OwnBalances | undefined
  #areFiles: 'none' | 'saved' | 'broken' = 'none'
  #isClosed = false

  constructor(parts: LiveExchangeParts) {
    this.owner = parts.owner
    this.markets = parts.markets
    this.#parts = parts
    this.#balances = parts.balances
  }

  now(): number {
    return this.#parts.time.now()
  }

  get connection(): ConnectionState {
    return this.#isClosed ? 'closed' : this.#parts.feed.state
  }

  get connection$(): HotStream<ConnectionState> {
    return this.#parts.feed.state$
  }

  trades(symbol: string): ReturnType<LiveFeed['trades']> {
    return this.#parts.feed.trades(this.#known(symbol))
  }

  tickers(symbol: string): ReturnType<LiveFeed['tickers']> {
    return this.#parts.feed.tickers(this.#known(symbol))
  }

  candles(symbol: string, interval: CandleLength): ReturnType<LiveFeed['candles']> {
    return this.#parts.feed.candles(this.#known(symbol), listedInterval(interval))
  }

  reportedCandles(symbol: string): readonly ReportedCandles[] {
    this.#known(symbol)
    return LISTED_CANDLES
  }

  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles {
    return this.#parts.feed.earlierCandles(this.#known(symbol), listedInterval(interval))
  }

  afterCandles(symbol: string, interval: CandleLength, time: number, action: () => void): void {
    this.#parts.feed.afterCandles(this.#known(symbol), listedInterval(interval), time, action)
  }

  readonly past: PastReads = {
    loadCandles: (symbol, interval, count) =>
      this.#parts.feed.loadCandles(this.#known(symbol), listedInterval(interval), count),
    recentTrades: (symbol) => this.#parts.feed.recentTrades(this.#known(symbol)),
  }

  prices(symbol: string): Observable<Decimal> {
    const { feed } = this.#parts
    return feed.trades(this.#known(symbol)).pipe(
      map(() => feed.lastPrice(symbol)),
      filter((price) => price !== undefined),
    )
  }

  gaps(symbol: string): ReturnType<LiveFeed['gaps']> {
    return this.#parts.feed.gaps(this.#known(symbol))
  }

  balances(): OwnBalances {
    return this.#balances
  }

  openOrders(): readonly OwnOrder[] {
    return [...this.#openById.values()].reverse()
  }

  lastPrice(symbol: string): Decimal | undefined {
    return this.#parts.feed.lastPrice(this.#known(symbol))
  }

  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void {
    this.#parts.manager.place(this.owner, placement, reply)
  }

  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void {
    this.#parts.manager.cancel(this.owner, orderId, reply)
  }

  after(delayMs: number, action: () => void): void {
    this.#parts.time.after(delayMs, action)
  }

  at(time: number, action: () => void): void {
    this.#parts.time.atTime(time, action)
  }

  /** Ends this strategy's part; the account stays. Requests in flight are still answered. */
  close(): Promise<void> {
    this.#isClosed = true
    this.#parts.manager.dropWaiting(this.owner)
    return Promise.resolve()
  }

  /** Takes balances before the updates that led to them are reported. */
  know(balances: OwnBalances): void {
    this.#balances = balances
  }

  /** Receives an account update, as an event. */
  report(update: AccountUpdate): void {
    if (update.type === 'balances') this.know(update.balances)
    if (update.type === 'order') this.#store(update.order)
    if (this.updates$.isWatched) this.updates$.push(update)
    else if (update.type === 'order') this.#earlier.push(update)
    else if (update.type === 'fill') this.#earlier.push({ ...update, fill: { ...update.fill, isRecovered: true } })
  }

  /** Balances before the fills that are reported as recovered; undefined before they were read. */
  get startBalances(): OwnBalances | undefined {
    return this.#startBalances
  }

  set startBalances(balances: OwnBalances | undefined) {
    this.#startBalances = balances
  }

  get earlierFills(): readonly OwnFill[] {
    return this.#earlier.flatMap((update) => (update.type === 'fill' ? [update.fill] : []))
  }

  takeEarlier(write: (updates: readonly EarlierUpdate[]) => void): void {
    const earlier = this.#earlier
    this.#earlier = []
    write(earlier)
    if (this.#areFiles === 'none') this.#areFiles = 'saved'
    if (this.isWritten) this.#parts.onWritten()
  }

  /** True while a session has taken over and saves the updates to its files. */
  get isWritten(): boolean {
    return this.#areFiles === 'saved'
  }

  /** A file of its session failed: later updates are left for the next session. */
  loseFiles(): void {
    this.#areFiles = 'broken'
  }

  /** Takes over an open order of an earlier session without reporting it. */
  takeOver(order: OwnOrder): void {
    this.#store(order)
  }

  #store(order: OwnOrder): void {
    if (isOpen(order.status)) this.#openById.set(order.id, order)
    else this.#openById.delete(order.id)
  }

  #known(symbol: string): string {
    invariant(
      this.markets.some((market) => market.symbol === symbol),
      `no market '${symbol}'`,
    )
    return symbol
  }
}
