/** Order of scores: a missing score ranks below every score. */

/** Comparator, below 0 if the first is worse. Equal infinities are equal. */
export function comparedScores(a: number | null, b: number | null): number {
  const [first, second] = [a ?? -Infinity, b ?? -Infinity]
  if (first === second) return 0
  return first < second ? -1 : 1
}
