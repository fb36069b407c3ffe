/**
 * The calls that a live adapter makes to a service, with decoding, retries and the budget of the key behind them.
 *
 * Reads are retried after 429, 503, 504, network faults and answers that do not come from the service, and finally
 * reject with an ExchangeError. Unreadable rows are skipped. An order creation is a single POST; a cancel may be
 * retried after a network fault.
 */
import type { Candle, CandleInterval } from '../../../domain/candle.ts'
import { ExchangeError } from '../../../domain/errors.ts'
import type { Market } from '../../../domain/market.ts'
import type { OrderRequest, OrderStatus } from '../../../domain/order.ts'
import type { Refusal } from '../../../domain/refusal.ts'
import type { Ticker } from '../../../domain/ticker.ts'
import type { WireBalances } from '../../../wire/wire-balances.ts'
import type { UnreadableOrder, WireOrder } from '../../../wire/wire-order.ts'
import type { WireFill, WireTrade } from '../../../wire/wire-trade.ts'

export type CreateAnswer =
  /** 201 with a complete order. */
  | { readonly type: 'created'; readonly order: WireOrder }
  /** A documented 4xx envelope: nothing was executed. */
  | { readonly type: 'refused'; readonly refusal: Refusal }
  /** Anything else: a timeout, a lost connection, any 5xx, a broken body. */
  | { readonly type: 'unknown'; readonly reason: string }

export type CancelAnswer =
  /** The final state of the order; undefined if the service does not return it. */
  | { readonly type: 'cancelled'; readonly order: WireOrder | undefined }
  | { readonly type: 'refused'; readonly refusal: Refusal }
  | { readonly type: 'unknown'; readonly reason: string }

/** One page of the orders of any market and status, or of those that it names. */
export interface OrderQuery {
  readonly symbol?: string
  readonly status?: OrderStatus
  readonly limit: number
  readonly page: number
}

/** One page of a list of orders, newest first. It is empty only if it has no row of either kind. */
export interface OrderPage {
  readonly orders: readonly WireOrder[]
  readonly unreadable: readonly UnreadableRow[]
}

export interface UnreadableRow extends UnreadableOrder {
  /** Number of readable orders before it in the list. */
  readonly place: number
}

/** Error code for an existing order that cannot be read. */
export const UNREADABLE_ORDER = 'UNREADABLE_ORDER'

export const isUnreadableOrder = (error: unknown): error is ExchangeError =>
  error instanceof ExchangeError && error.code === UNREADABLE_ORDER

export interface MarketReads {
  markets(): Promise<readonly Market[]>
  /** Newest first, at most 500. */
  trades(symbol: string, limit: number): Promise<readonly WireTrade[]>
  /** Oldest first; the last one may still be running. Only for intervals that the service serves. */
  candles(symbol: string, interval: CandleInterval, limit: number): Promise<readonly Candle[]>
  ticker(symbol: string): Promise<Ticker>
}

/**
 * Purpose of a read, which decides its share of the budget: `settle` may use the part reserved for reconciliation and
 * audits, `poll` only the rest.
 */
export type ReadPurpose = 'settle' | 'poll'

export interface OrderCalls {
  /** Exactly one POST. Its budget was reserved before. */
  create(request: OrderRequest): Promise<CreateAnswer>
  /** Its budget was reserved before; a retry reserves its own. */
  cancel(orderId: string): Promise<CancelAnswer>
  /** One page of orders of any status. */
  orders(
    page: { readonly symbol: string; readonly limit: number; readonly page: number },
    purpose: ReadPurpose,
  ): Promise<OrderPage>
  /** Unreadable orders are skipped. */
  openOrders(purpose: ReadPurpose): Promise<readonly WireOrder[]>
  /** Undefined for an order that the service does not know (yet). @throws {ExchangeError} UNREADABLE_ORDER */
  order(orderId: string, purpose: ReadPurpose): Promise<WireOrder | undefined>
}

export interface AccountReads {
  /** Newest first, at most 500. */
  fills(limit: number, purpose: ReadPurpose): Promise<readonly WireFill[]>
  balances(purpose: ReadPurpose): Promise<WireBalances>
}

export type ServiceCalls = MarketReads & OrderCalls & AccountReads
