/**
 * Sums over the rest of a column: what a window that slides out of a block still has of it.
 *
 * A window of n inputs is the end of one block of n and the beginning of the next. With the sums of all ends of the
 * first, and a sum of what has come since, its sum is one addition: nothing is ever subtracted again, so that no
 * rounding error outlives its inputs, and each input is summed twice, whatever n is.
 */

/** Replaces each cell by the sum of the distances of it and all behind it to `anchor`. */
export function sumBackwards(cells: Float64Array, anchor = 0): void {
  let sum = 0
  for (let index = cells.length - 1; index >= 0; index -= 1) {
    sum += (cells[index] ?? 0) - anchor
    cells[index] = sum
  }
}
