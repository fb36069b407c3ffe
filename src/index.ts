/**
 * `papertape`: what strategies are written with.
 */
export { Decimal, type DecimalConstructor, type DecimalInput } from './domain/decimal.ts'
export { CANDLE_INTERVAL_NAMES, type CandleInterval } from './domain/candle.ts'
export { InputError, StrategyError } from './domain/errors.ts'
export type { Market, MarketFees } from './domain/market.ts'
export type { OrderStatus, OrderType, Side } from './domain/order.ts'
export type { Refusal, RefusalCode, RefusalDetail } from './domain/refusal.ts'
export type { StrategyContext } from './strategy/context.ts'
export { sma } from './strategy/indicators/sma.ts'
export type {
  AcknowledgedOutcome,
  CancelAllIntent,
  CancelIntent,
  Intent,
  LimitIntent,
  MarketIntent,
  Outcome,
  PlaceIntent,
  RefusedOutcome,
  UnknownOutcome,
} from './strategy/intent.ts'
export { MarketCandle, MarketTicker, MarketTrade } from './strategy/market-data.ts'
export { MarketView } from './strategy/market-view.ts'
export { buyLimit, buyMarket, cancel, cancelAll, sellLimit, sellMarket, type OrderOptions } from './strategy/orders.ts'
export type { OwnBalance, OwnBalances, OwnFill, OwnOrder, OwnPortfolio } from './strategy/own-order.ts'
export { defineStrategy, type IntentStream, type Strategy } from './strategy/strategy.ts'
