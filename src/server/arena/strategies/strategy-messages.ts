/** Messages between an arena and a strategy that it runs in a process of its own. */
import type { MarketFees } from '../../../domain/market.ts'

/** The first message to a strategy: it is loaded and checked, and waits. */
export interface StrategyJob {
  /** File, or name of a ready strategy. */
  readonly strategy: string
  readonly params: Readonly<Record<string, unknown>>
  /** Default of the parameter `symbol`, for the check. */
  readonly symbol: string
  /** Folder of its orders, runs and log. */
  readonly folder: string
}

/** It trades from now on. */
export interface StrategyBegin {
  readonly type: 'begin'
  /** Base URL of the exchange. */
  readonly url: string
  readonly apiKey: string
  /** Default of the parameter `symbol`. */
  readonly symbol: string
  readonly fees: MarketFees
}

export type StrategyCommand = StrategyBegin | { readonly type: 'stop' }

/** A message of a strategy. `alive` comes once a second; after `failed` and `ended` it is done. */
export type StrategyMessage =
  | { readonly type: 'alive' | 'loaded' }
  | { readonly type: 'failed'; readonly why: string }
  /** It was stopped, in good order. */
  | { readonly type: 'ended' }
