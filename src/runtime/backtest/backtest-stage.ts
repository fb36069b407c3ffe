/**
 * The stage of a backtest: an exchange with the run's markets and credit, the crowd of its tapes, and an adapter to it.
 */
import { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { invariant } from '../../domain/errors.ts'
import type { RateLimits } from '../../domain/rate-window.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { HistoryLimits } from '../../exchange/exchange.ts'
import { type RecordedDepth, recordedDepths } from '../../simulation/depth/recorded-depth.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { candleTermsOf } from './candle-tapes.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

/** Account of the strategy. */
export const ACCOUNT = 'strategy'

/**
 * Retention of history. A strategy cannot query it, so the exchange retains only what it needs itself: enough finished
 * orders to distinguish a late cancel from a wrong one, and the last closed candle beside the running one.
 */
const HISTORY = { orders: 10_000, fills: 0, trades: 0, candles: 3 }

export interface BacktestStage {
  readonly simulated: SimulatedMarkets
  readonly adapter: SimulatedExchange
  /** Rate limits of the strategy's key; undefined for none. */
  readonly limits: RateLimits | undefined
}

/** @param queue  set to the time at which the run begins */
export function setStage(prepared: PreparedBacktest, queue: EventQueue): BacktestStage {
  const { settings, markets, quoteAsset, credit } = prepared
  const exchange = createExchange({ markets, quoteAsset, history: { ...HISTORY, ...shortestCandle(prepared) } })
  const recorded = new Set(markets.map(({ symbol }) => symbol))
  const depths = recordedDepths(prepared.books)
  const modelOf = (symbol: string): LiquidityModel => createModel(prepared, symbol, depths.get(symbol))
  const simulated = new SimulatedMarkets(exchange, queue, modelOf, recorded, candleTermsOf(prepared), depths)
  for (const [asset, amount] of credit) {
    const [event] = simulated.execute({ type: 'credit', time: queue.now(), account: ACCOUNT, asset, amount })
    invariant(event?.type === 'credited', `the credit of ${asset} was refused`)
  }
  const latency = {
    orderMs: settings.orderLatencyMs,
    responseMs: settings.responseLatencyMs,
    feedMs: settings.feedLatencyMs,
  }
  const limits = settings.limits ?? undefined
  return { simulated, adapter: new SimulatedExchange(simulated, { account: ACCOUNT, latency, limits }), limits }
}

/** If every market is recorded as candles, shorter ones cannot be requested. */
function shortestCandle({ markets, candleTapes }: PreparedBacktest): Pick<HistoryLimits, 'shortestCandle'> {
  if (markets.some(({ symbol }) => !candleTapes.has(symbol))) return {}
  const shortestMs = Math.min(...[...candleTapes.values()].map(({ intervalMs }) => intervalMs))
  const name = CANDLE_INTERVAL_NAMES.find((each) => ALL_CANDLE_INTERVALS[each] === shortestMs)
  return name === undefined ? {} : { shortestCandle: name }
}

/** A new liquidity model of a market. @param depth  recorded order book; undefined if there is none */
export function createModel(
  { liquidity, liquiditySetups }: PreparedBacktest,
  symbol: string,
  depth?: RecordedDepth,
): LiquidityModel {
  const setup = liquiditySetups.get(symbol)
  invariant(setup !== undefined, `no liquidity for ${symbol}`)
  return liquidity.create(depth === undefined ? setup : { ...setup, depth })
}
