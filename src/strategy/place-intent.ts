/** Order intents. */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'

/** Limit order: fills at its price or better, and rests until it is filled or cancelled. */
export interface LimitIntent {
  readonly type: 'limit'
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** Limit price, in the quote asset; rounded to the tick if computed. */
  readonly price: DecimalInput
  /** Quantity, in the base asset; rounded down to the lot if computed, above 0. */
  readonly qty: DecimalInput
  /** Your label, copied to the order and its fills. */
  readonly tag?: string
  /** Time at which the session cancels the unfilled rest, in Unix milliseconds; default: never. */
  readonly expires?: number
}

/** Market order: fills at the best available prices. */
export interface MarketIntent {
  readonly type: 'market'
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** Quantity, in the base asset; rounded down to the lot if computed, above 0. */
  readonly qty: DecimalInput
  /** Your label, copied to the order and its fills. */
  readonly tag?: string
}

/** Limit or market order. */
export type PlaceIntent = LimitIntent | MarketIntent
