/** Splits one line of CSV into its cells, if quotes occur only around whole cells. */

/**
 * Undefined for a line that csv-parse has to read: a quote inside a cell, or a cell that contains delimiters or
 * continues on the next line.
 *
 * @param delimiter  one character
 * @param hasBlanks  blanks around a cell, and around its quotes, are not part of it
 */
export function splitLine(line: string, delimiter: string, hasBlanks: boolean): readonly string[] | undefined {
  const cells = line.split(delimiter)
  const trimmed = hasBlanks ? cells.map((cell) => cell.trim()) : cells
  if (!line.includes('"')) return trimmed
  const bare: string[] = []
  for (const cell of trimmed) {
    if (!cell.includes('"')) bare.push(cell)
    else if (isQuoted(cell)) bare.push(cell.slice(1, -1))
    else return undefined
  }
  return bare
}

const isQuoted = (cell: string): boolean =>
  cell.length >= 2 && cell.startsWith('"') && cell.indexOf('"', 1) === cell.length - 1
