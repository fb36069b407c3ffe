/**
 * The stage of a backtest: an exchange with the run's markets and credit, the crowd of its tapes, and an adapter to it.
 */
import { SimulatedExchange } from '../../adapter/simulated/simulated-exchange.ts'
import { simulatedSeries } from '../../adapter/simulated/simulated-series.ts'
import { ALL_CANDLE_INTERVALS, CANDLE_INTERVAL_NAMES } from '../../domain/candle.ts'
import { invariant } from '../../domain/errors.ts'
import { RateBudget, type RateLimits } from '../../domain/rate-window.ts'
import { createExchange } from '../../exchange/create-exchange.ts'
import type { Exchange, HistoryLimits } from '../../exchange/exchange.ts'
import { type RecordedDepth, recordedDepths } from '../../simulation/depth/recorded-depth.ts'
import type { EventQueue } from '../../simulation/event-queue.ts'
import type { LiquidityModel } from '../../simulation/liquidity/liquidity-model.ts'
import { SimulatedMarkets } from '../../simulation/simulated-markets.ts'
import { candleTermsOf } from './candle-tapes.ts'
import type { PreparedBacktest } from './prepared-backtest.ts'

/** Account of a strategy that runs alone. */
export const ACCOUNT = 'strategy'

/**
 * Retention of history. A strategy cannot query it, so the exchange retains only what it needs itself: enough finished
 * orders to distinguish a late cancel from a wrong one, and the last closed candle beside the running one.
 */
export const HISTORY = { orders: 10_000, fills: 0, trades: 0, candles: 3 }

/** An account of a stage. */
export interface StageAccount {
  readonly account: string
  /** Ledger units by asset. */
  readonly credit: ReadonlyMap<string, bigint>
}

/** A stage that continues an earlier one. */
export interface EarlierStage {
  /** It has the accounts and orders of the earlier one. A credit of the stage is added to an account. */
  readonly exchange: Exchange
  /** Tags of open orders, by account. */
  readonly tags: ReadonlyMap<string, ReadonlyMap<number, string>>
  /** Called before anything else listens to the markets. */
  onMade(simulated: SimulatedMarkets): void
}

export interface BacktestStage {
  readonly simulated: SimulatedMarkets
  readonly adapter: SimulatedExchange
  readonly account: string
  /** Accounts of all strategies here, whose orders count as own ones. */
  readonly ownAccounts: ReadonlySet<string>
  /** Rate limits of the session, or the budget that it shares; undefined for none. */
  readonly limits: RateLimits | RateBudget | undefined
}

/** @param queue  set to the time at which the run begins */
export function setStage(prepared: PreparedBacktest, queue: EventQueue): BacktestStage {
  const [stage] = setStages(prepared, queue, [{ account: ACCOUNT, credit: prepared.credit }])
  invariant(stage !== undefined, 'a stage has an account')
  return stage
}

/**
 * One exchange with an account for each strategy. They share the rate budget of one key, and regard each other's trades
 * as own ones.
 */
export function setStages(
  prepared: PreparedBacktest,
  queue: EventQueue,
  accounts: readonly StageAccount[],
  earlier?: EarlierStage,
): readonly BacktestStage[] {
  const simulated = simulatedMarkets(prepared, queue, earlier?.exchange)
  earlier?.onMade(simulated)
  if (earlier !== undefined) for (const { symbol } of prepared.markets) simulated.crowd(symbol).takeOver()
  for (const { account, credit } of accounts) creditAccount(simulated, account, credit)
  const { orderLatencyMs, responseLatencyMs, feedLatencyMs, limits: given } = prepared.settings
  const latency = { orderMs: orderLatencyMs, responseMs: responseLatencyMs, feedMs: feedLatencyMs }
  const limits = given ?? undefined
  const [keyBudget, sessionBudget] = [RateBudget.of(limits), RateBudget.of(limits)]
  const ownAccounts = new Set(accounts.map(({ account }) => account))
  return accounts.map(({ account }) => {
    const tags = earlier?.tags.get(account)
    const adapter = new SimulatedExchange(simulated, { account, ownAccounts, latency, limits: keyBudget, tags })
    adapter.series = simulatedSeries(prepared.inspectedSeries, queue, feedLatencyMs)
    return { simulated, adapter, account, ownAccounts, limits: sessionBudget }
  })
}

function creditAccount(simulated: SimulatedMarkets, account: string, credit: StageAccount['credit']): void {
  const time = simulated.queue.now()
  for (const [asset, amount] of credit) {
    const [event] = simulated.execute({ type: 'credit', time, account, asset, amount })
    invariant(event?.type === 'credited', `the credit of ${asset} was refused`)
  }
}

function simulatedMarkets(
  prepared: PreparedBacktest,
  queue: EventQueue,
  exchange: Exchange = newExchange(prepared),
): SimulatedMarkets {
  const { markets } = prepared
  const recorded = new Set(markets.map(({ symbol }) => symbol))
  const depths = recordedDepths(prepared.books)
  const modelOf = (symbol: string): LiquidityModel => createModel(prepared, symbol, depths.get(symbol))
  return new SimulatedMarkets(exchange, queue, modelOf, recorded, candleTermsOf(prepared), depths)
}

const newExchange = (prepared: PreparedBacktest): Exchange => {
  const { markets, quoteAsset } = prepared
  return createExchange({ markets, quoteAsset, history: { ...HISTORY, ...shortestCandle(prepared) } })
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
