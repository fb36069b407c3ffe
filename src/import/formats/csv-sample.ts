/** The first lines of a delimited file, split into cells, for format detection. */
import { splitLine } from '../csv/split-line.ts'

export interface CsvSample {
  readonly delimiter: string
  /** Number of lines before the header, or before the first row. */
  readonly skippedLines: number
  readonly hasBlanks: boolean
  /** Cells of the following lines, without records that span several lines. */
  readonly records: readonly (readonly string[])[]
}

const DELIMITERS = [',', ';', '\t', '|'] as const
/** Maximum number of lines examined. */
const MAX_LINES = 400

/** A link, as in files of a collector; a comment; the delimiter line of a spreadsheet. */
const NO_ROW = /^(?:https?:\/\/\S*|#.*|"?sep=.?"?)$/i

/** @param text  whole lines, without a byte order mark */
export function csvSample(text: string): CsvSample {
  const lines = text.split(/\r?\n/).slice(0, MAX_LINES)
  let skippedLines = 0
  while (NO_ROW.test((lines[skippedLines] ?? 'x').replace(/[,;]+$/, ''))) skippedLines += 1
  const rows = lines.slice(skippedLines).filter((line) => line.trim() !== '')
  const delimiter = delimiterOf(rows)
  const hasBlanks = rows.some((line) => cellsWithBlanks(line, delimiter))
  return {
    delimiter,
    skippedLines,
    hasBlanks,
    records: rows
      .map((line) => splitLine(line, delimiter, hasBlanks) ?? quotedCells(line, delimiter, hasBlanks))
      .filter((record) => record !== undefined),
  }
}

/** Cells of a line with quoted delimiters; undefined for more complicated quoting. */
function quotedCells(line: string, delimiter: string, hasBlanks: boolean): readonly string[] | undefined {
  const cells: string[] = []
  let isWithin = false
  for (const part of line.split(delimiter)) {
    cells.push(isWithin ? `${cells.pop() ?? ''}${delimiter}${part}` : part)
    if ((part.split('"').length - 1) % 2 === 1) isWithin = !isWithin
  }
  const bare = cells.map((cell) => (hasBlanks ? cell.trim() : cell)).map((cell) => cell.replace(/^"([^"]*)"$/, '$1'))
  return isWithin || bare.some((cell) => cell.includes('"')) ? undefined : bare
}

const cellsWithBlanks = (line: string, delimiter: string): boolean =>
  line.split(delimiter).some((cell) => cell !== '' && cell !== cell.trim())

/** The delimiter by which most lines have the same number of cells, at least two; otherwise a comma. */
function delimiterOf(rows: readonly string[]): string {
  let best: { readonly delimiter: string; readonly share: number; readonly cells: number } | undefined
  for (const delimiter of DELIMITERS) {
    const cells = rows[0]?.split(delimiter).length ?? 1
    if (cells < 2) continue
    const share = rows.filter((line) => line.split(delimiter).length === cells).length / rows.length
    if (best === undefined || share > best.share) best = { delimiter, share, cells }
  }
  return best?.delimiter ?? ','
}
