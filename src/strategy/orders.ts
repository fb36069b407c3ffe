/**
 * Intents in the words of a trader.
 */
import type { DecimalInput } from '../domain/decimal.ts'
import type { CancelAllIntent, CancelIntent, LimitIntent, MarketIntent } from './intent.ts'
import type { OwnOrder } from './own-order.ts'

export interface OrderOptions {
  /** Comes back on the order and its fills. */
  readonly tag?: string
}

export const buyMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  type: 'market',
  symbol,
  side: 'BUY',
  qty,
  ...options,
})

export const sellMarket = (symbol: string, qty: DecimalInput, options: OrderOptions = {}): MarketIntent => ({
  ...buyMarket(symbol, qty, options),
  side: 'SELL',
})

export const buyLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: OrderOptions = {},
): LimitIntent => ({ type: 'limit', symbol, side: 'BUY', price, qty, ...options })

export const sellLimit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  options: OrderOptions = {},
): LimitIntent => ({ ...buyLimit(symbol, price, qty, options), side: 'SELL' })

export const cancel = (order: string | Pick<OwnOrder, 'id'>): CancelIntent => ({
  type: 'cancel',
  orderId: typeof order === 'string' ? order : order.id,
})

export const cancelAll = (symbol?: string): CancelAllIntent =>
  symbol === undefined ? { type: 'cancel-all' } : { type: 'cancel-all', symbol }
