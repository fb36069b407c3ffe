/**
 * The calls that a live adapter makes to a service, behind decoding, retries and the budget of the key.
 *
 * Reads are retried after 429, 503, 504, faults of the network and answers of something else than the service, and
 * reject with an ExchangeError when that does not help. A row that cannot be read is left out of its list. An order
 * creation is one POST, whatever happens; a cancel may be repeated after a fault of the network.
 */
import type { Candle, CandleInterval } from '../../../domain/candle.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { Ticker } from '../../../domain/ticker.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import type { UnreadableOrder, WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill, WireTrade } from '../../../wire/wire-trade.ts'

export type CreateAnswer =
  /** 201 with a whole order. */
  | { readonly type: 'created'; readonly order: WireOrder }
  /** A documented 4xx envelope: nothing was done. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** Anything else: a time-out, a cut connection, any 5xx, a broken body. */
  | { readonly type: 'unknown'; readonly reason: string }

export type CancelAnswer =
  /** The order in its last state; undefined where the service does not tell it. */
  | { readonly type: 'cancelled'; readonly order: WireOrder | undefined }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'unknown'; readonly reason: string }

/** One page of a list of orders, newest first. It is empty only when it has no row of either kind. */
export interface OrderPage {
  readonly orders: readonly WireOrder[]
  readonly unreadable: readonly UnreadableRow[]
}

export interface UnreadableRow extends UnreadableOrder {
  /** Number of orders of the list that could be read and stand before it. */
  readonly place: number
}

/** Code of the error for one order that the service has, in a form that cannot be read. */
export const UNREADABLE_ORDER = 'UNREADABLE_ORDER'

export const isUnreadableOrder = (error: unknown): error is ExchangeError =>
  error instanceof ExchangeError && error.code === UNREADABLE_ORDER

export interface MarketReads {
  markets(): Promise<readonly Market[]>
  /** Newest first, at most 500. */
  trades(symbol: string, limit: number): Promise<readonly WireTrade[]>
  /** Oldest first; the last one may still run. Only for intervals that the service serves. */
  candles(symbol: string, interval: CandleInterval, limit: number): Promise<readonly Candle[]>
  ticker(symbol: string): Promise<Ticker>
}

/**
 * Reason of a read, by which it gets its share of the budget: `settle` uses the part that is kept for settling and
 * audits, `poll` only what is left beside it.
 */
export type ReadPurpose = 'settle' | 'poll'

export interface OrderCalls {
  /** Exactly one POST. Its place in the budget was taken before. */
  create(request: OrderRequest): Promise<CreateAnswer>
  /** Its place in the budget was taken before; a repetition takes its own. */
  cancel(orderId: string): Promise<CancelAnswer>
  /** One page of every status. */
  orders(
    page: { readonly symbol: string; readonly limit: number; readonly page: number },
    purpose: ReadPurpose,
  ): Promise<OrderPage>
  /** Without those that cannot be read. */
  openOrders(purpose: ReadPurpose): Promise<readonly WireOrder[]>
  /** Undefined for one that the service does not know (yet). @throws {ExchangeError} UNREADABLE_ORDER */
  order(orderId: string, purpose: ReadPurpose): Promise<WireOrder | undefined>
}

export interface AccountReads {
  /** Newest first, at most 500. */
  fills(limit: number, purpose: ReadPurpose): Promise<readonly WireFill[]>
  balances(purpose: ReadPurpose): Promise<WireBalances>
}

export type ServiceCalls = MarketReads & OrderCalls & AccountReads
