/**
 * Compensated float sums, and the mean, deviation and quantiles computed from them. The order of the values does not
 * affect a sum.
 *
 * Neumaier's method: the rounding error of each addition is summed separately and added at the end.
 */

/** A deviation below this share of the largest value is rounding, and counts as none. */
const ROUNDING = 1e-12

/**
 * A running sum.
 *
 * @see Neumaier (1974), Rundungsfehleranalyse einiger Verfahren zur Summation endlicher Summen
 */
export class FloatSum {
  #total = 0
  #lost = 0

  add(value: number): void {
    const total = this.#total
    const next = total + value
    this.#lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    this.#total = next
  }

  get value(): number {
    return this.#total + this.#lost
  }
}

export function sum(values: readonly number[]): number {
  // FloatSum in two variables, here and below: intervals need thousands of such sums, and take four times as long with an object.
  let [total, lost] = [0, 0]
  for (const value of values) {
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}

/** Arithmetic mean; null of no values. */
export function mean(values: readonly number[]): number | null {
  return values.length === 0 ? null : sum(values) / values.length
}

/**
 * Sum of the products of the values' distances from their means; both lists are of one length.
 *
 * @param center  mean of the values
 */
export function comoment(values: readonly number[], others: readonly number[], center = mean(values) ?? 0): number {
  const otherCenter = others === values ? center : (mean(others) ?? 0)
  let [total, lost] = [0, 0]
  for (let index = 0; index < values.length; index += 1) {
    const value = ((values[index] ?? center) - center) * ((others[index] ?? otherCenter) - otherCenter)
    const next = total + value
    lost += Math.abs(total) >= Math.abs(value) ? total - next + value : value - next + total
    total = next
  }
  return total + lost
}

/**
 * Sample standard deviation, with n - 1.
 *
 * @param center  mean of the values
 * @returns null for fewer than two values; 0 if they differ by no more than rounding
 */
export function deviation(values: readonly number[], center = mean(values) ?? 0): number | null {
  if (values.length < 2) return null
  const spread = Math.sqrt(comoment(values, values, center) / (values.length - 1))
  let largest = 0
  for (const value of values) largest = Math.max(largest, Math.abs(value))
  return spread <= largest * ROUNDING ? 0 : spread
}

/** Pearson's, of two lists of one length; null if the values of one are all alike, or without two of them. */
export function correlation(values: readonly number[], others: readonly number[]): number | null {
  const spread = (deviation(values) ?? 0) * (deviation(others) ?? 0) * (values.length - 1)
  return spread === 0 || !Number.isFinite(spread) ? null : comoment(values, others) / spread
}

/**
 * Quantile, linear between order statistics: type 7 of Hyndman and Fan (1996), Sample Quantiles in Statistical
 * Packages.
 *
 * @param ascending  values in ascending order, at least one
 * @param share      in [0, 1]
 */
export function quantile(ascending: readonly number[], share: number): number {
  const place = (ascending.length - 1) * share
  const below = Math.floor(place)
  const low = ascending[below] ?? 0
  return low + (place - below) * ((ascending[below + 1] ?? low) - low)
}

export const ascending = (values: readonly number[]): readonly number[] => values.toSorted((a, b) => a - b)
