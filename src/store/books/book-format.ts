/**
 * A format of recorded books: it takes the rows of a recording as they stand, and tells what they come to.
 *
 * A format keeps what it has to know between rows, also from one file to the next of the same recording.
 */
import type { JsonValue } from '../json/json-value.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvRow } from './csv-book-rows.ts'
import type { JsonMessage } from './json-cells.ts'

export interface JsonBookFormat {
  /** For people. */
  readonly name: string
  /** True for a message that no other format has. */
  readonly knows: (value: JsonValue) => boolean
  /** @throws {InputError} naming its line, when it is wrong */
  read(message: JsonMessage): Iterable<BookEvent>
  /** What was held back. */
  end(): Iterable<BookEvent>
}

export interface CsvBookFormat {
  /** @param row  behind the header @throws {InputError} naming its line, when it is wrong */
  read(row: CsvRow): Iterable<BookEvent>
  /** What was held back. */
  end(): Iterable<BookEvent>
}
