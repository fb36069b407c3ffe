/** Exchange events: the results of a command, in the order in which they happened. */
import type { Order, OrderRequest } from './order.ts'
import type { Refusal } from './refusal.ts'
import type { Trade } from './trade.ts'

export type ExchangeEvent =
  /** The order took its id and its reservation; its state before any match. */
  | { readonly type: 'order-accepted'; readonly time: number; readonly order: Order }
  /** Match of two orders, in their state after it, with the fees charged for it. */
  | {
      readonly type: 'traded'
      readonly time: number
      readonly trade: Trade
      readonly maker: Order
      readonly taker: Order
      readonly makerFee: bigint
      readonly takerFee: bigint
    }
  /** Cancelled by request, or the unfilled remainder of a market order (decision 8). */
  | { readonly type: 'order-cancelled'; readonly time: number; readonly order: Order }
  /** Order of the crowd whose `qty` fell by this many lots; its fills stay. */
  | { readonly type: 'order-reduced'; readonly time: number; readonly order: Order; readonly lots: number }
  | {
      readonly type: 'order-refused'
      readonly time: number
      readonly account: string
      readonly request: OrderRequest
      readonly refusal: Refusal
    }
  | {
      readonly type: 'cancel-refused'
      readonly time: number
      readonly account: string
      readonly orderId: number
      readonly refusal: Refusal
    }
  /** Balance changed by a credit, or by a debit when `amount` is negative; ledger units. */
  | {
      readonly type: 'credited'
      readonly time: number
      readonly account: string
      readonly asset: string
      readonly amount: bigint
    }
  | {
      readonly type: 'credit-refused'
      readonly time: number
      readonly account: string
      readonly asset: string
      readonly amount: bigint
      readonly refusal: Refusal
    }
