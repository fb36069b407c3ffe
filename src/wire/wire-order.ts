/**
 * An order as the service tells it, read: exact integers for its decimals, its ids as they are.
 */
import type { OrderStatus, OrderType, Side } from '../domain/order.ts'

export interface WireOrder {
  /** Opaque. */
  readonly id: string
  readonly userId: string
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  readonly status: OrderStatus
  /** Ticks; limit orders only. */
  readonly price: number | undefined
  /** Lots. */
  readonly qty: number
  readonly filledQty: number
  /** Decimal string without trailing zeros, present after a fill. */
  readonly averagePrice: string | undefined
  /** Unix milliseconds; a service may tell whole seconds. */
  readonly createdAt: number
}

/** What can be read of an order that is not of its form; undefined for each field that cannot. */
export interface UnreadableOrder {
  readonly id: string | undefined
  readonly symbol: string | undefined
  readonly side: string | undefined
  readonly type: string | undefined
  /** Ticks. */
  readonly price: number | undefined
  /** Lots. */
  readonly qty: number | undefined
  /** Unix milliseconds. */
  readonly createdAt: number | undefined
}
