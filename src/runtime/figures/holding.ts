/** Holdings of an account and their valuation: each asset at the mark of its market against the quote asset. */
import type { Balances } from '../../domain/balances.ts'
import type { Market } from '../../domain/market.ts'
import { pricingsOf } from '../../domain/pricing.ts'

/** Setup of an account, known before anything happens in every session: a backtest, paper or live. */
export interface AccountSetup {
  readonly markets: readonly Market[]
  /** Ledger digits by asset, for every asset of the markets. */
  readonly scales: ReadonlyMap<string, number>
  /** Initial balances. */
  readonly balances: Balances
  /** Asset in which the account is valued. */
  readonly quoteAsset: string
  /** Start of the session, Unix milliseconds. */
  readonly from: number
  /** End of the session; undefined while it is not known. */
  readonly to: number | undefined
  /** Milliseconds between two samples of the returns; default: a day. */
  readonly statsPeriodMs?: number
  /** Interval in milliseconds of the markets that were recorded as candles, by symbol. */
  readonly candleMs?: ReadonlyMap<string, number>
  /** False if the markets are not drawn, so that no candles are collected; default: true. */
  readonly isDrawn?: boolean
}

/** One asset that the account may hold. */
export interface Holding {
  readonly asset: string
  /** Market that prices it; undefined for the quote asset itself, or if there is none. */
  readonly symbol: string | undefined
  readonly isQuote: boolean
  /** Equity units per ledger unit at a mark of 1. */
  readonly unitsPerUnit: bigint
  /** Ledger units. */
  total: bigint
  /** Equity units per tick of the mark: exact, or Infinity beyond 2^53. */
  unitsPerTick: number
  /** Ticks; 0 before the first recorded trade. */
  mark: number
  firstMark: number
  /** The mark up to which its gain was counted; 0 for none. */
  settledMark: number
  initial: bigint
}

const UNMARKED = { total: 0n, unitsPerTick: 0, mark: 0, firstMark: 0, settledMark: 0, initial: 0n }

/** Value of `unitsPerTick`. */
export const exactOrInfinite = (units: bigint): number =>
  units <= BigInt(Number.MAX_SAFE_INTEGER) ? Number(units) : Number.POSITIVE_INFINITY

/** Equity units of `total` ledger units. */
export const valueOf = ({ isQuote, unitsPerUnit }: Holding, total: bigint, mark: number): bigint =>
  total * (isQuote ? 1n : BigInt(mark)) * unitsPerUnit

export const holdingsOf = ({ scales, markets, quoteAsset }: AccountSetup): readonly Holding[] =>
  pricingsOf(quoteAsset, scales, markets).map(({ asset, market, isQuote, unitsPerUnit }) => ({
    asset,
    symbol: market?.symbol,
    isQuote,
    unitsPerUnit,
    ...UNMARKED,
  }))
