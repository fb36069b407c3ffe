/**
 * Probability that chance does as well as a best that was seen.
 */

/**
 * Share of the bests of chance that are as good as a best, itself counted among them: (k + 1) / (N + 1).
 *
 * @param best   the higher, the better
 * @param nulls  the best of the same search on each of N markets without anything to find
 * @returns in (0, 1]; null without any
 * @see Phipson and Smyth (2010), Permutation P-values Should Never Be Zero; Davison and Hinkley (1997), Bootstrap
 * Methods and their Application
 */
export function pValue(best: number, nulls: readonly number[]): number | null {
  if (nulls.length === 0) return null
  return (nulls.filter((value) => value >= best).length + 1) / (nulls.length + 1)
}
