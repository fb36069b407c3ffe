/** Rows of a recording of books in CSV, with the cells of its columns by name, and their places. */
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { splitLine } from '../../import/csv/split-line.ts'
import { lineFault, wholeLines } from '../../import/csv/whole-lines.ts'

export interface CsvRow {
  readonly file: string
  readonly line: number
  readonly cells: readonly string[]
}

/** `file:line`. */
export const whereOf = ({ file, line }: CsvRow): string => `${file}:${line}`

/**
 * Error for an invalid cell, to be thrown.
 *
 * @param column  from 0
 */
export const cellError = ({ file, line, cells }: CsvRow, column: number, expected: string): InputError =>
  new InputError(`${file}:${line}:${column + 1}`, `expected ${expected}, got '${escapedExcerpt(cells[column] ?? '')}'`)

/**
 * The rows of a file, including its header if it has one; empty lines at its end are skipped.
 *
 * Known limit: cells are separated by commas, and none contains one.
 *
 * @throws {InputError} naming the line, if its number of cells differs from the first's, or it is no text
 */
export async function* csvBookRows(
  file: string,
  chunks: AsyncIterable<Buffer>,
): AsyncGenerator<CsvRow, void, undefined> {
  let line = 0
  let columns: number | undefined
  let emptyLine: number | undefined
  for await (const piece of wholeLines(file, chunks)) {
    for (let start = 0; start < piece.length;) {
      const end = piece.indexOf(LINE_FEED, start)
      line += 1
      const fault = lineFault(piece, start)
      if (fault !== undefined) throw new InputError(`${file}:${line}`, fault)
      const text = piece.toString('utf8', start, end).replace(/\r$/, '')
      start = end + 1
      if (text === '') {
        emptyLine ??= line
        continue
      }
      if (emptyLine !== undefined) throw new InputError(`${file}:${emptyLine}`, 'expected a row, got an empty line')
      const cells = splitLine(text, ',', false)
      if (cells === undefined) throw new InputError(`${file}:${line}`, 'expected quotes around whole cells only')
      columns ??= cells.length
      if (cells.length !== columns)
        throw new InputError(`${file}:${line}`, `expected ${columns} columns, got ${cells.length}`)
      yield { file, line, cells }
    }
  }
}
