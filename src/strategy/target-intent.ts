/** Target intents: the session computes the orders when you emit one. */
import type { DecimalInput } from '../domain/decimal.ts'

/** Brings a position to a size, assuming that all open orders fill. */
export interface TargetIntent {
  readonly type: 'target'
  /** Symbol of the market. */
  readonly symbol: string
  /** Target value as a fraction of the equity at the last price, 0 to 1; either this or `qty`. */
  readonly share?: DecimalInput
  /** Target quantity, in the base asset, 0 or more; a multiple of the lot. */
  readonly qty?: DecimalInput
  /** Limit price, in the quote asset; default: a market order. */
  readonly price?: DecimalInput
  /** Your label, copied to the order and its fills. */
  readonly tag?: string
}

/** Brings several holdings to shares of the equity: sells first, then buys once the sells are done. */
export interface RebalanceIntent {
  readonly type: 'rebalance'
  /** Target fraction of the equity by base asset: each 0 to 1, at most 1 in total. Other assets are not changed. */
  readonly shares: Readonly<Record<string, DecimalInput>>
  /** Differences below this fraction of the equity are left alone: 0 to 1, default 0. */
  readonly drift?: DecimalInput
  /** Your label, copied to the orders and their fills. */
  readonly tag?: string
}

/** Cancels a limit order, then places the unfilled rest again. */
export interface ReplaceIntent {
  readonly type: 'replace'
  /** Id of an `OwnOrder`. */
  readonly orderId: string
  /** New limit price, in the quote asset; default: unchanged. */
  readonly price?: DecimalInput
  /** New total quantity, in the base asset, including what has filled; default: unchanged. */
  readonly qty?: DecimalInput
}
