/**
 * Rows of a recorded market as a test writes them: times in Unix milliseconds, prices and quantities as exact decimal strings.
 */
import type { Side } from '../../domain/order.ts'

/** A recorded trade. */
export interface TestTrade {
  /** Unix milliseconds, not before that of the trade before. */
  readonly time: number
  /** Decimal string in the quote asset, above 0. */
  readonly price: string
  /** Decimal string in the base asset, above 0; default: '1'. */
  readonly qty?: string | undefined
  /** Who came to the resting order; default: it is not told, and guessed from the price as on any such tape. */
  readonly side?: Side | undefined
}

/** A recorded candle. */
export interface TestCandle {
  /** Its opening, Unix milliseconds; one interval or more behind that of the candle before. */
  readonly time: number
  /** Decimal string in the quote asset, as are the three below. */
  readonly open: string
  /** Not below `open` and `close`; in the quote asset. */
  readonly high: string
  /** Not above `open` and `close`; in the quote asset. */
  readonly low: string
  /** Decimal string in the quote asset. */
  readonly close: string
  /** Decimal string in the base asset; '0' where nothing was traded; default: '1'. */
  readonly volume?: string | undefined
}

/** The row kinds of a tape in memory. */
export type TapeRows =
  | { readonly kind: 'trades'; readonly trades: readonly TestTrade[] }
  | { readonly kind: 'candles'; readonly candles: readonly TestCandle[]; readonly intervalMs: number }
