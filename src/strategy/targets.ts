/**
 * Words for an aim, for which the session finds the orders.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { OwnOrder } from './own-order.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from './target-intent.ts'

/** What a target may have beside its size. */
export interface TargetOptions {
  /** Of a limit order, in the quote asset; a market order without it. */
  readonly price?: DecimalInput
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

/**
 * Leads the position in a market to a size, by the one order that this takes; what open orders would still buy and sell is counted as done.
 *
 * A buy is at most what the available balance pays for, a market order's at a price 1 % above the last one. Nothing is done for
 * what is less than a lot away, nor before the first price.
 *
 * @param size  a part of the equity, 0 to 1; or `{ qty }` in the base asset
 */
export const target = (
  symbol: string,
  size: DecimalInput | { readonly qty: DecimalInput },
  options: TargetOptions = {},
): TargetIntent => ({ type: 'target', symbol, ...(isQty(size) ? { qty: size.qty } : { share: size }), ...options })

const isQty = (size: DecimalInput | { readonly qty: DecimalInput }): size is { readonly qty: DecimalInput } =>
  typeof size === 'object' && 'qty' in size

/**
 * Leads holdings to their shares of the equity by market orders, over the markets in the asset of the run: sells first, and buys when the
 * sells are over. A newer one ends what is left of an older one.
 *
 * @param shares  by base asset, such as `{ BTC: 0.5, ETH: 0.3 }`, each 0 to 1 and together at most 1; others stay as they are
 */
export const rebalance = (
  shares: Readonly<Record<string, DecimalInput>>,
  options: { readonly drift?: DecimalInput; readonly tag?: string } = {},
): RebalanceIntent => ({ type: 'rebalance', shares, ...options })

/**
 * Cancels a limit order, and places what is left of it anew once the cancel is known; nothing when it was filled first. It costs two
 * mutations of the rate budget, and the place in the queue.
 *
 * @param change  `qty` counts what was filled before
 */
export const replace = (
  order: string | Pick<OwnOrder, 'id'>,
  change: { readonly price?: DecimalInput; readonly qty?: DecimalInput },
): ReplaceIntent => ({ type: 'replace', orderId: typeof order === 'string' ? order : order.id, ...change })
