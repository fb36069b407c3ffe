/**
 * Buy and hold: the return of doing nothing, the measure beside that of a run.
 *
 * Known limit: without fees, and each market in its own quote asset.
 */
import { invariant } from '../domain/errors.ts'

/** First and last recorded price of a market, in its ticks, > 0. */
export interface PriceSpan {
  readonly firstPrice: number
  readonly lastPrice: number
}

/**
 * Return of cash split equally over the markets at their first prices and held to their last ones: the mean of
 * last / first - 1.
 *
 * @param markets  those that traded
 * @returns        a fraction > -1; 0 when no market traded
 * @throws {InvariantError} when a price is not a positive integer of ticks
 */
export function buyAndHoldReturn(markets: readonly PriceSpan[]): number {
  if (markets.length === 0) return 0
  const returns = markets.map(({ firstPrice, lastPrice }) => {
    invariant(Number.isSafeInteger(firstPrice) && firstPrice > 0, `first price of ${firstPrice} ticks`)
    invariant(Number.isSafeInteger(lastPrice) && lastPrice > 0, `last price of ${lastPrice} ticks`)
    return (lastPrice - firstPrice) / firstPrice
  })
  return returns.reduce((sum, value) => sum + value, 0) / markets.length
}
