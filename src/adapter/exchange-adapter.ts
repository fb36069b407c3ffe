/**
 * The port between a strategy's session and any exchange.
 *
 * It is shaped for the weakest transport, HTTP: a request is acknowledged, refused, or ends with an unknown outcome
 * that is reconciled later; the account state is the last one received; the connection may be lost. Requests take a
 * callback, not an Observable, because an Observable that is subscribed twice or retried would place an order twice.
 *
 * Invariant: a client receives the reply to a request before the updates that the request caused. If a fill can
 * overtake the reply, as on a stream beside HTTP, the adapter holds it until the reply was delivered.
 */
import type { Observable } from 'rxjs'
import type { CandleLength } from '../domain/candle-length.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { ExchangeError } from '../domain/errors.ts'
import type { OrderRequest } from '../domain/order.ts'
import type { SeriesRow } from '../domain/series-row.ts'
import type { Refusal, Refuser } from '../domain/refusal.ts'
import type { Clock } from '../domain/time.ts'
import type { DepthTerms } from '../strategy/depth-options.ts'
import type { MarketBook } from '../strategy/market-book.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../strategy/market-data.ts'
import type { MarketDepth } from '../strategy/market-depth.ts'
import type { MarketGap } from '../strategy/market-gap.ts'
import type { MarketQuote } from '../strategy/market-quote.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../strategy/own-order.ts'
import type { IntrabarExecution } from './intrabar-execution.ts'

/** An order creation, with the data that links the order to its sender. */
export interface Placement {
  readonly request: OrderRequest
  /** The session's own request number, which a later reconciliation refers to. */
  readonly reference: number
  /** Copied to the order and its fills, even if the order is found after its reply was lost. */
  readonly tag?: string | undefined
  /** The order closes a position: it is sent before other creations that wait for a rate limit. */
  readonly isExit?: boolean
  /**
   * Called just before a delayed creation is sent (it waited for a budget or another order). A refusal cancels it and
   * is the reply.
   */
  readonly lastLook?: (() => Refusal | undefined) | undefined
  /**
   * Trigger price in the quote asset. During a bar phase the order is executed immediately; in the body phase at this
   * price.
   */
  readonly inside?: Decimal | undefined
}

/** Outcome of a request: done, not done, or unknown. */
export type RequestOutcome =
  /** The exchange executed it; `order` is the state in its answer. */
  | { readonly type: 'acknowledged'; readonly order: OwnOrder }
  /** Not executed; nothing changed. Without `by` the exchange refused it. */
  | { readonly type: 'refused'; readonly refusal: Refusal; readonly by?: Refuser }
  /** The session withdrew an order creation before it was sent. */
  | { readonly type: 'withdrawn'; readonly reason: string }
  /** It may or may not have been executed. An order creation is reconciled later. */
  | { readonly type: 'unknown'; readonly reason: string }

/** Result of reconciling an order creation whose outcome was unknown. */
export type Reconciliation =
  /** The order exists and belongs to this request. */
  | { readonly type: 'adopted'; readonly order: OwnOrder }
  /** The order does not exist and is assumed not to have been executed; if it appears later, it is adopted then. */
  | { readonly type: 'absent' }
  /** Several orders could be this one and nothing distinguishes them: an operator must decide. */
  | { readonly type: 'ambiguous'; readonly reason: string }

/** One change of the client's account, in the order in which they happened. */
export type AccountUpdate =
  | {
      readonly type: 'order'
      readonly order: OwnOrder
      /** Fee of all fills; only if the end of the order was reported before its last fill. */
      readonly correctedFee?: Decimal
    }
  | { readonly type: 'fill'; readonly fill: OwnFill }
  | { readonly type: 'balances'; readonly balances: OwnBalances }
  /**
   * An amount came from other strategies of the wallet, or went to them if it is negative: no profit, and no loss. The
   * balances after it follow.
   */
  | { readonly type: 'transfer'; readonly asset: string; readonly amount: Decimal }
  /** Reconciliation of the placement with that reference. `adopted` may follow `absent` or `ambiguous`. */
  | { readonly type: 'settled'; readonly reference: number; readonly settlement: Reconciliation }

/** A change of the account before its session began, which no session has reported yet. */
export type EarlierUpdate = Extract<AccountUpdate, { type: 'order' | 'fill' }>

/**
 * `connecting` before the first connection, `connected` while market data and answers arrive, `disconnected` while
 * reconnecting, `closed` at the end.
 */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'closed'

/** An interval of candles that an adapter emits. */
export interface ReportedCandles {
  readonly interval: CandleLength
  /** Milliseconds. */
  readonly lengthMs: number
  /** The candles open at multiples of their length, so that longer ones can be aggregated from them. */
  readonly isAligned: boolean
  /** Each candle closes when the next one opens, whenever that is. */
  readonly hasNoLength?: boolean
  /** IANA time zone of daily and longer candles aggregated from them; undefined for UTC. */
  readonly zone?: string | undefined
}

/** History of candles from before the first that the adapter emits. */
export interface EarlierCandles {
  /** Unix milliseconds: the history is complete from then on. */
  readonly since: number
  /** Oldest first. */
  readonly candles: readonly MarketCandle[]
}

/** Reads of the history that a service still serves. */
export interface PastReads {
  /**
   * Reads `count` candles from before the first emitted one; `earlierCandles` has them afterwards.
   * @throws {ExchangeError}
   */
  loadCandles(symbol: string, interval: CandleLength, count: number): Promise<void>
  /** Trades up to now, oldest first, as far back as they are known. */
  recentTrades(symbol: string): readonly MarketTrade[]
}

/** Order book data of markets, beside their trades. Only for symbols in `markets`. */
export interface RecordedBooks {
  /**
   * Hot: the best prices, whenever a price or its quantity changed.
   * @throws {InputError} if the source has none
   */
  quotes(symbol: string): Observable<MarketQuote>
  /** Hot: price levels. @throws {InputError} if the source has none */
  depth(symbol: string, terms: DepthTerms): Observable<MarketDepth>
  /** Snapshot that can be read at any time. @throws {InputError} if the source has no levels */
  book(symbol: string): MarketBook
}

/** A series of a run's own data, such as an index from the web. */
export interface RunSeries {
  /** Names of its columns, without that of the time. */
  readonly columns: readonly string[]
  /** The latest rows that have arrived in a session in real time, oldest first; absent in a backtest. */
  readonly past?: readonly SeriesRow[]
  /** Hot: each row of a session in real time when it arrives. */
  readonly arrived$?: Observable<SeriesRow>
  /** True if an earlier session of the strategies had the latest row; default: false. */
  readonly isSeen?: boolean
  /** The latest row when it is subscribed to, if there is one, and each later row when it arrives. */
  readonly rows$: Observable<SeriesRow>
}

export interface ExchangeAdapter extends Clock {
  readonly markets: readonly MarketView[]

  readonly connection: ConnectionState
  /** Hot: each change of `connection`. */
  readonly connection$: Observable<ConnectionState>
  /**
   * Hot: reads that failed permanently, for example because a key was revoked. Known state may be out of date from then
   * on.
   */
  readonly faults$: Observable<ExchangeError>

  /** Hot. Only for a symbol of `markets`, like the methods below. */
  trades(symbol: string): Observable<MarketTrade>
  tickers(symbol: string): Observable<MarketTicker>
  /** Hot: `lastPrice` after each trade or candle of the market data, even if it did not change. */
  prices(symbol: string): Observable<Decimal>
  /** @param interval  one of `toldCandles` @throws {InputError} for any other, listing the available ones */
  candles(symbol: string, interval: CandleLength): Observable<MarketCandle>
  /** The candle intervals that the adapter emits for a market, shortest first. */
  reportedCandles(symbol: string): readonly ReportedCandles[]
  /**
   * Candles that closed before the first emitted one; available once that one was emitted.
   * @param interval  of candles that were subscribed to
   */
  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles
  /**
   * Calls `action` once, after every such candle that closed by `time` was emitted and before anything later is; never
   * within this call.
   * @param interval   of candles that were subscribed to
   * @param time       an end of such candles, Unix milliseconds
   * @param isAwaited  whether to wait for a candle that is not closed then, by its opening time
   */
  afterCandles(
    symbol: string,
    interval: CandleLength,
    time: number,
    action: () => void,
    isAwaited?: (openTime: number) => boolean,
  ): void
  /** Undefined if the adapter has no history. */
  readonly past?: PastReads | undefined
  /**
   * Intrabar execution of a market that was recorded as candles; undefined for other markets. Absent if no market was.
   */
  insides?(symbol: string): IntrabarExecution | undefined
  /** Absent if the adapter has no order books, as at a service that publishes trades only. */
  readonly books?: RecordedBooks | undefined
  /** Series of the run by name. */
  series?: ReadonlyMap<string, RunSeries> | undefined
  /** Hot: a period with missing trades, before the first trade after it. */
  gaps(symbol: string): Observable<MarketGap>
  /** Hot. */
  readonly updates$: Observable<AccountUpdate>

  // The client's last known state, which may be out of date.
  balances(): OwnBalances
  /** Newest first. */
  openOrders(): readonly OwnOrder[]
  /** Balances before the changes of `takeEarlier`; undefined if there were no such changes. */
  readonly startBalances?: OwnBalances | undefined
  /**
   * Hands over, once, the changes before the session that no session has reported yet. Call after subscribing to
   * `updates$`.
   * @param write  has saved them to the session's files when it returns
   */
  takeEarlier?(write: (updates: readonly EarlierUpdate[]) => void): void
  /**
   * Last market price that the client has seen, excluding trades that our own orders took; undefined before the first.
   */
  lastPrice(symbol: string): Decimal | undefined

  /**
   * Sends one order creation, once. `reply` is called exactly once, never within this call, and before the updates that
   * it caused.
   */
  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void
  /** Sends one cancel. `reply` is called as for `place`. */
  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void
  /**
   * Cancels immediately, during a bar phase of the order's market; if it cannot, returns false and never calls `reply`.
   */
  cancelInside?(orderId: string, reply: (outcome: RequestOutcome) => void): boolean
  /**
   * Withdraws a placement that waits for the open of a recorded candle: its outcome is `withdrawn`. False if it cannot
   * be withdrawn, or no longer.
   */
  withdraw?(reference: number): boolean

  /** Calls `action` once, `delayMs` from now in the adapter's time, and never within this call. */
  after(delayMs: number, action: () => void): void

  /**
   * Calls `action` once, at a calendar time or as soon as it has passed; never within this call.
   * @param time  Unix milliseconds
   */
  at(time: number, action: () => void): void

  /** Closes the connection and drops requests that were not sent. Resolves when nothing is in flight. */
  close(): Promise<void>
}
