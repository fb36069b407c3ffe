/**
 * Intents that name an aim, for which the session finds the orders when they are emitted.
 */
import type { DecimalInput } from '../domain/decimal.ts'

/** Leads a position to a size, with what open orders would still buy and sell counted as done. */
export interface TargetIntent {
  readonly type: 'target'
  /** Of the market, BASE_QUOTE. */
  readonly symbol: string
  /** Part of the equity that it is to be worth at the last price, 0 to 1; either this or `qty`. */
  readonly share?: DecimalInput
  /** What it is to be in the base asset, 0 or more; a multiple of the market's lot. */
  readonly qty?: DecimalInput
  /** Of a limit order, in the quote asset; a market order without it. */
  readonly price?: DecimalInput
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

/** Leads the holdings of several assets to their shares of the equity: sells first, and buys when the sells are over. */
export interface RebalanceIntent {
  readonly type: 'rebalance'
  /** By base asset: part of the equity that it is to be worth, 0 to 1, together at most 1. Others stay as they are. */
  readonly shares: Readonly<Record<string, DecimalInput>>
  /** What is nearer to its share than this stays as it is: a fraction of the equity, 0 to 1, 0 when absent. */
  readonly drift?: DecimalInput
  /** Comes back on the orders and their fills. */
  readonly tag?: string
}

/** Cancels a limit order, and places what is left of it anew once the cancel is known. */
export interface ReplaceIntent {
  readonly type: 'replace'
  /** The `id` of an `OwnOrder`. */
  readonly orderId: string
  /** In the quote asset; as it was when absent. */
  readonly price?: DecimalInput
  /** In the base asset, with what was filled before: what is left of it is placed. As it was when absent. */
  readonly qty?: DecimalInput
}
