/**
 * The port through which a strategy meets any exchange.
 *
 * It is shaped for the worst of them, HTTP: a request may be acknowledged, refused, or end with nobody knowing, to be
 * settled later; what the client knows of its account is what it was told last; the connection may be gone. Requests
 * take a callback and not an Observable, because an Observable that is subscribed twice, or retried by an operator,
 * would place an order twice.
 *
 * Invariant: a client hears the answer to a request before the updates that the request caused. Where a fill can
 * overtake the answer, as on a stream beside HTTP, the adapter keeps it back until the answer has been given.
 */
import type { Observable } from 'rxjs'
import type { CandleLength } from '../domain/candle-length.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { ExchangeError } from '../domain/errors.ts'
import type { OrderRequest } from '../domain/order.ts'
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

/** An order creation with what ties the order to whoever asked for it. */
export interface Placement {
  readonly request: OrderRequest
  /** The session's own number of the request, by which an outcome that is settled later names it. */
  readonly reference: number
  /** Comes back on the order and its fills, also on one that is found after its answer was lost. */
  readonly tag?: string | undefined
  /** It closes a position: of creations that wait for a rate limit it goes first. */
  readonly isExit?: boolean
  /**
   * Asked when it is about to leave after it had to wait, for a budget or another order: a refusal ends it, and is
   * answered.
   */
  readonly lastLook?: (() => Refusal | undefined) | undefined
  /**
   * Where it was triggered, in the quote asset: at a stage of its market it is done there and then, in a body at this
   * price.
   */
  readonly inside?: Decimal | undefined
}

/** Outcome of a request: done, not done, or nobody knows. */
export type RequestOutcome =
  /** The exchange did it; the order in the state that the exchange answered with. */
  | { readonly type: 'acknowledged'; readonly order: OwnOrder }
  /** It was not done, and nothing changed. Without `by` the exchange refused it. */
  | { readonly type: 'refused'; readonly refusal: Refusal; readonly by?: Refuser }
  /** The session took an order creation back before it was sent. */
  | { readonly type: 'withdrawn'; readonly reason: string }
  /** It may or may not have been done. Of an order creation a settlement follows. */
  | { readonly type: 'unknown'; readonly reason: string }

/** What became of an order creation whose outcome was unknown. */
export type Reconciliation =
  /** The order is there, and is this request's. */
  | { readonly type: 'adopted'; readonly order: OwnOrder }
  /** It is not there, and is assumed not to have been executed; if it comes later after all, it is adopted then. */
  | { readonly type: 'absent' }
  /** There are orders that might be this one, and nothing tells which: a person has to say. */
  | { readonly type: 'ambiguous'; readonly reason: string }

/** One change of the client's account; they come in the order in which they happened. */
export type AccountUpdate =
  | {
      readonly type: 'order'
      readonly order: OwnOrder
      /** Only where the end of the order was reported before, and a fill came after it: the fee of all its fills. */
      readonly correctedFee?: Decimal
    }
  | { readonly type: 'fill'; readonly fill: OwnFill }
  | { readonly type: 'balances'; readonly balances: OwnBalances }
  /** Of the placement with that reference. After `absent` or `ambiguous` an `adopted` may come. */
  | { readonly type: 'settled'; readonly reference: number; readonly settlement: Reconciliation }

/** A change of the account before its session began, which no session has reported yet. */
export type EarlierUpdate = Extract<AccountUpdate, { type: 'order' | 'fill' }>

/**
 * `connecting` before the first connection, `connected` while market data and answers come, `disconnected` while they do not and it is
 * tried again, `closed` at the end.
 */
export type ConnectionState = 'connecting' | 'connected' | 'disconnected' | 'closed'

/** Candles of one length that an adapter tells. */
export interface ToldCandles {
  readonly interval: CandleLength
  /** Milliseconds. */
  readonly lengthMs: number
  /** They begin where multiples of their length do, so that longer ones can be made of them. */
  readonly isAligned: boolean
  /** Each closes when the next one opens, however late that is. */
  readonly hasNoLength?: boolean
  /** Zone of the days and longer candles that are made of them, IANA; undefined for UTC. */
  readonly zone?: string | undefined
}

/** What an adapter knows of the time before its own. */
export interface EarlierCandles {
  /** Unix milliseconds: all candles from then on are there. */
  readonly since: number
  /** Oldest first. */
  readonly candles: readonly MarketCandle[]
}

/** Reads of what a service still tells of the time before. */
export interface PastReads {
  /**
   * Reads so many candles from before the first that is told; `earlierCandles` has them then.
   *
   * @throws {ExchangeError}
   */
  loadCandles(symbol: string, interval: CandleLength, count: number): Promise<void>
  /** Trades up to now, oldest first, as far back as is known. */
  recentTrades(symbol: string): readonly MarketTrade[]
}

/** What is known of the books of markets beside what is traded in them. For a symbol of `markets` only. */
export interface RecordedBooks {
  /**
   * Hot: the best prices, when either or what rests there has changed.
   *
   * @throws {InputError} where nothing tells them
   */
  quotes(symbol: string): Observable<MarketQuote>
  /** Hot: price levels. @throws {InputError} where nothing tells them */
  depth(symbol: string, terms: DepthTerms): Observable<MarketDepth>
  /** To be read at any time. @throws {InputError} where nothing tells levels */
  book(symbol: string): MarketBook
}

export interface ExchangeAdapter extends Clock {
  readonly markets: readonly MarketView[]

  readonly connection: ConnectionState
  /** Hot: each change of `connection`. */
  readonly connection$: Observable<ConnectionState>
  /**
   * Hot: reads that failed for good, such as of an account whose key was revoked. What is known may be out of date from
   * then on.
   */
  readonly faults$: Observable<ExchangeError>

  /** Hot. For a symbol of `markets` only, as are those below. */
  trades(symbol: string): Observable<MarketTrade>
  tickers(symbol: string): Observable<MarketTicker>
  /** Hot: `lastPrice` after each trade or candle of the market data, the same again where it did not change. */
  prices(symbol: string): Observable<Decimal>
  /** @param interval  one of `toldCandles` @throws {InputError} for another one, with those that there are */
  candles(symbol: string, interval: CandleLength): Observable<MarketCandle>
  /** The candles that it tells of a market, shortest first. */
  toldCandles(symbol: string): readonly ToldCandles[]
  /**
   * Those that were over before it told any; known when the first one is told.
   *
   * @param interval  of candles that were asked for
   */
  earlierCandles(symbol: string, interval: CandleLength): EarlierCandles
  /**
   * Calls `action` once, when every such candle that is over at `time` was told, and before anything later is told;
   * never within this call.
   *
   * @param interval   of candles that were asked for
   * @param time       an end of such candles, Unix milliseconds
   * @param isAwaited  whether a candle that is not over then is waited for, by its opening time
   */
  afterCandles(
    symbol: string,
    interval: CandleLength,
    time: number,
    action: () => void,
    isAwaited?: (openTime: number) => boolean,
  ): void
  /** Undefined where nothing is known of the time before. */
  readonly past?: PastReads | undefined
  /** Of a market that was recorded as candles; undefined for another one. Without it no market was. */
  insides?(symbol: string): IntrabarExecution | undefined
  /** Without it there is no book of any market, as at a service that tells only what is traded. */
  readonly books?: RecordedBooks | undefined
  /** Hot: a stretch of which trades are missing, before the first trade behind it. */
  gaps(symbol: string): Observable<MarketGap>
  /** Hot. */
  readonly updates$: Observable<AccountUpdate>

  // What the client knows, which may be older than what is.
  balances(): OwnBalances
  /** Newest first. */
  openOrders(): readonly OwnOrder[]
  /** What the account had before the changes of `takeEarlier`; undefined where it is what it has. */
  readonly startBalances?: OwnBalances | undefined
  /**
   * Hands over, once, what changed before the session and is reported by no session yet. Call when `updates$` is heard.
   *
   * @param write  has put them into the session's files when it returns
   */
  takeEarlier?(write: (updates: readonly EarlierUpdate[]) => void): void
  /**
   * Last price of the market data that the client has seen, which no trade of our own taking is; undefined before the
   * first.
   */
  lastPrice(symbol: string): Decimal | undefined

  /**
   * Sends one order creation, once. `reply` is called exactly once, never within this call, and before the updates that
   * it caused.
   */
  place(placement: Placement, reply: (outcome: RequestOutcome) => void): void
  /** Sends one cancel. `reply` is called as for `place`. */
  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void
  /** Cancels there and then, at a stage of the order's market; false when it does not, and `reply` is not called. */
  cancelInside?(orderId: string, reply: (outcome: RequestOutcome) => void): boolean
  /**
   * Takes back a placement that waits for an open of recorded candles: its outcome is `withdrawn`. False when it does
   * not, or any more.
   */
  withdraw?(reference: number): boolean

  /** Calls `action` once, `delayMs` from now in the adapter's time, and never within this call. */
  after(delayMs: number, action: () => void): void

  /**
   * Calls `action` once, at a time of the calendar, or as soon as it is seen to have passed; never within this call.
   *
   * @param time  Unix milliseconds
   */
  at(time: number, action: () => void): void

  /** Ends the connection; requests that have not arrived no longer do. Resolves when nothing more is under way. */
  close(): Promise<void>
}
