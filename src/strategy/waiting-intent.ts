/**
 * Conditional orders: the session keeps them until a price, a fill or a time triggers them.
 *
 * They lock no balance while they wait. Known limit: they trigger when the session receives a price, so the order
 * arrives later.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'
import type { LimitIntent, PlaceIntent } from './place-intent.ts'

interface WaitingFields {
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** Quantity, in the base asset; rounded down to the lot if computed, above 0. */
  readonly qty: DecimalInput
  /** Your label, copied to the order that it sends and its fills. */
  readonly tag?: string
  /** Time at which it is cancelled, in Unix milliseconds; default: never. */
  readonly expires?: number
}

/** Stop order: triggers when the price rises to `stop` (buy) or falls to it (sell). */
export interface StopIntent extends WaitingFields {
  readonly type: 'stop'
  /** Trigger price, in the quote asset. */
  readonly stop: DecimalInput
  /** Limit price of the order that it sends, in the quote asset; default: a market order. */
  readonly limit?: DecimalInput
}

/** Stop order that follows the best price since it was placed. */
export interface TrailingStopIntent extends WaitingFields {
  readonly type: 'trailing-stop'
  /** Distance from the best price, in the quote asset; either this or `percent`. */
  readonly distance?: DecimalInput
  /** Distance in percent of the best price (a number of hundredths), above 0 and below 100. */
  readonly percent?: DecimalInput
}

/** Take-profit order: sends a limit order at `price` when the price rises to it (sell) or falls to it (buy). */
export interface TakeProfitIntent extends WaitingFields {
  readonly type: 'take-profit'
  /** Trigger and limit price, in the quote asset; rounded to the tick if computed. */
  readonly price: DecimalInput
}

/** Conditional order that is not part of a group. */
export type WaitingIntent = StopIntent | TrailingStopIntent | TakeProfitIntent

/** One-cancels-other group of one market and side: a fill of one reduces the others. */
export interface OcoIntent {
  readonly type: 'oco'
  /** Two or more orders, at most one of them a limit order. */
  readonly orders: readonly (WaitingIntent | LimitIntent)[]
}

/** Exits of a bracket, each for as much as the entry filled. */
export interface BracketExits {
  /** Stop price, in the quote asset. */
  readonly stop?: DecimalInput
  /** Trailing stop instead of `stop`. */
  readonly trail?: Pick<TrailingStopIntent, 'distance' | 'percent'>
  /** Limit price of the target order, in the quote asset. */
  readonly target?: DecimalInput
}

/** Order with the exits of the position that it opens. */
export interface BracketIntent {
  readonly type: 'bracket'
  /** Entry order. The exits are on the other side and have its tag. */
  readonly entry: PlaceIntent
  /** One exit or more. */
  readonly exits: BracketExits
}

/** State of a conditional order. */
export interface OwnWaitingOrder {
  /** Id such as `w1`, for `cancel`. */
  readonly id: string
  /** Id of its bracket or group, for `cancel`; its own id if it has none. */
  readonly group: string
  /** `'stop'`, `'trailing-stop'` or `'take-profit'`. */
  readonly type: WaitingIntent['type']
  /** Symbol of the market. */
  readonly symbol: string
  /** `'BUY'` or `'SELL'`. */
  readonly side: Side
  /** Quantity that it would order now, in the base asset. */
  readonly qty: DecimalInput
  /** Trigger price, in the quote asset; `undefined` for a trailing stop before the first price. */
  readonly price: DecimalInput | undefined
  /** Label that you set on the intent. */
  readonly tag?: string | undefined
}
