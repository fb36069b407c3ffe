/**
 * Reach of a candle: what it gives, from open to close, to orders that rest.
 *
 * A buy at P is filled when the low is below P, never at the extreme itself; how far below says how much of the volume
 * came by.
 */

/** The most of a candle's volume that one side of ours may have. */
const MOST_OF_VOLUME = 1 / 10
/** A price that half the range went beyond saw this part of the volume at best: a quarter of the share of the range. */
const SHARE_OF_RANGE = 4

/** Liquidity models of a candle by name: ticks by which a price must be passed. */
const TICKS_BEYOND = { touch: 0, tape: 1, through: 2 } as const

export type CandleStrictness = keyof typeof TICKS_BEYOND

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
  const share = high === low ? MOST_OF_VOLUME : Math.min(MOST_OF_VOLUME, counted / (SHARE_OF_RANGE * (high - low)))
  return Math.floor(volume * share)
}

/** Lots that orders of one side have of a candle at most, whatever their prices. */
export const mostLots = ({ volume }: { readonly volume: number }): number => Math.floor(volume * MOST_OF_VOLUME)
