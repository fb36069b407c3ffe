/**
 * Intents in the words of a trader.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { CancelAllIntent, CancelIntent, LimitIntent, MarketIntent } from './intent.ts'
import type { OwnOrder } from './own-order.ts'

/** What an order may have beside what every order has. */
export interface OrderOptions {
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

/** What a limit order may have. */
export interface LimitOptions extends OrderOptions {
  /** Unix milliseconds at which the session cancels what is left of it; never when absent. */
  readonly expires?: number
}

/**
 * Buys at whatever price the book offers, at once.
 *
 * @param qty  in the base asset; a multiple of the market's lot
 */
export const buyMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  type: 'market',
  symbol,
  side: 'BUY',
  qty,
  ...options,
})

/**
 * Sells at whatever price the book offers, at once.
 *
 * @param qty  in the base asset; a multiple of the market's lot
 */
export const sellMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  ...buyMarket(symbol, qty, options),
  side: 'SELL',
})

/**
 * Buys at `price` or lower, and rests until it is filled or cancelled.
 *
 * @param price  in the quote asset; a multiple of the market's tick
 * @param qty    in the base asset; a multiple of the market's lot
 */
export const buyLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: LimitOptions = {},
): LimitIntent => ({ type: 'limit', symbol, side: 'BUY', price, qty, ...options })

/**
 * Sells at `price` or higher, and rests until it is filled or cancelled.
 *
 * @param price  in the quote asset; a multiple of the market's tick
 * @param qty    in the base asset; a multiple of the market's lot
 */
export const sellLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: LimitOptions = {},
): LimitIntent => ({ ...buyLimit(symbol, price, qty, options), side: 'SELL' })

/** Cancels an order, given as it was told of or by its id; also one that waits in the session, or the group or bracket of it. */
export const cancel = (order: string | Pick<OwnOrder, 'id'>): CancelIntent => ({
  type: 'cancel',
  orderId: typeof order === 'string' ? order : order.id,
})

/** Cancels every open order and every one that waits, or those of one market. Costs one mutation of the rate budget an order. */
export const cancelAll = (symbol?: string): CancelAllIntent =>
  symbol === undefined ? { type: 'cancel-all' } : { type: 'cancel-all', symbol }
