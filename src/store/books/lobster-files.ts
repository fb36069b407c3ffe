/**
 * The two files of a LOBSTER recording, row by row together.
 */
import { InputError } from '../../domain/errors.ts'
import type { ByteWatch } from '../../import/file-bytes.ts'
import { recordingBytes } from '../../import/formats/recording-bytes.ts'
import type { BookEvent } from './book-event.ts'
import type { BookTally } from './book-tally.ts'
import { csvBookRows } from './csv-book-rows.ts'
import { Lobster, lobsterBook } from './lobster.ts'

/**
 * @param file      the message file; the book file is next to it
 * @param messages  its bytes
 * @param watchOf   watch for the book file
 * @throws {InputError} if the files differ in their number of rows, or at the first invalid row
 */
export async function* lobsterEvents(
  file: string,
  messages: AsyncIterable<Buffer>,
  tally: BookTally,
  watchOf: (file: string) => ByteWatch,
): AsyncGenerator<BookEvent, void, undefined> {
  const lobster = new Lobster(file, tally)
  const bookFile = lobsterBook(file)
  const { chunks } = await recordingBytes(bookFile, watchOf(bookFile))
  const books = csvBookRows(bookFile, chunks)
  try {
    let line = 0
    for await (const message of csvBookRows(file, messages)) {
      line = message.line
      const book = await books.next()
      if (book.done === true) throw new InputError(`${bookFile}:${line}`, `expected a row for each of ${file}, got the end of the file`) // prettier-ignore
      yield* lobster.read(message, book.value)
    }
    const more = await books.next()
    if (more.done !== true) throw new InputError(`${file}:${line + 1}`, `expected a row for each of ${bookFile}, got the end of the file`) // prettier-ignore
  } finally {
    await books.return()
  }
}
