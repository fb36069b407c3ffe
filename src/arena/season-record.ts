/**
 * The record of a season: everything that decides its board, disqualifications and findings, read from its journal.
 *
 * Invariant: orders, cancels and fills are in the order of their lines; the samples in the order of their times.
 * Known limitation: every market is quoted in the season's one quote asset.
 */
import type { Market } from '../domain/market.ts'
import type { OrderType, Side } from '../domain/order.ts'

/** Suspicions that the journal can support; a season names those that disqualify. */
export const CHEAT_KINDS = [
  'price-pushing',
  'circular-trading',
  'rank-farming',
  'one-hand',
  'quote-stuffing',
  'sniping',
] as const
export type CheatKind = (typeof CHEAT_KINDS)[number]

/** Rules that disqualify; undefined means no such rule. */
export interface SeasonRules {
  /** Fills of a player, as maker or taker. */
  readonly leastTrades?: number | undefined
  /**
   * Value of what a player has bought less sold in one market, either sign, at the price of the fill; in units of the
   * record's `valueScale`.
   */
  readonly largestPosition?: bigint | undefined
  /** Fall from a peak of the equity samples, in basis points of the peak: a whole number from 1 to 10000. */
  readonly largestDrawdownBps?: number | undefined
  /** `reject`: the exchange refuses such orders. Fills of a player with itself disqualify, except under `allow`. */
  readonly selfTrading: 'allow' | 'reject' | 'disqualify'
  /** Findings of these kinds disqualify; all others are only reported. */
  readonly disqualifying: readonly CheatKind[]
}

export interface SeasonPlayer {
  readonly account: string
  readonly name: string
  /** Unix milliseconds. */
  readonly joined: number
  /** Line of the journal with the registration. */
  readonly line: number
  /** Present for a strategy that the server runs. */
  readonly strategy?: EnteredStrategy
}

/** A strategy that the server runs. */
export interface EnteredStrategy {
  /** Why it was stopped before the end, and the line of the journal; undefined if it was not. */
  readonly stopped?: { readonly reason: string; readonly line: number }
}

/** `line` is the line of the journal that proves an entry; times are Unix milliseconds. */
export interface SeasonOrder {
  readonly line: number
  readonly time: number
  readonly account: string
  readonly symbol: string
  readonly orderId: number
  readonly side: Side
  readonly type: OrderType
  /** Ticks; undefined for a market order. */
  readonly price: number | undefined
  /** Lots. */
  readonly qty: number
}

/** A cancel that took effect; not the unfilled rest of a market order. */
export interface SeasonCancel {
  readonly line: number
  readonly time: number
  readonly account: string
  readonly orderId: number
}

/** A party to a fill; an account of no player belongs to the crowd. */
export interface FillParty {
  readonly account: string
  readonly orderId: number
}

export interface SeasonFill {
  /** Line of the order that took. */
  readonly line: number
  readonly time: number
  readonly symbol: string
  /** Ticks. */
  readonly price: number
  /** Lots. */
  readonly qty: number
  readonly maker: FillParty
  readonly taker: FillParty
  readonly takerSide: Side
}

/** Equity of all players at one time. */
export interface SeasonSample {
  readonly time: number
  /** One amount per player; order of `players`, units of `valueScale`. */
  readonly equity: readonly bigint[]
}

export interface SeasonRecord {
  readonly rules: SeasonRules
  readonly markets: readonly Market[]
  readonly quoteAsset: string
  /** Decimal digits of every money amount here: at least price and quantity digits of every market together. */
  readonly valueScale: number
  /** The first to register is first. */
  readonly players: readonly SeasonPlayer[]
  readonly orders: readonly SeasonOrder[]
  readonly cancels: readonly SeasonCancel[]
  readonly fills: readonly SeasonFill[]
  /** Equally spaced, from the start to the end. */
  readonly samples: readonly SeasonSample[]
  readonly start: number
  readonly end: number
  /** Given to each player at the start, in ledger units of the asset. */
  readonly credits: ReadonlyMap<string, bigint>
}
