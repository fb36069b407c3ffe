/** Points that no other point beats in every objective. */

/** Whether higher or lower values of an objective are better. */
export type Direction = 'maximize' | 'minimize'

/**
 * Indices of the points that none is at least as good as in all objectives and better than in one; equal points are all
 * in it.
 *
 * @param points      one value an objective; a point that lacks one is left out
 * @param directions  one an objective
 * @returns ascending
 * @see Pareto (1906), Manuale di economia politica
 */
export function paretoFront(
  points: readonly (readonly (number | null)[])[],
  directions: readonly Direction[],
): readonly number[] {
  const candidates = points.flatMap((values, index) => {
    const known = values.filter((value) => value !== null)
    if (known.length < values.length) return []
    return [{ index, goods: known.map((value, axis) => (directions[axis] === 'minimize' ? -value : value)) }]
  })
  // Sorted so that every point comes after the points that dominate it.
  candidates.sort((one, other) => compared(other.goods, one.goods))
  const front: typeof candidates = []
  for (const candidate of candidates) {
    if (!front.some((member) => isBeaten(candidate.goods, member.goods))) front.push(candidate)
  }
  return front.map(({ index }) => index).sort((one, other) => one - other)
}

/** Lexicographic order: decided by the first objective that differs. */
function compared(one: readonly number[], other: readonly number[]): number {
  for (const [axis, good] of one.entries()) {
    const difference = good - (other[axis] ?? good)
    if (difference !== 0) return difference
  }
  return 0
}

const isBeaten = (goods: readonly number[], by: readonly number[]): boolean =>
  goods.every((good, axis) => (by[axis] ?? good) >= good) && goods.some((good, axis) => (by[axis] ?? good) > good)
