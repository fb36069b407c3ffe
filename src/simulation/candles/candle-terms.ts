/** Order execution terms of a market recorded as candles. */

/** Maximum share of a candle's volume for one side of your orders. */
const MAX_OF_VOLUME = 1 / 10
/** A price that half the range went beyond saw this part of the volume at best: a quarter of the share of the range. */
const SHARE_OF_RANGE = 4

/** Liquidity models of a candle by name: ticks by which a price must be passed. */
const TICKS_BEYOND = { touch: 0, tape: 1, through: 2 } as const

type CandleStrictness = keyof typeof TICKS_BEYOND

/**
 * Lots for orders of one side down to a price, all of them together.
 *
 * @param beyond  ticks that the extreme of the candle is beyond the price; less than 0 when it did not come so far
 */
export function lotsBeyond(
  beyond: number,
  { high, low, volume }: { readonly high: number; readonly low: number; readonly volume: number },
  strictness: CandleStrictness,
): number {
  const counted = beyond + 1 - TICKS_BEYOND[strictness]
  if (counted <= 0) return 0
  const share = high === low ? MAX_OF_VOLUME : Math.min(MAX_OF_VOLUME, counted / (SHARE_OF_RANGE * (high - low)))
  return Math.floor(volume * share)
}

/**
 * Maximum lots of a candle for all orders of one side, whatever their prices.
 *
 * A buy at P is filled when the low is below P, never at the extreme itself; the distance below decides how much of the
 * volume it may have.
 */
export const mostLots = ({ volume }: { readonly volume: number }): number => Math.floor(volume * MAX_OF_VOLUME)

export interface CandleTerms {
  /** Length of a candle. */
  readonly intervalMs: number
  /** True when every candle begins on the grid of its interval, so that longer ones can be aggregated. */
  readonly isAligned: boolean
  /** Candles have no common length: each closes when the next one opens. */
  readonly closesAtNext?: boolean
  /** IANA zone of the tape, whose calendar defines days and longer candles; undefined for UTC. */
  readonly zone?: string | undefined
  /** Ticks between bid and ask; undefined to learn it. */
  readonly spread: number | undefined
  /**
   * Ticks by which a price must be passed to fill an order that rests there. `ideal`: a touch fills it entirely, and an
   * open fills any quantity without a spread.
   */
  readonly fills: CandleStrictness | 'ideal'
}
