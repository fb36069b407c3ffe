/** Functions that create target intents. */
import type { DecimalInput } from '../domain/decimal.ts'
import type { OwnOrder } from './own-order.ts'
import type { RebalanceIntent, ReplaceIntent, TargetIntent } from './target-intent.ts'

/** Options of `target`. */
export interface TargetOptions {
  /** Limit price, in the quote asset; default: a market order. */
  readonly price?: DecimalInput
  /** Your label, copied to the order and its fills. */
  readonly tag?: string
}

/**
 * Brings a position to a size with one order, assuming that all open orders fill. A buy never exceeds your available
 * balance; a market buy keeps 1 % of the price in reserve. It does nothing below one lot or before the first price.
 *
 * @param size  a fraction of the equity, 0 to 1; or `{ qty }` in the base asset
 */
export const target = (
  symbol: string,
  size: DecimalInput | { readonly qty: DecimalInput },
  options: TargetOptions = {},
): TargetIntent => ({ type: 'target', symbol, ...(isQty(size) ? { qty: size.qty } : { share: size }), ...options })

const isQty = (size: DecimalInput | { readonly qty: DecimalInput }): size is { readonly qty: DecimalInput } =>
  typeof size === 'object' && 'qty' in size

/**
 * Brings holdings to shares of the equity with market orders: sells first, then buys once the sells are done. It uses
 * markets whose quote asset is the valuation asset of the run. A newer call replaces an unfinished one.
 *
 * @param shares  fraction of the equity by base asset, such as `{ BTC: 0.5, ETH: 0.3 }`: at most 1 in total; other
 * assets are not changed
 * @param options  `drift` is the fraction of the equity, 0 to 1, below which a difference is left alone (default 0)
 */
export const rebalance = (
  shares: Readonly<Record<string, DecimalInput>>,
  options: { readonly drift?: DecimalInput; readonly tag?: string } = {},
): RebalanceIntent => ({ type: 'rebalance', shares, ...options })

/**
 * Cancels a limit order, then places the unfilled rest again, unless it filled first. The new order loses its queue
 * position. It counts as two requests, a cancel and an order, for the rate limit.
 *
 * @param change  new `price`, in the quote asset, and new total `qty`, in the base asset, including what has filled;
 * default: unchanged
 */
export const replace = (
  order: string | Pick<OwnOrder, 'id'>,
  change: { readonly price?: DecimalInput; readonly qty?: DecimalInput },
): ReplaceIntent => ({ type: 'replace', orderId: typeof order === 'string' ? order : order.id, ...change })
