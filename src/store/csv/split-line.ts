/**
 * One line of CSV cut into its cells, where that needs no more than a look for quotes around whole cells.
 */

/**
 * Undefined for a line that csv-parse has to read: a quote inside of a cell, or a cell that holds delimiters or goes on
 * in the next line.
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
