/**
 * Intents for an order of the exchange.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'

/** An order that trades at its price or better, and rests until it is filled or cancelled. */
export interface LimitIntent {
  readonly type: 'limit'
  /** Of the market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** The worst price that it takes, in the quote asset; a multiple of the market's tick. */
  readonly price: DecimalInput
  /** In the base asset; a multiple of the market's lot, above 0. */
  readonly qty: DecimalInput
  /** Comes back on the order and its fills. */
  readonly tag?: string
  /** Unix milliseconds at which the session cancels what is left of it; never when absent. */
  readonly expires?: number
}

/** An order that takes what the book offers, at whatever price. */
export interface MarketIntent {
  readonly type: 'market'
  /** Of the market, BASE_QUOTE. */
  readonly symbol: string
  /** Buy or sell. */
  readonly side: Side
  /** In the base asset; a multiple of the market's lot, above 0. */
  readonly qty: DecimalInput
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

/** An order. */
export type PlaceIntent = LimitIntent | MarketIntent
