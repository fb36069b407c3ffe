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
export type { CandlesOf, StrategyContext } from './strategy/context.ts'
export type { RoundingWords } from './strategy/rounding-words.ts'
export { adx, type DirectionalMovement } from './strategy/indicators/adx.ts'
export { aroon, type Aroon } from './strategy/indicators/aroon.ts'
export { atr } from './strategy/indicators/atr.ts'
export type { Bands } from './strategy/indicators/bands.ts'
export { bollinger } from './strategy/indicators/bollinger.ts'
export { cci } from './strategy/indicators/cci.ts'
export { changeOf } from './strategy/indicators/change-of.ts'
export { cooldown } from './strategy/indicators/cooldown.ts'
export { correlation, type NumberPair } from './strategy/indicators/correlation.ts'
export { crossing, crossOver, crossUnder, type Crossing, type NumberOf } from './strategy/indicators/crossing.ts'
export { dema } from './strategy/indicators/dema.ts'
export { deviation } from './strategy/indicators/deviation.ts'
export { donchian } from './strategy/indicators/donchian.ts'
export { ema } from './strategy/indicators/ema.ts'
export { highest } from './strategy/indicators/highest.ts'
export { hma } from './strategy/indicators/hma.ts'
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
  type NamedIndicators,
} from './strategy/indicators/indicators.ts'
export type { CandleField, CandleNumbers, IndicatorInput, ValueOptions } from './strategy/indicators/input.ts'
export { kama, type KamaOptions } from './strategy/indicators/kama.ts'
export { keltner, type KeltnerOptions } from './strategy/indicators/keltner.ts'
export { linearRegression, type RegressionLine } from './strategy/indicators/linear-regression.ts'
export { lowest } from './strategy/indicators/lowest.ts'
export { macd, type Macd, type MacdOptions } from './strategy/indicators/macd.ts'
export { mfi } from './strategy/indicators/mfi.ts'
export { momentum } from './strategy/indicators/momentum.ts'
export { obv } from './strategy/indicators/obv.ts'
export { parabolicSar, type ParabolicSarOptions } from './strategy/indicators/parabolic-sar.ts'
export { roc } from './strategy/indicators/roc.ts'
export { rsi } from './strategy/indicators/rsi.ts'
export { sma } from './strategy/indicators/sma.ts'
export { stochastic, type Stochastic, type StochasticOptions } from './strategy/indicators/stochastic.ts'
export { superTrend, type Trend } from './strategy/indicators/super-trend.ts'
export { tema } from './strategy/indicators/tema.ts'
export { trix } from './strategy/indicators/trix.ts'
export { trueRange } from './strategy/indicators/true-range.ts'
export { vwap, type VwapOptions } from './strategy/indicators/vwap.ts'
export { williamsR } from './strategy/indicators/williams-r.ts'
export { wma } from './strategy/indicators/wma.ts'
export { zScore } from './strategy/indicators/z-score.ts'
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
export { bracket, oco, stopBuy, stopSell, takeProfit, trailingStop } from './strategy/waiting.ts'
export type { ExitOptions, StopOptions, WaitingOptions } from './strategy/waiting.ts'
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
export { defineStrategy, type IntentStream, type Strategy, type StrategyLimits } from './strategy/strategy.ts'
