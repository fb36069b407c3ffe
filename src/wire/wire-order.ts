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
