/**
 * A strategy's own orders, fills and balances, as it sees them. Decimals are made on first use, so read a value, do not spread
 * an order.
 */
import type { Decimal } from '../domain/decimal.ts'
import type { OrderStatus, OrderType, Side } from '../domain/order.ts'

/** An order of ours at one moment. */
export interface OwnOrder {
  readonly id: string
  /** The strategy's own text, from the intent that placed it. */
  readonly tag?: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly status: OrderStatus
  /** Limit orders only. */
  readonly price?: Decimal | undefined
  readonly qty: Decimal
  readonly filledQty: Decimal
  /** Present after at least one fill; at most pricePrecision + 8 decimals. */
  readonly averagePrice?: Decimal | undefined
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A match of an order of ours. */
export interface OwnFill {
  readonly tradeId: string
  readonly orderId: string
  readonly tag?: string | undefined
  readonly symbol: string
  readonly side: Side
  readonly price: Decimal
  readonly qty: Decimal
  /** In the quote asset. */
  readonly fee: Decimal
  /** True when our order was resting. */
  readonly isMaker: boolean
  /** Unix milliseconds of the match. */
  readonly createdAt: number
}

export interface OwnBalance {
  readonly available: Decimal
  readonly locked: Decimal
}

/** By asset; every asset of the markets, zeros included. */
export type OwnBalances = ReadonlyMap<string, OwnBalance>

/** Value of the balances at the last prices that the strategy has seen. */
export interface OwnPortfolio {
  readonly quoteAsset: string
  readonly equity: Decimal
  /** True when a holding has no price yet and is missing from the equity. */
  readonly partial: boolean
}
