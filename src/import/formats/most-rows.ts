/**
 * The rows of a sample that have a form in common: one that is wrong is told with its line once the others have shown
 * what they are.
 */

/** Of three rows two tell what they are; of more than thirty all but a tenth do. */
const isMost = (count: number, of: number): boolean => count * 10 >= of * (of > 30 ? 9 : 6.6)

/**
 * All of them, else those that fit on their own and then together, where these are most; undefined where they are not.
 */
export function mostThatFit<Row>(
  rows: readonly Row[],
  fits: (rows: readonly Row[]) => boolean,
): readonly Row[] | undefined {
  if (fits(rows)) return rows
  const fitting = rows.filter((row) => fits([row]))
  return fitting.length > 0 && isMost(fitting.length, rows.length) && fits(fitting) ? fitting : undefined
}
