/**
 * Format of recorded books: converts the rows of a recording to events.
 *
 * A format keeps its state between rows, also from one file to the next of the same recording.
 */
import type { JsonValue } from '../../import/json/json-value.ts'
import type { BookEvent } from './book-event.ts'
import type { CsvRow } from './csv-book-rows.ts'
import type { JsonMessage } from './json-cells.ts'

export interface JsonBookFormat {
  /** Display name. */
  readonly name: string
  /** True for a message that no other format has. */
  readonly knows: (value: JsonValue) => boolean
  /** @throws {InputError} naming its line, when it is wrong */
  read(message: JsonMessage): Iterable<BookEvent>
  /** Yields the buffered events. */
  end(): Iterable<BookEvent>
}

export interface CsvBookFormat {
  /**
   * @param row  after the header
   * @throws {InputError} naming its line, when it is invalid
   */
  read(row: CsvRow): Iterable<BookEvent>
  /** Yields the buffered events. */
  end(): Iterable<BookEvent>
}
