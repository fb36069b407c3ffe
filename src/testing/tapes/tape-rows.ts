/**
 * Rows of a recorded market as a test writes them: times in Unix milliseconds, prices and quantities as exact decimal
 * strings.
 */
import type { Side } from '../../domain/order.ts'

/** A recorded trade. */
export interface TestTrade {
  /** Unix milliseconds, not before the trade before. */
  readonly time: number
  /** Decimal string in the quote asset, above 0. */
  readonly price: string
  /** Decimal string in the base asset, above 0; default: '1'. */
  readonly qty?: string | undefined
  /** Side of the taker; default: unknown, and estimated from the price. */
  readonly side?: Side | undefined
}

/** A recorded candle. */
export interface TestCandle {
  /** Open time, Unix milliseconds; at least one interval after the candle before. */
  readonly time: number
  /** Open price, a decimal string in the quote asset. */
  readonly open: string
  /** High, not below `open` and `close`; in the quote asset. */
  readonly high: string
  /** Low, not above `open` and `close`; in the quote asset. */
  readonly low: string
  /** Close price, a decimal string in the quote asset. */
  readonly close: string
  /** Volume, a decimal string in the base asset; '0' for no trades; default: '1'. */
  readonly volume?: string | undefined
}

/** The row kinds of a tape in memory. */
export type TapeRows =
  | { readonly kind: 'trades'; readonly trades: readonly TestTrade[] }
  | { readonly kind: 'candles'; readonly candles: readonly TestCandle[]; readonly intervalMs: number }
