/**
 * Complete state of an exchange as JSON values, sufficient to continue with any later command or query.
 *
 * Amounts are decimal strings of ledger units, quantities and prices are lots and ticks.
 */
import type { MarketConfig } from '../../domain/market.ts'
import type { Order, OrderRequest, OrderStatus } from '../../domain/order.ts'
import type { Fill, Trade } from '../../domain/trade.ts'

/** Goes up when the form changes; another number is not read. */
export const SNAPSHOT_FORMAT = 2

export interface ExchangeSnapshot {
  /** SNAPSHOT_FORMAT of the version that wrote it. */
  readonly format: number
  readonly markets: readonly MarketConfig[]
  readonly quoteAsset: string
  /** `null` keeps all. */
  readonly history: Readonly<Record<'orders' | 'fills' | 'trades' | 'candles', number | null>>
  readonly time: number
  readonly lastOrderId: number
  readonly lastTradeId: number
  readonly ledger: LedgerSnapshot
  /** Accounts in the order in which they were opened. */
  readonly accounts: readonly AccountSnapshot[]
  /** One state for each of `markets`. */
  readonly states: readonly MarketSnapshot[]
}

/** Orders and balances of an exchange, without histories and statistics. */
export interface BooksSnapshot extends Omit<ExchangeSnapshot, 'history' | 'states'> {
  readonly states: readonly Omit<MarketSnapshot, 'statistics'>[]
}

/** Ledger totals by asset index. */
export interface LedgerSnapshot {
  readonly credited: readonly string[]
  readonly fees: readonly string[]
}

export interface AccountSnapshot {
  readonly id: string
  /** Balances by asset index. */
  readonly available: readonly string[]
  readonly locked: readonly string[]
  readonly baselineAt: number | null
  readonly baseline: string
  /** Credits without a price: index of the asset and amount. */
  readonly unpriced: readonly (readonly [number, string])[]
  /** First finished first. */
  readonly finishedOrders: readonly OrderSnapshot[]
  /** Oldest first. */
  readonly fills: readonly FillSnapshot[]
}

export type OrderSnapshot = Omit<Order, 'filledNotional' | 'fee'> & {
  readonly filledNotional: string
  readonly fee: string
}

export type FillSnapshot = Omit<Fill, 'fee'> & { readonly fee: string }

export interface RestingSnapshot {
  readonly id: number
  readonly account: string
  readonly request: OrderRequest
  readonly createdAt: number
  readonly status: OrderStatus
  readonly remaining: number
  readonly filledNotional: string
  readonly fee: string
  /** Exact fee so far, in 10^-8 ledger units of the quote asset. */
  readonly exactFee: string
}

export interface MarketSnapshot {
  /** Resting orders in matching order. */
  readonly bids: readonly RestingSnapshot[]
  readonly asks: readonly RestingSnapshot[]
  readonly statistics: StatisticsSnapshot
}

export interface StatisticsSnapshot {
  readonly lastPrice: number
  readonly lastTime: number
  /** Time of the last ticker; none before the first request. */
  readonly readAt: number
  /** Oldest first. */
  readonly trades: readonly Trade[]
  /** The trades of the last 24 hours, oldest first, column by column. */
  readonly window: TradeColumns
  /** Difference between the ticker's volume and those trades, in the same form; lots are negative where it has less. */
  readonly correction: TradeColumns
  readonly candles: CandlesSnapshot
}

export interface TradeColumns {
  readonly time: readonly number[]
  readonly price: readonly number[]
  readonly qty: readonly number[]
}

export interface CandlesSnapshot {
  /** The running candle of the shortest interval. */
  readonly shortest: CandleSnapshot | null
  /** One series per interval, shortest first. */
  readonly series: readonly CandleSeriesSnapshot[]
}

export interface CandleSeriesSnapshot {
  /** Oldest first. */
  readonly finished: readonly CandleSnapshot[]
  /** The running candle, aggregated from finished candles of the shorter interval. */
  readonly running: CandleSnapshot | null
}

/** Time, open, high, low, close, volume. */
export type CandleSnapshot = readonly [number, number, number, number, number, string]
