/**
 * Suffix sums of a column: the rest of a block while a window slides out of it.
 *
 * A window of n inputs is the end of one block of n and the beginning of the next. With the suffix sums of the first,
 * and a running sum of the second, its sum is one addition: nothing is ever subtracted, so that no rounding error
 * outlives its inputs, and each input is summed twice, whatever n is.
 */

/** Replaces each cell by its suffix sum of distances to `anchor`. */
export function sumBackwards(cells: Float64Array, anchor = 0): void {
  let sum = 0
  for (let index = cells.length - 1; index >= 0; index -= 1) {
    sum += (cells[index] ?? 0) - anchor
    cells[index] = sum
  }
}
