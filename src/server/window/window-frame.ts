/**
 * The pieces of what a window is told of an emulator, each sent when it is another than before. Decimals are strings,
 * times Unix milliseconds.
 */
import type { BalancesJson } from '../../domain/balances.ts'
import type { CandleJson, CandleInterval } from '../../domain/candle.ts'
import type { OrderJson } from '../../domain/order.ts'
import type { PortfolioJson } from '../../domain/portfolio.ts'
import type { TickerJson } from '../../domain/ticker.ts'
import type { FillJson, TradeJson } from '../../domain/trade.ts'

/** What a window asks to be told of. */
export interface WindowWatch {
  readonly symbol: string
  readonly interval: CandleInterval
  /** Id of a user; undefined for none. */
  readonly user?: string | undefined
}

/** What does not change while the server runs. */
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

/** `[price, qty]`, best first. */
export type WindowLevels = readonly (readonly [string, string])[]

export interface WindowBook {
  readonly symbol: string
  readonly bids: WindowLevels
  readonly asks: WindowLevels
}

export interface WindowCandles {
  readonly symbol: string
  readonly interval: CandleInterval
  /** True when they take the place of all that were told before. */
  readonly isWhole: boolean
  /** Oldest first; the first may be one that was told already and has gone on. */
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
  /** Newest first, at most 100; `openCount` counts them all. */
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
  /** Where a virtual clock is on its way to. */
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
  readonly book?: WindowBook
  /** Newest first. */
  readonly trades?: readonly TradeJson[]
  readonly candles?: WindowCandles
  /** Null when there is no such user. */
  readonly account?: WindowAccount | null
  /** What was asked for and cannot be told. */
  readonly error?: { readonly code: string; readonly message: string }
}
