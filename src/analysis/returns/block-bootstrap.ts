/** Block-bootstrap intervals: returns are resampled in blocks to preserve their serial dependence. */
import { CircularBlocks, blockLength } from './circular-blocks.ts'
import { ascending, quantile } from './float-sums.ts'

const RESAMPLES = 1_000
const MIN_RETURNS = 10
const [LOW, HIGH] = [0.025, 0.975]
/** Minimum of resamples in which a figure must be defined to have an interval. */
const MIN_DEFINED = 900

/** Lower and upper end of 95 %. */
export type Interval = readonly [number, number]

/**
 * 95 % interval of each figure over 1 000 circular-block resamples; block length n^(1/3) returns, rounded up.
 *
 * @param figures  computed from the returns of one resample; null if undefined there
 * @param random   in [0, 1), seeded by the run
 * @returns for each figure null for fewer than ten returns, or if it is undefined in one of ten resamples or more
 * @see Politis and Romano (1992), A circular block-resampling procedure for stationary data
 */
export function blockIntervals(
  returns: readonly number[],
  figures: readonly ((resample: readonly number[]) => number | null)[],
  random: () => number,
): readonly (Interval | null)[] {
  if (returns.length < MIN_RETURNS) return figures.map(() => null)
  const values = figures.map((): number[] => [])
  for (let round = 0; round < RESAMPLES; round += 1) {
    const resample = resampled(returns, random)
    figures.forEach((figure, index) => {
      const value = figure(resample)
      if (value !== null) values[index]?.push(value)
    })
  }
  return values.map(intervalOf)
}

function resampled(returns: readonly number[], random: () => number): readonly number[] {
  const blocks = new CircularBlocks(returns.length, blockLength(returns.length), random)
  return returns.map((_, index) => returns[blocks.at(index)] ?? 0)
}

function intervalOf(values: readonly number[]): Interval | null {
  if (values.length < MIN_DEFINED) return null
  const sorted = ascending(values)
  return [quantile(sorted, LOW), quantile(sorted, HIGH)]
}
