/**
 * Intents of a strategy: the values that its output emits.
 *
 * Prices and quantities are strings, Decimals or numbers. They must fit the market's precision; nothing rounds in silence.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'
import type { Refusal, Refuser } from '../domain/refusal.ts'
import type { OwnOrder } from './own-order.ts'

export interface LimitIntent {
  readonly type: 'limit'
  readonly symbol: string
  readonly side: Side
  readonly price: DecimalInput
  readonly qty: DecimalInput
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

export interface MarketIntent {
  readonly type: 'market'
  readonly symbol: string
  readonly side: Side
  readonly qty: DecimalInput
  readonly tag?: string
}

export interface CancelIntent {
  readonly type: 'cancel'
  readonly orderId: string
}

/** Cancels every open order, of one market when `symbol` is there. Costs one mutation of the rate budget an order. */
export interface CancelAllIntent {
  readonly type: 'cancel-all'
  readonly symbol?: string
}

export type PlaceIntent = LimitIntent | MarketIntent
export type Intent = PlaceIntent | CancelIntent | CancelAllIntent

/** Outcome of a placed order or of a cancel: done, not done, or nobody knows. */
export type Outcome =
  | { readonly type: 'acknowledged'; readonly intent: PlaceIntent | CancelIntent; readonly order: OwnOrder }
  | {
      readonly type: 'refused'
      readonly intent: PlaceIntent | CancelIntent
      readonly refusal: Refusal
      /** Who refused: the exchange, or something before it, so that it was never sent. */
      readonly by: Refuser
    }
  /** The order may or may not exist, or the cancel may or may not have worked: never repeat it blindly. */
  | { readonly type: 'unknown'; readonly intent: PlaceIntent | CancelIntent; readonly reason: string }
