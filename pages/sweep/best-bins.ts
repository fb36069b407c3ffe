/**
 * The bests on shuffled tapes, counted in bins of one width.
 *
 * Invariant: what is found on the recorded tape is an edge, so that no bin has both what is as good and what is not.
 */

export interface BestBin {
  /**
   * The end that is worse, and the one that is better. What lies on an edge is in the bin that is better from there.
   */
  readonly from: number
  readonly to: number
  /** Those that are in it, rising. */
  readonly bests: readonly number[]
  /** True for results at least as good as on the recorded tape. */
  readonly isAsGood: boolean
}

/** Few of few would hide where in a bin its one best lies. */
const [MIN_BINS, MAX_BINS] = [16, 60]

/**
 * @param bests     rising
 * @param recorded  null where there is none: then nothing is as good
 * @returns the worst first, none that is empty
 */
export function bestBins(
  bests: readonly number[],
  recorded: number | null,
  better: 'higher' | 'lower',
): readonly BestBin[] {
  const direction = better === 'higher' ? 1 : -1
  const [least = 0, most = 0] = [bests[0], bests.at(-1)]
  // By the rule of Rice: 20 of 1 000.
  const count = Math.min(MAX_BINS, Math.max(MIN_BINS, Math.ceil(2 * Math.cbrt(bests.length))))
  const step = (most - least) / count || Math.abs(most) / 100 || 0.01
  const edge = recorded ?? least
  const bins = new Map<number, number[]>()
  for (const best of bests) {
    const place = Math.floor((direction * (best - edge)) / step)
    const known = bins.get(place)
    if (known === undefined) bins.set(place, [best])
    else known.push(best)
  }
  const rising = [...bins].toSorted(([a], [b]) => a - b)
  return rising.map(([place, found]) => ({
    from: edge + direction * place * step,
    to: edge + direction * (place + 1) * step,
    bests: found,
    isAsGood: recorded !== null && place >= 0,
  }))
}
