/**
 * `papertape/liquidity`: what liquidity models of one's own are made with.
 */
export type { Side } from './domain/order.ts'
export type { LiquidityTerms } from './simulation/liquidity/estimated-liquidity.ts'
export type {
  CrowdQuote,
  LadderLevel,
  LiquidityModel,
  Reach,
  RecordedColumns,
  RecordedTrade,
  TakingOrder,
} from './simulation/liquidity/liquidity-model.ts'
export type { LiquidityFactory, LiquiditySetup } from './simulation/liquidity/liquidity-models.ts'
export type { MarketEstimates } from './simulation/liquidity/market-estimates.ts'
export { TapeLiquidity } from './simulation/liquidity/tape.ts'
export { TradeEstimates } from './simulation/liquidity/trade-estimates.ts'
