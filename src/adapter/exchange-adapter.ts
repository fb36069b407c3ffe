/**
 * The port through which a strategy meets any exchange.
 *
 * It is shaped for the worst of them, HTTP: a request may be acknowledged, refused, or end with nobody knowing; what the client
 * knows of its account is what it was told last. Requests take a callback and not an Observable, because an Observable that is
 * subscribed twice, or retried by an operator, would place an order twice.
 *
 * Invariant: a client hears the answer to a request before the updates that the request caused. Where a fill can overtake the
 * answer, as on a stream beside HTTP, the adapter keeps it back until the answer has been given.
 */
import type { Observable } from 'rxjs'
import type { CandleInterval } from '../domain/candle.ts'
import type { Decimal } from '../domain/decimal.ts'
import type { OrderRequest } from '../domain/order.ts'
import type { Refusal } from '../domain/refusal.ts'
import type { Clock } from '../domain/time.ts'
import type { MarketCandle, MarketTicker, MarketTrade } from '../strategy/market-data.ts'
import type { MarketView } from '../strategy/market-view.ts'
import type { OwnBalances, OwnFill, OwnOrder } from '../strategy/own-order.ts'

/** Outcome of a request: done, not done, or nobody knows. */
export type RequestOutcome =
  /** The exchange did it; the order in the state that the exchange answered with. */
  | { readonly type: 'acknowledged'; readonly order: OwnOrder }
  /** The exchange did not do it, and nothing changed. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** It may or may not have been done. */
  | { readonly type: 'unknown'; readonly reason: string }

/** One change of the client's account; they come in the order in which they happened. */
export type AccountUpdate =
  | { readonly type: 'order'; readonly order: OwnOrder }
  | { readonly type: 'fill'; readonly fill: OwnFill }
  | { readonly type: 'balances'; readonly balances: OwnBalances }

export interface ExchangeAdapter extends Clock {
  readonly markets: readonly MarketView[]

  /** Hot. For a symbol of `markets` only, as are the two below. */
  trades(symbol: string): Observable<MarketTrade>
  tickers(symbol: string): Observable<MarketTicker>
  candles(symbol: string, interval: CandleInterval): Observable<MarketCandle>
  /** Hot. */
  readonly updates$: Observable<AccountUpdate>

  // What the client knows, which may be older than what is.
  balances(): OwnBalances
  /** Newest first. */
  openOrders(): readonly OwnOrder[]
  /** Last price of the market data that the client has seen, which no trade of our own taking is; undefined before the first. */
  lastPrice(symbol: string): Decimal | undefined

  /** Sends one order creation, once. `reply` is called exactly once, never within this call, and before the updates that it caused. */
  place(request: OrderRequest, reply: (outcome: RequestOutcome) => void): void
  /** Sends one cancel. `reply` is called as for `place`. */
  cancel(orderId: string, reply: (outcome: RequestOutcome) => void): void

  /** Calls `action` once, `delayMs` from now in the adapter's time, and never within this call. */
  after(delayMs: number, action: () => void): void
}
