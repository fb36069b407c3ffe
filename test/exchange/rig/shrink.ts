/**
 * Fewer steps that still fail: takes away halves, then quarters, and so on down to single steps, until none can go.
 *
 * Known limit: steps are only taken away, never made simpler.
 */

/** So that a slow failure does not keep anyone waiting for long. */
const TRIES = 3_000
const STEPS = 500_000

/** @param fails  true for `steps`; called with fewer and fewer of them */
export function shrink<T>(steps: readonly T[], fails: (some: readonly T[]) => boolean): readonly T[] {
  let left = steps
  let tries = Math.min(TRIES, Math.ceil(STEPS / Math.max(1, steps.length)))
  const failsWithout = (from: number, to: number): boolean => {
    tries -= 1
    const fewer = left.toSpliced(from, to - from)
    if (tries < 0 || !fails(fewer)) return false
    left = fewer
    return true
  }
  let size = Math.ceil(steps.length / 2)
  while (size >= 1 && tries > 0) {
    const before = left.length
    for (let from = left.length - size; from > -size; from -= size) failsWithout(Math.max(0, from), from + size)
    if (left.length < before && size === 1) continue
    size = Math.floor(size / 2)
  }
  return left
}
