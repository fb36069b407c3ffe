/**
 * The first index from `start` up to `end`, exclusive, from which on a condition holds; `end` where it holds nowhere.
 *
 * @param holds  once it holds, it holds for every index behind
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
