/**
 * Binary search: the first index in [`start`, `end`) for which a condition holds; `end` if there is none.
 *
 * @param holds  monotonic: once true, true for every later index
 */
export function firstIndex(start: number, end: number, holds: (index: number) => boolean): number {
  let [low, high] = [start, end]
  while (low < high) {
    const middle = (low + high) >>> 1
    if (holds(middle)) high = middle
    else low = middle + 1
  }
  return low
}
