/**
 * Reach of a candle: the lots that resting orders may have of it from open to close.
 *
 * A buy at P is filled when the low is below P, never at the extreme itself; the distance below decides how much of the
 * volume it may have.
 */

/** Maximum share of a candle's volume for one side of your orders. */
const MAX_OF_VOLUME = 1 / 10
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
  const share = high === low ? MAX_OF_VOLUME : Math.min(MAX_OF_VOLUME, counted / (SHARE_OF_RANGE * (high - low)))
  return Math.floor(volume * share)
}

/** Maximum lots of a candle for all orders of one side, whatever their prices. */
export const mostLots = ({ volume }: { readonly volume: number }): number => Math.floor(volume * MAX_OF_VOLUME)
