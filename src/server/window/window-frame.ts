/**
 * Sections of the updates for an emulator window, each sent only when it changed. Decimals are strings, times Unix
 * milliseconds.
 */
import type { BalancesJson } from '../../domain/balances.ts'
import type { CandleJson, CandleInterval } from '../../domain/candle.ts'
import type { OrderJson } from '../../domain/order.ts'
import type { PortfolioJson } from '../../domain/portfolio.ts'
import type { TickerJson } from '../../domain/ticker.ts'
import type { FillJson, TradeJson } from '../../domain/trade.ts'

/** Selection of a window. */
export interface WindowWatch {
  readonly symbol: string
  readonly interval: CandleInterval
  /** Id of a user; undefined for none. */
  readonly user?: string | undefined
}

/** Constant while the server runs. */
export interface WindowWorld {
  readonly version: string
  readonly markets: readonly {
    readonly symbol: string
    readonly baseAsset: string
    readonly quoteAsset: string
    readonly pricePrecision: number
    readonly qtyPrecision: number
  }[]
  readonly isTimeVirtual: boolean
  readonly faultKinds: readonly string[]
  readonly faultRoutes: readonly string[]
}

/** `[price, qty, total]`, best first; the total includes all better levels. */
export type WindowLevels = readonly (readonly [string, string, string])[]

export interface WindowBook {
  readonly symbol: string
  readonly bids: WindowLevels
  readonly asks: WindowLevels
  /** Undefined if a side is empty. */
  readonly spread?: string | undefined
}

export interface WindowCandles {
  readonly symbol: string
  readonly interval: CandleInterval
  /** True if it replaces all earlier candles. */
  readonly isWhole: boolean
  /** Oldest first; the first may update a candle that was sent before. */
  readonly data: readonly CandleJson[]
}

/** One bucket of a key. */
export interface WindowBudget {
  readonly limit: number
  readonly remaining: number
}

export interface WindowAccount {
  readonly user: string
  readonly verified: boolean
  readonly balances: BalancesJson
  readonly portfolio: PortfolioJson
  /** Newest first, at most 100; `openCount` is the total. */
  readonly openOrders: readonly OrderJson[]
  readonly openCount: number
  /** Newest first. */
  readonly fills: readonly FillJson[]
  readonly budgets: readonly {
    readonly key: string
    readonly scopes: readonly string[]
    readonly general: WindowBudget
    readonly mutations: WindowBudget
  }[]
}

export interface WindowClock {
  readonly now: number
  /** Destination of a moving virtual clock. */
  readonly until?: number | undefined
}

export interface WindowFault {
  readonly id: string
  readonly fault: string
  readonly route: string
  readonly count?: number | undefined
  readonly probability?: number | undefined
}

export interface WindowFrame {
  readonly world?: WindowWorld
  readonly clock?: WindowClock
  readonly users?: readonly { readonly id: string; readonly email: string; readonly verified: boolean }[]
  readonly faults?: readonly WindowFault[]
  readonly tickers?: readonly TickerJson[]
  /** Markets that accept no orders, each with the reason. */
  readonly pauses?: readonly (readonly [symbol: string, reason: string])[]
  readonly book?: WindowBook
  /** Newest first. */
  readonly trades?: readonly TradeJson[]
  readonly candles?: WindowCandles
  /** Null if there is no such user. */
  readonly account?: WindowAccount | null
  /** Why a selection cannot be shown. */
  readonly error?: { readonly code: string; readonly message: string }
}
