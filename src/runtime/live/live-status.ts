/**
 * A live process at one moment, for people to look at; everything in it can be written as JSON.
 */
import type { ConnectionState } from '../../adapter/exchange-adapter.ts'
import type { OrderType, Side } from '../../domain/order.ts'
import type { AwaitedInput } from '../session/seen-streams.ts'
import type { SessionState } from '../session/risk/session-state.ts'
import type { NumberedEvent } from './live-event.ts'

export interface ShownOrder {
  readonly id: string
  readonly symbol: string
  readonly side: Side
  readonly type: OrderType
  /** Decimal strings. */
  readonly price: string | undefined
  readonly qty: string
  readonly filledQty: string
  readonly tag: string | undefined
}

export interface StrategyStatus {
  /** Name of the session. */
  readonly owner: string
  readonly state: SessionState
  /** For people; empty when there is nothing to say. */
  readonly why: string
  readonly quoteAsset: string
  /** Decimal string; undefined while prices are missing. */
  readonly equity: string | undefined
  /** Change of the equity since the start, a fraction. */
  readonly change: number | undefined
  /** Decimal strings; those that are not zero. */
  readonly positions: readonly { readonly asset: string; readonly qty: string }[]
  /** Newest first. */
  readonly openOrders: readonly ShownOrder[]
  /** Requests that are neither sent nor refused. */
  readonly waiting: number
  /** Candles of which the strategy has seen fewer than it needs before it can act; undefined where an earlier version wrote the status. */
  readonly awaited?: readonly AwaitedInput[] | undefined
  readonly runDirectory: string
}

/** One bucket of the key's budget. */
export interface BudgetStatus {
  readonly limit: number
  readonly remaining: number
  readonly resetInMs: number
}

/** An order creation of which it is not known what became of it. */
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

export interface LiveStatus {
  /** Unix milliseconds. */
  readonly time: number
  readonly startedAt: number
  readonly baseUrl: string
  readonly connection: ConnectionState
  /** `polling` where the service has no stream. */
  readonly stream: 'open' | 'lost' | 'polling'
  /** Unix milliseconds of the last market data; undefined before the first. */
  readonly dataAt: number | undefined
  readonly budget: { readonly general: BudgetStatus; readonly mutations: BudgetStatus } | undefined
  readonly strategies: readonly StrategyStatus[]
  readonly undecided: readonly UndecidedIntent[]
  readonly halts: readonly { readonly symbol: string; readonly why: string; readonly reason: string }[]
  /** What is so now, such as a portfolio without the price of an asset. */
  readonly warnings: readonly string[]
  /** The newest, oldest first. */
  readonly events: readonly NumberedEvent[]
}
