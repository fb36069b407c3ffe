/**
 * `papertape`: what strategies are written with.
 */
export { Decimal, type DecimalConstructor, type DecimalInput } from './domain/decimal.ts'
export { CANDLE_INTERVAL_NAMES, type CandleInterval } from './domain/candle.ts'
export { CANDLE_LENGTH_NAMES, type CandleLength } from './domain/candle-length.ts'
export { InputError, StrategyError } from './domain/errors.ts'
export type { Market, MarketFees } from './domain/market.ts'
export type { OrderStatus, OrderType, Side } from './domain/order.ts'
export type { Refusal, RefusalCode, RefusalDetail } from './domain/refusal.ts'
export type { CandleOptions, CandleRow } from './strategy/candle-row.ts'
export type { SeriesRow } from './domain/series-row.ts'
export type { CandlesOf, SeriesOf, StrategyContext } from './strategy/context.ts'
export type { RoundingWords } from './strategy/rounding-words.ts'
export type { DeepReadonly, StateSchema, StrategyState } from './strategy/strategy-state.ts'
export {
  adx,
  type DirectionalMovement,
  aroon,
  type Aroon,
  linearRegression,
  type RegressionLine,
  parabolicSar,
  type ParabolicSarOptions,
  superTrend,
  type Trend,
} from './strategy/indicators/trends.ts'
export {
  atr,
  type Bands,
  bollinger,
  deviation,
  donchian,
  highest,
  keltner,
  type KeltnerOptions,
  lowest,
  trueRange,
  zScore,
} from './strategy/indicators/ranges.ts'
export {
  cci,
  macd,
  type Macd,
  type MacdOptions,
  momentum,
  roc,
  rsi,
  stochastic,
  type Stochastic,
  type StochasticOptions,
  trix,
  williamsR,
} from './strategy/indicators/oscillators.ts'
export {
  changeOf,
  cooldown,
  crossing,
  crossOver,
  crossUnder,
  type Crossing,
  type NumberOf,
} from './strategy/indicators/signals.ts'
export { correlation, type NumberPair } from './strategy/indicators/correlation.ts'
export { dema, ema, hma, kama, type KamaOptions, sma, tema, wma } from './strategy/indicators/moving-averages.ts'
export {
  indicator,
  type Fold,
  type FoldDefinition,
  type Indicator,
  type StepDefinition,
} from './strategy/indicators/indicator.ts'
export {
  indicators,
  type IndicatorRow,
  type IndicatorSet,
  type IndicatorsOptions,
  type NamedIndicators,
} from './strategy/indicators/indicators.ts'
export type { CandleField, CandleNumbers, IndicatorInput, ValueOptions } from './strategy/indicators/input.ts'
export { mfi, obv, vwap, type VwapOptions } from './strategy/indicators/volume.ts'
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
  WithdrawnOutcome,
} from './strategy/intent.ts'
export type { DepthOptions } from './strategy/depth-options.ts'
export { MarketBook, type BookCost } from './strategy/market-book.ts'
export { MarketCandle, MarketTicker, MarketTrade } from './strategy/market-data.ts'
export { MarketDepth, MarketLevel } from './strategy/market-depth.ts'
export { MarketQuote } from './strategy/market-quote.ts'
export {
  bracket,
  oco,
  stopBuy,
  stopSell,
  takeProfit,
  trailingStop,
  type ExitOptions,
  type StopOptions,
  type WaitingOptions,
} from './strategy/waiting.ts'
export type {
  BracketExits,
  BracketIntent,
  OcoIntent,
  OwnWaitingOrder,
  StopIntent,
  TakeProfitIntent,
  TrailingStopIntent,
  WaitingIntent,
} from './strategy/waiting-intent.ts'
export { MarketView } from './strategy/market-view.ts'
export {
  buyLimit,
  buyMarket,
  cancel,
  cancelAll,
  sellLimit,
  sellMarket,
  type LimitOptions,
  type OrderOptions,
} from './strategy/orders.ts'
export { rebalance, replace, target, type TargetOptions } from './strategy/targets.ts'
export type { RebalanceIntent, ReplaceIntent, TargetIntent } from './strategy/target-intent.ts'
export type { OwnBalance, OwnBalances, OwnFill, OwnOrder, OwnPortfolio, OwnPosition } from './strategy/own-order.ts'
export type { RiskOfStop } from './strategy/risk-of-stop.ts'
export type { Warmup } from './strategy/warmup.ts'
export { defineConfig, type PapertapeConfig } from './strategy/project-config.ts'
export { defineStrategy, type IntentStream, type Strategy, type StrategyLimits } from './strategy/strategy.ts'
