/**
 * A list for people, in lines that fit.
 */
import { cutToWidth, wrapPieces } from '../terminal-text.ts'

/** Columns reserved for `, and 999999 more` after a single item. */
const MORE_WIDTH = 17

/**
 * Items separated by commas; those that find no room are counted at the end as `and n more`.
 *
 * @param items  one that is longer than about a line is cut
 * @param width  columns of a line, at least 20
 * @returns      at most `maxLines` lines, maxLines >= 1
 */
export function itemLines(items: readonly string[], width: number, maxLines: number): string[] {
  const short = items.map((item) => cutToWidth(item, items.length > 1 ? width - MORE_WIDTH : width))
  for (let shown = items.length; shown > 0; shown -= 1) {
    const lines = commaLines(short.slice(0, shown), items.length - shown, width)
    if (lines.length <= maxLines) return lines
  }
  return []
}

function commaLines(items: readonly string[], missing: number, width: number): string[] {
  const all = missing === 0 ? items : [...items, `and ${missing} more`]
  return wrapPieces(
    all.map((item, index) => (index < all.length - 1 ? `${item},` : item)),
    width,
  )
}
