/**
 * The exchange: a pure, synchronous, deterministic fold of commands into events.
 *
 * Purpose: the interface of every exchange in this project, and of what can be read of its state.
 * Invariants: no clock, no I/O, no randomness: the time comes in with the command, and never goes back. Every read is
 * of the state after the last command.
 * Known limitation: markets are fixed when it is made.
 * Complexity: not part of the interface; `matching-exchange.ts` states its own.
 * Source: docs/specification/trading-service.md, and decisions.md where that leaves something open.
 */
import type { AuditLine } from '../domain/audit.ts'
import type { Balances } from '../domain/balances.ts'
import type { Candle, CandleInterval } from '../domain/candle.ts'
import type { Command } from '../domain/command.ts'
import type { Depth } from '../domain/depth.ts'
import type { ExchangeEvent } from '../domain/exchange-event.ts'
import type { MarketConfig } from '../domain/market.ts'
import type { Order, OrderStatus, Side } from '../domain/order.ts'
import type { Portfolio } from '../domain/portfolio.ts'
import type { Ticker } from '../domain/ticker.ts'
import type { Fill, Trade } from '../domain/trade.ts'
import type { BooksSnapshot, ExchangeSnapshot } from './snapshot/exchange-snapshot.ts'
import type { Cut } from './snapshot/later-list.ts'

export interface ExchangeConfig {
  readonly markets: readonly MarketConfig[]
  /** Asset in which portfolios are valued. */
  readonly quoteAsset: string
  readonly history: HistoryLimits
}

/**
 * History limits, newest first; `Infinity` stores all. Open orders are always stored. An evicted order is unknown, also
 * for a cancel.
 */
export interface HistoryLimits {
  /** Finished orders of an account: the last ones to finish. */
  readonly orders: number
  /** Fills of an account. */
  readonly fills: number
  /** Trades of a market. */
  readonly trades: number
  /** Candles of a market and interval, the running one included. */
  readonly candles: number
  /** Shortest interval that can be read, for an exchange without snapshots; default: the shortest of all. */
  readonly shortestCandle?: CandleInterval
}

/** Section 4, query of GET /orders; `page` is one-based. */
export interface OrderQuery {
  readonly symbol?: string
  readonly status?: OrderStatus
  readonly limit: number
  readonly page: number
}

/**
 * Decision 3: `from` inclusive, `to` exclusive, both Unix milliseconds; the newest `limit` of them in chronological
 * order.
 */
export interface CandleQuery {
  readonly interval: CandleInterval
  readonly from?: number
  readonly to?: number
  readonly limit: number
}

/** An order in the book. */
export interface RestingOrder {
  readonly orderId: number
  readonly account: string
  /** Ticks. */
  readonly price: number
  /** Lots that are still open. */
  readonly qty: number
}

/** A trade recorded elsewhere, listed unchanged: ticks and lots. */
export interface Print {
  readonly symbol: string
  /** Unix milliseconds. */
  readonly time: number
  readonly price: number
  readonly qty: number
  readonly isBuyerMaker: boolean
}

/**
 * Statistics that a recorded row enters: all of them; only the ticker's volume, for a quarantined print; or all except
 * that, for a print confirmed later, whose volume is included already.
 */
export type RowPart = 'whole' | 'volume' | 'all-but-volume'

/** Row of a tape as it enters the statistics of its market, whether or not it matches orders: ticks and lots. */
export interface RecordedRow {
  readonly symbol: string
  /** Unix milliseconds. */
  readonly time: number
  readonly price: number
  readonly qty: number
  readonly part: RowPart
}

/** One market of an exchange, looked up once: the operations of every recorded trade, in plain numbers. */
export interface MarketAccess {
  /** Last price of the statistics in ticks; 0 before the first trade. */
  readonly lastPrice: number
  /** See `Exchange.bestPrice`. */
  bestPrice(side: Side): number | undefined
  /** See `Exchange.print`. */
  print(time: number, price: number, qty: number, isBuyerMaker: boolean): number
  /** See `Exchange.list`. */
  list(time: number, price: number, qty: number, isBuyerMaker: boolean): number
  /** See `Exchange.enter`. */
  enter(time: number, price: number, qty: number, part: RowPart): void
  /**
   * Records a candle: its open, extremes and close as if traded in its last millisecond, its volume at the close.
   *
   * @param time  the last millisecond of it
   */
  enterCandle(time: number, open: number, high: number, low: number, close: number, volume: number): void
}

/**
 * Reads of an unknown symbol throw an InvariantError: callers look the market up first. Prices are ticks, quantities
 * lots, times Unix milliseconds. A read's `now` is not before the last command or an earlier `now`.
 */
export interface Exchange {
  readonly markets: readonly MarketConfig[]
  /** Ledger digits by asset. */
  readonly scales: ReadonlyMap<string, number>

  /** Applies one command and returns its events. A rejected command changes nothing and uses no id. */
  execute(command: Command): readonly ExchangeEvent[]
  /**
   * A trade between crowd and crowd: enters the statistics, takes one trade id and two order ids, moves no balance.
   *
   * @returns the trade's id; after it the buy order's id is `lastOrderId - 1`, the sell order's `lastOrderId`
   */
  print(print: Print): number
  /** Lists a print without effect on statistics: its row was entered already, or it is quarantined. */
  list(print: Print): number
  /** Enters a recorded row into the statistics, and lists nothing. */
  enter(row: RecordedRow): void
  market(symbol: string): MarketAccess
  /** The newest order id that was given; 0 before the first. */
  readonly lastOrderId: number

  /** Price of the best resting order of a side, in ticks; undefined if there is none. */
  bestPrice(symbol: string, side: Side): number | undefined
  /** Orders at one price, first in the queue first. */
  restingAt(symbol: string, side: Side, price: number): readonly RestingOrder[]
  /**
   * Orders at `price` or better, in matching order.
   *
   * @param lots  stop when the orders add up to this many; default: all
   */
  restingTo(symbol: string, side: Side, price: number, lots?: number): readonly RestingOrder[]
  /** Depth of at most `levels` per side. */
  depth(symbol: string, levels?: number): Depth
  ticker(symbol: string, now: number): Ticker
  /** Newest first. */
  trades(symbol: string, limit: number): readonly Trade[]
  candles(symbol: string, query: CandleQuery): readonly Candle[]

  /** The account's order; undefined when it is unknown, another's, or evicted. */
  order(account: string, orderId: number): Order | undefined
  /** Newest first. */
  orders(account: string, query: OrderQuery): readonly Order[]
  /** Every open order of the account, newest first. */
  openOrders(account: string): readonly Order[]
  /** Newest first; a self-trade is two rows, the buy order's first. */
  fills(account: string, limit: number): readonly Fill[]
  balances(account: string): Balances
  portfolio(account: string, now: number): Portfolio
  /** Audit of every asset of the markets; locked amounts are recomputed from the open orders. */
  audit(): readonly AuditLine[]
}

/** Exchange with snapshots: `restoreExchange` creates an equal exchange from one. */
export interface SnapshotExchange extends Exchange {
  /** @param withoutHistory  accounts whose finished orders and fills are left out; default: none */
  snapshot(withoutHistory?: ReadonlySet<string>): ExchangeSnapshot
  /** Orders and balances only. `restoreBooks` makes an exchange with an empty history from them. */
  books(): BooksSnapshot
  /** Lazy snapshot: its state is fixed now and written later, unaffected by what happens in between. */
  cut(withoutHistory?: ReadonlySet<string>): Cut<ExchangeSnapshot>
}
