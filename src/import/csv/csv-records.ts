/**
 * Reads lines with quotes, with csv-parse.
 *
 * Invariant: a record reaches the intake before any later fault is reported.
 */
import { CsvError, Parser } from 'csv-parse'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import type { Reading } from './reading.ts'
import type { RecordIntake } from './row-intake.ts'
import type { RowSink } from './row-sink.ts'
import { MAX_LINE_BYTES } from './whole-lines.ts'

/**
 * csv-parse with a separate record buffer: on an error a stream discards unread records, and its own callback for
 * records costs more than the parsing.
 */
class RecordParser extends Parser {
  #records: (readonly string[])[] = []

  override push(record: readonly string[] | null): boolean {
    if (record !== null) this.#records.push(record)
    return true
  }

  /** The records since the last time. */
  takeRecords(): readonly (readonly string[])[] {
    const records = this.#records
    this.#records = []
    return records
  }
}

export class CsvRecords {
  readonly #file: string
  readonly #parser: RecordParser
  /** Line on which the next record begins. */
  #line: number
  #nextLine: number
  #error: Error | undefined

  /** @param firstLine  number of the first line that will be read */
  constructor(file: string, firstLine: number, { delimiter, hasBlanks }: Pick<Reading, 'delimiter' | 'hasBlanks'>) {
    this.#file = file
    this.#line = firstLine
    this.#nextLine = firstLine
    this.#parser = new RecordParser({
      delimiter: String.fromCharCode(delimiter),
      trim: hasBlanks,
      record_delimiter: ['\r\n', '\n'],
      relax_column_count: true,
      max_record_size: MAX_LINE_BYTES,
    })
    this.#parser.on('error', (error) => (this.#error = error))
  }

  /** Number of the first line that was not read. */
  get nextLine(): number {
    return this.#nextLine
  }

  /**
   * Yields the sink whenever its block is full.
   *
   * @param lines  sound text, whole lines
   */
  async *read(lines: Buffer, intake: RecordIntake): AsyncGenerator<RowSink, void, undefined> {
    // It keeps what might go on, and the lines are good until the next ones.
    await new Promise<void>((resolve) => this.#parser.write(Buffer.from(lines), () => resolve()))
    yield* this.#handOn(intake)
    for (let at = lines.indexOf(LINE_FEED); at >= 0; at = lines.indexOf(LINE_FEED, at + 1)) this.#nextLine += 1
  }

  /**
   * Call after the last line, because csv-parse buffers an incomplete record.
   *
   * @param isComplete  false if the file continues but cannot be read further; then a quote need not be closed
   */
  async *end(intake: RecordIntake, isComplete: boolean): AsyncGenerator<RowSink, void, undefined> {
    await new Promise<void>((resolve) => this.#parser.end(() => resolve()))
    if (!isComplete && this.#error instanceof CsvError && this.#error.code === QUOTE_NOT_CLOSED) this.#error = undefined
    yield* this.#handOn(intake)
  }

  *#handOn(intake: RecordIntake): Generator<RowSink, void, undefined> {
    for (const record of this.#parser.takeRecords()) {
      if (intake.sink?.isFull === true) yield intake.sink
      intake.add(record, this.#line, undefined)
      // Inside a record, line feeds occur only in cells.
      for (const cell of record) if (cell.includes('\n')) this.#line += cell.split('\n').length - 1
      this.#line += 1
    }
    if (this.#error !== undefined) throw asInputError(`${this.#file}:${this.#line}`, this.#error)
  }
}

const QUOTE_NOT_CLOSED = 'CSV_QUOTE_NOT_CLOSED'

const EXPECTED: Readonly<Record<string, string>> = {
  CSV_INVALID_CLOSING_QUOTE: 'a comma or the end of the line after a closing quote, got something else',
  [QUOTE_NOT_CLOSED]: 'a closing quote, got the end of the file',
  INVALID_OPENING_QUOTE: 'quotes only around a whole cell, got one inside',
  CSV_MAX_RECORD_SIZE: `a row of at most ${MAX_LINE_BYTES} bytes, got a longer one: is a quote not closed?`,
}

function asInputError(line: string, error: Error): InputError {
  if (!(error instanceof CsvError)) return new InputError(line, `expected CSV (${error.message})`, { cause: error })
  const where = typeof error.column === 'number' ? `${line}:${error.column + 1}` : line
  const expected = EXPECTED[error.code] ?? `CSV (${error.message})`
  return new InputError(where, `expected ${expected}`, { cause: error })
}
