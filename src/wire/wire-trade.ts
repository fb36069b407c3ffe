/** Trades parsed from a service's response: exact integers for their decimals, their ids unchanged. */
import type { Side } from '../domain/order.ts'

export interface WireTrade {
  /** Opaque. */
  readonly id: string
  readonly symbol: string
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  readonly buyOrderId: string
  readonly sellOrderId: string
  readonly buyerId: string
  readonly sellerId: string
  /** True when the resting order was the buy order. */
  readonly isBuyerMaker: boolean
  /** Unix milliseconds. */
  readonly createdAt: number
}

/** A private trade: one match of one order of the caller's. A self-trade is two, of one id. */
export interface WireFill extends WireTrade {
  /** The caller's. */
  readonly side: Side
  /** The caller's. */
  readonly orderId: string
  /** True when the caller's order was resting. */
  readonly isMaker: boolean
}
