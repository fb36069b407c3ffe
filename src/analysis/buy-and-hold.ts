/**
 * Buy-and-hold return, the benchmark for a run.
 *
 * Known limit: ignores fees, and values each market in its own quote asset.
 */
import { invariant } from '../domain/errors.ts'
import { sum } from './returns/float-sums.ts'

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
  return sum(returns) / markets.length
}

/**
 * Buy-and-hold returns from sample to sample, the first measured from the start. The share of a market that has not
 * traded yet is held as cash.
 *
 * @param firstMarks  of each market in ticks; 0 for one that never traded
 * @param samples     marks of each market, in the same order; 0 before its first
 * @returns           one a sample; none when no market traded
 */
export function buyAndHoldReturns(
  firstMarks: readonly number[],
  samples: readonly (readonly number[])[],
): readonly number[] {
  const traded = firstMarks.flatMap((first, index) => (first > 0 ? [{ first, index }] : []))
  if (traded.length === 0) return []
  const worths = samples.map((marks) =>
    sum(traded.map(({ first, index }) => ((marks[index] ?? 0) === 0 ? 1 : (marks[index] ?? 0) / first))),
  )
  return worths.map((worth, index) => worth / (worths[index - 1] ?? traded.length) - 1)
}
