/** The shape of the distribution of returns. */
import { deviation, mean, sum } from './float-sums.ts'

/** Distances from the mean in deviations; undefined without a deviation. */
function standardized(values: readonly number[]): readonly number[] | undefined {
  const [center, spread] = [mean(values), deviation(values)]
  if (center === null || spread === null || spread === 0) return undefined
  return values.map((value) => (value - center) / spread)
}

/**
 * Adjusted Fisher-Pearson coefficient (G1); null for fewer than three returns, or without a deviation.
 *
 * @see Joanes and Gill (1998), Comparing measures of sample skewness and kurtosis
 */
export function skew(values: readonly number[]): number | null {
  const n = values.length
  const distances = n < 3 ? undefined : standardized(values)
  if (distances === undefined) return null
  return (n / ((n - 1) * (n - 2))) * sum(distances.map((distance) => distance ** 3))
}

/**
 * Excess kurtosis (G2 of the same paper), 0 for a normal distribution; null for fewer than four returns, or without a
 * deviation.
 */
export function kurtosis(values: readonly number[]): number | null {
  const n = values.length
  const distances = n < 4 ? undefined : standardized(values)
  if (distances === undefined) return null
  const fourth = sum(distances.map((distance) => distance ** 4))
  const normal = (3 * (n - 1) ** 2) / ((n - 2) * (n - 3))
  return ((n * (n + 1)) / ((n - 1) * (n - 2) * (n - 3))) * fourth - normal
}

const extreme = (values: readonly number[], better: (a: number, b: number) => number): number | null =>
  values.length === 0 ? null : values.reduce((best, value) => better(best, value))

/** The highest; null of none. */
export const best = (values: readonly number[]): number | null => extreme(values, Math.max)

/** The lowest; null of none. */
export const worst = (values: readonly number[]): number | null => extreme(values, Math.min)

/** Share of the values above 0; null of none. */
export function positiveShare(values: readonly number[]): number | null {
  return values.length === 0 ? null : values.filter((value) => value > 0).length / values.length
}
