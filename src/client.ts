/**
 * `papertape/client`: the trading service from a program, without strategies.
 */
export type { BalancesJson } from './domain/balances.ts'
export type { CandleJson } from './domain/candle.ts'
export { ExchangeError, InputError } from './domain/errors.ts'
export type { Market } from './domain/market.ts'
export type { OrderJson, OrderStatus, Side } from './domain/order.ts'
export type { PortfolioJson } from './domain/portfolio.ts'
export type { Refusal, RefusalCode, RefusalDetail } from './domain/refusal.ts'
export type { TickerJson } from './domain/ticker.ts'
export type { FillJson, TradeJson } from './domain/trade.ts'
export type { BucketState, BudgetState } from './adapter/live/rest/client-budget.ts'
export type { MarketEvent } from './run/client/market-events.ts'
export {
  TradingClient,
  type CancelResult,
  type CandleFilter,
  type NewOrder,
  type OrderFilter,
  type PlaceResult,
  type ServiceInterval,
  type StreamOptions,
  type TradingClientOptions,
} from './run/client/trading-client.ts'
