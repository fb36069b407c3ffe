/**
 * The beginning of a file of separated values, cut into lines and cells, to see what it is.
 */
import { splitLine } from '../csv/split-line.ts'

export interface CsvSample {
  readonly delimiter: string
  /** Lines before the header, or before the first row. */
  readonly skippedLines: number
  readonly hasBlanks: boolean
  /** Cells of the lines behind these; those that need more than a look are left out. */
  readonly records: readonly (readonly string[])[]
}

const DELIMITERS = [',', ';', '\t', '|'] as const
/** Looked at. */
const MOST_LINES = 400

/** A link, as the files of a collector begin; a comment; the line by which a spreadsheet is told the delimiter. */
const NO_ROW = /^(?:https?:\/\/\S*|#.*|"?sep=.?"?)$/i

/** @param text  whole lines, without a byte order mark */
export function csvSample(text: string): CsvSample {
  const lines = text.split(/\r?\n/).slice(0, MOST_LINES)
  let skippedLines = 0
  while (NO_ROW.test((lines[skippedLines] ?? 'x').replace(/[,;]+$/, ''))) skippedLines += 1
  const rows = lines.slice(skippedLines).filter((line) => line.trim() !== '')
  const delimiter = delimiterOf(rows)
  const cells = rows.map((line) => splitLine(line, delimiter, false))
  const hasBlanks = rows.some((line) => cellsWithBlanks(line, delimiter))
  return {
    delimiter,
    skippedLines,
    hasBlanks,
    records: (hasBlanks ? rows.map((line) => splitLine(line, delimiter, true)) : cells).filter(
      (record) => record !== undefined,
    ),
  }
}

const cellsWithBlanks = (line: string, delimiter: string): boolean =>
  line.split(delimiter).some((cell) => cell !== '' && cell !== cell.trim())

/** The one by which most lines have the same number of cells, two at least; a comma where none has. */
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
