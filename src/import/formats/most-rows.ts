/**
 * Majority of the rows of a sample that share a format, so that a bad row is reported with its line instead of hiding
 * the format.
 */

/** Required majority: two of three rows; 90 % above thirty rows. */
const isMost = (count: number, of: number): boolean => count * 10 >= of * (of > 30 ? 9 : 6.6)

/**
 * All rows if they fit, otherwise those that fit individually and together, if they are the majority; undefined if not.
 */
export function mostThatFit<Row>(
  rows: readonly Row[],
  fits: (rows: readonly Row[]) => boolean,
): readonly Row[] | undefined {
  if (fits(rows)) return rows
  const fitting = rows.filter((row) => fits([row]))
  return fitting.length > 0 && isMost(fitting.length, rows.length) && fits(fitting) ? fitting : undefined
}
