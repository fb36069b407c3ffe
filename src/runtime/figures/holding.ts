/** Holdings of an account and their valuation: each asset at the mark of its market against the quote asset. */
import { pricingsOf } from '../../domain/pricing.ts'
import type { AccountSetup } from './account-setup.ts'

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
