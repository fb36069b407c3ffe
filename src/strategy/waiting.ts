/**
 * Words for orders that wait in the session.
 */
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

/** What an order that waits may have beside what every one has. */
export interface WaitingOptions {
  /** Comes back on the order that it becomes and on its fills. */
  readonly tag?: string
  /** Unix milliseconds at which it is given up. */
  readonly expires?: number
}

/** What a stop may have. */
export interface StopOptions extends WaitingOptions {
  /** Price of the limit order that it becomes, in the quote asset; a market order without it. */
  readonly limit?: DecimalInput
}

/** What a way out may have. */
export interface ExitOptions extends WaitingOptions {
  /** SELL when absent. */
  readonly side?: Side
}

/**
 * Buys when the price rises to `stop` or above.
 *
 * @param stop  in the quote asset
 * @param qty   in the base asset; a multiple of the market's lot
 */
export const stopBuy = (
  symbol: string,
  stop: DecimalInput,
  qty: DecimalInput,
  options: StopOptions = {},
): StopIntent => ({
  ...{ type: 'stop', symbol, side: 'BUY', stop, qty },
  ...options,
})

/**
 * Sells when the price falls to `stop` or below.
 *
 * @param stop  in the quote asset
 * @param qty   in the base asset; a multiple of the market's lot
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
 * Sells when the price has fallen from its best since by a distance: `trailingStop('BTC_USD', { percent: 2 }, '0.5')`. Buys, with
 * `side: 'BUY'`, when it has risen by that.
 *
 * @param behind  a distance in the quote asset, or a percentage of the best price
 * @param qty     in the base asset; a multiple of the market's lot
 */
export const trailingStop = (
  symbol: string,
  behind: Pick<TrailingStopIntent, 'distance' | 'percent'>,
  qty: DecimalInput,
  { side = 'SELL', ...options }: ExitOptions = {},
): TrailingStopIntent => ({ type: 'trailing-stop', symbol, side, ...behind, qty, ...options })

/**
 * Sells by a limit order at `price` when the price has come to it; buys with `side: 'BUY'`. Unlike `sellLimit` it reserves nothing while it
 * waits, and has no place in the queue.
 *
 * @param price  in the quote asset; a multiple of the market's tick
 * @param qty    in the base asset; a multiple of the market's lot
 */
export const takeProfit = (
  symbol: string,
  price: DecimalInput,
  qty: DecimalInput,
  { side = 'SELL', ...options }: ExitOptions = {},
): TakeProfitIntent => ({ type: 'take-profit', symbol, side, price, qty, ...options })

/**
 * Several orders of one market and side of which one ends the others: `oco(sellLimit('BTC_USD', 70_000, 1), stopSell('BTC_USD', 60_000, 1))`.
 *
 * @param orders  two or more, at most one of them a limit order
 */
export const oco = (...orders: readonly (WaitingIntent | LimitIntent)[]): OcoIntent => ({ type: 'oco', orders })

/**
 * An order with the ways out of the position that it opens, each for as much as was filled: `bracket(buyLimit('BTC_USD', 65_000, 1), {
 * stop: 64_000, target: 68_000 })`. The stop waits in the session; the target rests at the exchange.
 */
export const bracket = (entry: PlaceIntent, exits: BracketExits): BracketIntent => ({
  ...{ type: 'bracket', entry, exits },
})
