/**
 * Drawdowns between samples: from a peak to the sample at or above it, or to the end of the run.
 *
 * Changes between two samples are not visible here; the largest drawdown of a run is measured at every mark instead.
 */
import { mean, sum } from './float-sums.ts'
import type { EquityAt } from './return-samples.ts'

export interface SampledDrawdowns {
  /** Mean over the drawdowns of their depth, as a share of the peak; 0 when there was none. */
  readonly averageDrawdown: number
  /** Milliseconds of the longest one; 0 when there was none. */
  readonly longestDrawdownMs: number
  /** Share of the samples after the first that are below their peak; 0 without one. */
  readonly timeUnderWater: number
  /**
   * Root of the mean squared distance from the peak, as a share of it, over the samples after the first; null without
   * one.
   *
   * @see Martin and McCann (1989), The Investor's Guide to Fidelity Funds
   */
  readonly ulcerIndex: number | null
}

/** @param samples  oldest first, each equity above 0 */
export function sampledDrawdowns(samples: readonly EquityAt[]): SampledDrawdowns {
  const [first, ...later] = samples
  const falls: number[] = []
  const depths: number[] = []
  let longest = 0
  let peak = first
  let deepest = 0
  for (const sample of later) {
    if (peak === undefined) break
    const fall = Number(peak.equity - sample.equity) / Number(peak.equity)
    if (deepest > 0 || fall > 0) longest = Math.max(longest, sample.time - peak.time)
    if (fall > 0) deepest = Math.max(deepest, fall)
    else {
      if (deepest > 0) depths.push(deepest)
      deepest = 0
      peak = sample
    }
    falls.push(Math.max(fall, 0))
  }
  if (deepest > 0) depths.push(deepest)
  return {
    averageDrawdown: mean(depths) ?? 0,
    longestDrawdownMs: longest,
    timeUnderWater: falls.length === 0 ? 0 : falls.filter((fall) => fall > 0).length / falls.length,
    ulcerIndex: falls.length === 0 ? null : Math.sqrt(sum(falls.map((fall) => fall ** 2)) / falls.length),
  }
}
