/**
 * Total return of a run: its gain as a fraction of the equity that it began with.
 */

/**
 * final / initial - 1, from the exact difference.
 *
 * @param initial  equity at the start, and
 * @param final    at the end, in units of one scale; any size and sign
 * @returns        a fraction, 0.0123 for 1.23 percent; null when the run began without equity
 */
export function totalReturn(initial: bigint, final: bigint): number | null {
  return initial > 0n ? Number(final - initial) / Number(initial) : null
}
