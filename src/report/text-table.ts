/** A table of text, each column as wide as its widest cell. */
import { alignedNumbers } from './aligned-numbers.ts'
import { printable, textWidth } from './terminal-text.ts'

/**
 * @param rows     as many cells as the heading
 * @param numbers  headings of columns whose decimal points stand below each other
 * @returns        lines without their ends, the heading first
 */
export function textTable(
  heading: readonly string[],
  rows: readonly (readonly string[])[],
  numbers: ReadonlySet<string>,
): readonly string[] {
  const plain = [heading, ...rows].map((row) => row.map(printable))
  const columns = heading.map((title, column) => {
    const cells = plain.map((row) => row[column] ?? '')
    if (numbers.has(title)) return alignedNumbers(cells)
    const width = Math.max(...cells.map(textWidth))
    return cells.map((cell) => `${cell}${' '.repeat(width - textWidth(cell))}`)
  })
  return plain.map((_, row) =>
    columns
      .map((cells) => cells[row] ?? '')
      .join('  ')
      .trimEnd(),
  )
}
