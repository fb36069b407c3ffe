/**
 * The order of scores: what has none is worse than all that have one.
 */

/** Below 0 where the first is worse. Infinities that are equal are equal. */
export function comparedScores(a: number | null, b: number | null): number {
  const [first, second] = [a ?? -Infinity, b ?? -Infinity]
  if (first === second) return 0
  return first < second ? -1 : 1
}
