/**
 * Intents for orders that wait in the session until a price, a fill or a time: no exchange knows of them before.
 *
 * They reserve nothing while they wait. Known limit: they act when the session hears of a price, so what they become arrives later.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'
import type { LimitIntent, PlaceIntent } from './place-intent.ts'

interface WaitingFields {
  /** Of the market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** In the base asset; a multiple of the market's lot, above 0. */
  readonly qty: DecimalInput
  /** Comes back on the order that it becomes and on its fills. */
  readonly tag?: string
  /** Unix milliseconds at which it is given up. */
  readonly expires?: number
}

/** Becomes an order when the price comes to `stop`: from below for a buy, from above for a sell. */
export interface StopIntent extends WaitingFields {
  readonly type: 'stop'
  /** In the quote asset. */
  readonly stop: DecimalInput
  /** Price of a limit order, in the quote asset; it becomes a market order without it. */
  readonly limit?: DecimalInput
}

/** A stop that follows the best price since it was taken, and never goes back. */
export interface TrailingStopIntent extends WaitingFields {
  readonly type: 'trailing-stop'
  /** Behind the best price, in the quote asset; either this or `percent`. */
  readonly distance?: DecimalInput
  /** Behind the best price, as a number of hundredths of it, above 0 and below 100. */
  readonly percent?: DecimalInput
}

/** Becomes a limit order at `price` when the price comes to it: from above for a buy, from below for a sell. */
export interface TakeProfitIntent extends WaitingFields {
  readonly type: 'take-profit'
  /** In the quote asset; a multiple of the market's tick. */
  readonly price: DecimalInput
}

/** An order that waits alone. */
export type WaitingIntent = StopIntent | TrailingStopIntent | TakeProfitIntent

/** Several orders of one market and side of which one ends the others; what fills of one is taken off the others. */
export interface OcoIntent {
  readonly type: 'oco'
  /** At least two, at most one of them a limit order. */
  readonly orders: readonly (WaitingIntent | LimitIntent)[]
}

/** The ways out of a position, each for as much as was filled of the way in. */
export interface BracketExits {
  /** Price of a stop, in the quote asset. */
  readonly stop?: DecimalInput
  /** Of a trailing stop in the place of `stop`. */
  readonly trail?: Pick<TrailingStopIntent, 'distance' | 'percent'>
  /** Price of a limit order, in the quote asset. */
  readonly target?: DecimalInput
}

/** An order and the ways out of the position that it opens. */
export interface BracketIntent {
  readonly type: 'bracket'
  /** The way in; the ways out are on the other side, with its tag. */
  readonly entry: PlaceIntent
  /** At least one. */
  readonly exits: BracketExits
}

/** An order that waits in the session, at one moment. */
export interface OwnWaitingOrder {
  /** The session's own, such as `w1`; `cancel` takes it. */
  readonly id: string
  /** Of the bracket or the group that it belongs to; its own id when it is alone. */
  readonly group: string
  /** Kind of the intent. */
  readonly type: WaitingIntent['type']
  /** Of its market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** What it would order now, in the base asset. */
  readonly qty: DecimalInput
  /** Price at which it acts, in the quote asset; undefined for a trailing stop before the first price. */
  readonly price: DecimalInput | undefined
  /** The strategy's own text. */
  readonly tag?: string | undefined
}
