/** Order parsed from a service's response: exact integers for its decimals, its ids unchanged. */
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
  /** Unix milliseconds; some services send whole seconds only. */
  readonly createdAt: number
}

/** Readable fields of an invalid order; undefined for each field that is not readable. */
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
