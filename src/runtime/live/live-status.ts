/**
 * A live process at one moment, for people to look at; everything in it can be written as JSON.
 */
import type { ConnectionState } from '../../adapter/exchange-adapter.ts'
import type { OrderType, Side } from '../../domain/order.ts'
import type { AwaitedInput } from '../session/stream-usage.ts'
import type { PersistedTransfers } from '../../store/state/live/persisted-rebalancing.ts'
import type { SessionState } from '../session-state.ts'
import type { NumberedEvent } from './live-event.ts'

/** An open order, as a status shows it. */
export interface ShownOrder {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** Limit price, a decimal string; undefined for a market order. */
  readonly price: string | undefined
  readonly qty: string
  readonly filledQty: string
  readonly tag: string | undefined
}

/** Status of one strategy. */
export interface StrategyStatus {
  /** Name of the session. */
  readonly owner: string
  readonly state: SessionState
  /** Reason for a state other than ACTIVE, in words; empty if there is none. */
  readonly why: string
  readonly quoteAsset: string
  /** Decimal string; undefined while prices are missing. */
  readonly equity: string | undefined
  /** Change of the equity since the start without transfers, a fraction. */
  readonly change: number | undefined
  /** Positions other than zero, decimal strings. */
  readonly positions: readonly { readonly asset: string; readonly qty: string }[]
  /** Open orders, newest first. */
  readonly openOrders: readonly ShownOrder[]
  /** Number of requests that are not sent yet. */
  readonly waiting: number
  /** Candles of which the strategy received fewer than it needs; undefined in a status that an older version wrote. */
  readonly awaited?: readonly AwaitedInput[] | undefined
  /** Transfers from other strategies and to them, over all sessions; undefined without any. */
  readonly transfers?: PersistedTransfers | undefined
  readonly runDirectory: string
}

/** Rate limit of the API key. */
export interface BudgetStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetInMs: number
}

/** An order with an unknown outcome. */
export interface UndecidedIntent {
  readonly id: number
  readonly owner: string
  readonly state: string
  readonly symbol: string
  readonly side: Side
  /** Decimal strings. */
  readonly price: string | undefined
  readonly qty: string
}

/** Status of a live process, as plain JSON. */
export interface LiveStatus {
  /** Time of the status, Unix milliseconds. */
  readonly time: number
  readonly startedAt: number
  readonly baseUrl: string
  readonly connection: ConnectionState
  /** State of the stream; `polling` if the service has none. */
  readonly stream: 'open' | 'lost' | 'polling'
  /** Unix milliseconds of the last market data; undefined before the first. */
  readonly dataAt: number | undefined
  readonly budget: { readonly general: BudgetStatus; readonly mutations: BudgetStatus } | undefined
  readonly strategies: readonly StrategyStatus[]
  readonly undecided: readonly UndecidedIntent[]
  readonly halts: readonly { readonly symbol: string; readonly why: string; readonly reason: string }[]
  /** Present warnings, such as a portfolio without the price of an asset. */
  readonly warnings: readonly string[]
  /** Newest events, oldest first. */
  readonly events: readonly NumberedEvent[]
}

/** Status of a paper session. */
export interface PaperStatus {
  /** Time of the status, Unix milliseconds. */
  readonly time: number
  /** State of the market data stream. */
  readonly connection: ConnectionState
  /** State of the session: ACTIVE, REDUCING or HALTED. */
  readonly state: SessionState
  /** Why the state is not ACTIVE; empty when it is. */
  readonly why: string
  /** Number of times that the stream reconnected. */
  readonly reconnects: number
  /** Unix milliseconds of the last market data; undefined before the first. */
  readonly dataAt: number | undefined
  /** Number of trades played so far. */
  readonly trades: number
  /** Equity, a decimal string in the quote asset. */
  readonly equity: string
  /** True while something held has no price, and is missing in the equity. */
  readonly isPartial: boolean
  /** Asset in which the session is valued. */
  readonly quoteAsset: string
  /** Number of open orders. */
  readonly openOrders: number
  /** Open orders, newest first. */
  readonly orders: readonly ShownOrder[]
  /** Positions other than zero, without the quote asset: decimal strings. */
  readonly positions: readonly { readonly asset: string; readonly qty: string }[]
  /** Number of requests that are not sent yet. */
  readonly waiting: number
  /** Candles that the strategy has received too few of, with the count that it needs. */
  readonly awaited: readonly AwaitedInput[]
  /** Transfers from other strategies and to them in this session; undefined without any. */
  readonly transfers?: PersistedTransfers | undefined
  /** Number of fills so far. */
  readonly fills: number
  /** Last prices by symbol, decimal strings. */
  readonly lastPrices: Readonly<Record<string, string>>
}
