/** Functions that create order intents. */
import type { DecimalInput } from '../domain/decimal.ts'
import type { CancelAllIntent, CancelIntent, LimitIntent, MarketIntent } from './intent.ts'
import type { OwnOrder } from './own-order.ts'

/** Options of a market order. */
export interface OrderOptions {
  /** Your label, copied to the order and its fills. */
  readonly tag?: string
}

/** Options of a limit order. */
export interface LimitOptions extends OrderOptions {
  /** Time at which the session cancels the unfilled rest, in Unix milliseconds; default: never. */
  readonly expires?: number
}

/**
 * Buys immediately at the best available prices. The part that finds no volume is cancelled.
 *
 * @param qty  in the base asset; rounded down to the lot if computed
 */
export const buyMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  type: 'market',
  symbol,
  side: 'BUY',
  qty,
  ...options,
})

/**
 * Sells immediately at the best available prices. The part that finds no volume is cancelled.
 *
 * @param qty  in the base asset; rounded down to the lot if computed
 */
export const sellMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  ...buyMarket(symbol, qty, options),
  side: 'SELL',
})

/**
 * Buys at `price` or lower. The order rests until it is filled or cancelled.
 *
 * @param price  in the quote asset; rounded to the tick if computed
 * @param qty    in the base asset; rounded down to the lot if computed
 */
export const buyLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: LimitOptions = {},
): LimitIntent => ({ type: 'limit', symbol, side: 'BUY', price, qty, ...options })

/**
 * Sells at `price` or higher. The order rests until it is filled or cancelled.
 *
 * @param price  in the quote asset; rounded to the tick if computed
 * @param qty    in the base asset; rounded down to the lot if computed
 */
export const sellLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: LimitOptions = {},
): LimitIntent => ({ ...buyLimit(symbol, price, qty, options), side: 'SELL' })

/** Cancels an order, given as an object or by its id. It also takes the id of a conditional order, group or bracket. */
export const cancel = (order: string | Pick<OwnOrder, 'id'>): CancelIntent => ({
  type: 'cancel',
  orderId: typeof order === 'string' ? order : order.id,
})

/** Cancels all open and conditional orders, or those of one market. Each cancel counts for the rate limit. */
export const cancelAll = (symbol?: string): CancelAllIntent =>
  symbol === undefined ? { type: 'cancel-all' } : { type: 'cancel-all', symbol }
