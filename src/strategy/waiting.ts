/** Functions that create conditional orders. */
import type { DecimalInput } from '../domain/decimal.ts'
import type { Side } from '../domain/order.ts'
import type { LimitIntent, PlaceIntent } from './place-intent.ts'
import type {
  BracketExits,
  BracketIntent,
  OcoIntent,
  StopIntent,
  TakeProfitIntent,
  TrailingStopIntent,
  WaitingIntent,
} from './waiting-intent.ts'

/** Options of a conditional order. */
export interface WaitingOptions {
  /** Your label, copied to the order that it sends and its fills. */
  readonly tag?: string
  /** Time at which it is cancelled, in Unix milliseconds; default: never. */
  readonly expires?: number
}

/** Options of a stop order. */
export interface StopOptions extends WaitingOptions {
  /** Limit price of the order that it sends, in the quote asset; default: a market order. */
  readonly limit?: DecimalInput
}

/** Options of a trailing stop or take-profit order. */
export interface ExitOptions extends WaitingOptions {
  /** `'BUY'` or `'SELL'`; default `'SELL'`. */
  readonly side?: Side
}

/**
 * Buys when the price rises to `stop` or above: a market order, or a limit order with `limit`.
 *
 * @param stop  trigger price, in the quote asset
 * @param qty   in the base asset; rounded down to the lot if computed
 */
export const stopBuy = (
  symbol: string,
  stop: DecimalInput,
  qty: DecimalInput,
  options: StopOptions = {},
): StopIntent => ({ type: 'stop', symbol, side: 'BUY', stop, qty, ...options })

/**
 * Sells when the price falls to `stop` or below: a market order, or a limit order with `limit`.
 *
 * @param stop  trigger price, in the quote asset
 * @param qty   in the base asset; rounded down to the lot if computed
 */
export const stopSell = (
  symbol: string,
  stop: DecimalInput,
  qty: DecimalInput,
  options: StopOptions = {},
): StopIntent => ({
  ...stopBuy(symbol, stop, qty, options),
  side: 'SELL',
})

/**
 * Sells when the price has fallen that far from its best since the order was placed: `trailingStop('BTC_USD', {
 * percent: 2 }, '0.5')`. With `side: 'BUY'` it buys when the price has risen that far from its lowest.
 *
 * @param trail  `{ distance }` in the quote asset, or `{ percent }` of the best price
 * @param qty    in the base asset; rounded down to the lot if computed
 */
export const trailingStop = (
  symbol: string,
  trail: Pick<TrailingStopIntent, 'distance' | 'percent'>,
  qty: DecimalInput,
  { side = 'SELL', ...options }: ExitOptions = {},
): TrailingStopIntent => ({ type: 'trailing-stop', symbol, side, ...trail, qty, ...options })

/**
 * Sells with a limit order at `price` once the price reaches it; buys with `side: 'BUY'`. Unlike `sellLimit`, it locks
 * no balance and has no queue position while it waits.
 *
 * @param price  in the quote asset; rounded to the tick if computed
 * @param qty    in the base asset; rounded down to the lot if computed
 */
export const takeProfit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  { side = 'SELL', ...options }: ExitOptions = {},
): TakeProfitIntent => ({ type: 'take-profit', symbol, side, price, qty, ...options })

/**
 * One-cancels-other group of orders on one market and side, in which a fill of one reduces the others:
 * `oco(sellLimit('BTC_USD', 70_000, 1), stopSell('BTC_USD', 60_000, 1))`.
 *
 * @param orders  two or more, at most one of them a limit order
 */
export const oco = (...orders: readonly (WaitingIntent | LimitIntent)[]): OcoIntent => ({ type: 'oco', orders })

/**
 * Entry order with a stop, a target or both, for as much as the entry filled: `bracket(buyLimit('BTC_USD', 65_000, 1),
 * { stop: 64_000, target: 68_000 })`. The stop waits in the session; the target rests at the exchange.
 *
 * @param exits  `stop` or `trail`, a `target`, or both; prices in the quote asset
 */
export const bracket = (entry: PlaceIntent, exits: BracketExits): BracketIntent => ({ type: 'bracket', entry, exits })
