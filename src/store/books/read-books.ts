/**
 * Recorded books, quotes and trades of one market, read from the files of a recording: their format is seen from their
 * beginning.
 *
 * The files follow each other as one recording, and sequences go on from one to the next.
 * Invariant: the parts of each kind never go back in time, and a frame is never cut.
 */
import { InputError } from '../../domain/errors.ts'
import type { ByteWatch } from '../../import/file-bytes.ts'
import { beginningOf } from '../../import/formats/beginning.ts'
import { recordingBytes } from '../../import/formats/recording-bytes.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import { BookColumns, type BookPart } from './book-columns.ts'
import type { BookEnd, BookEvent } from './book-event.ts'
import { BookTally } from './book-tally.ts'
import { csvBookRows } from './csv-book-rows.ts'
import { CsvBooks } from './csv-books.ts'
import { JsonBooks } from './json-books.ts'
import { isLobster, Lobster, lobsterBook } from './lobster.ts'
import { MatchingOrder } from './matching-order.ts'
import { OneMarket } from './one-market.ts'

/**
 * @param file      the message file; the book file is next to it
 * @param messages  its bytes
 * @param watchOf   watch for the book file
 * @throws {InputError} if the files differ in their number of rows, or at the first invalid row
 */
async function* lobsterEvents(
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
      if (book.done === true)
        throw new InputError(`${bookFile}:${line}`, `expected a row for each of ${file}, got the end of the file`)
      yield* lobster.read(message, book.value)
    }
    const more = await books.next()
    if (more.done !== true)
      throw new InputError(`${file}:${line + 1}`, `expected a row for each of ${bookFile}, got the end of the file`)
  } finally {
    await books.return()
  }
}

/** A recording of books with its settings. */
export interface BookSource extends Partial<TapePrecisions> {
  /** Files, oldest first; for LOBSTER the message files, next to which are the book files. */
  readonly files: readonly string[]
  /** Market to select in a recording of several, as named in the recording. */
  readonly market?: string | undefined
  /** BASE_QUOTE: without `market`, selects the market whose name is a spelling of it. */
  readonly symbol?: string | undefined
  /** The end of the recording before, which this one may go on from; undefined for none. */
  readonly before?: BookEnd | undefined
}

/** Observer of the bytes of a file, as stored on disk. */
type WatchOf = (file: string) => ByteWatch

const UNWATCHED: ByteWatch = { onBytes: () => undefined }

export class BookReading {
  readonly tally = new BookTally()
  readonly #source: BookSource
  readonly #watchOf: WatchOf
  readonly #market: OneMarket
  readonly #json: JsonBooks
  readonly #csv: CsvBooks
  readonly #columns: BookColumns

  /** @param watchOf  of each file; each is read to its end */
  constructor(source: BookSource, watchOf: WatchOf = () => UNWATCHED) {
    this.#source = source
    this.#watchOf = watchOf
    this.#market = new OneMarket(this.tally, source.market, source.symbol)
    this.#json = new JsonBooks(this.tally, this.#market, source.before)
    this.#csv = new CsvBooks(this.tally, this.#market)
    this.#columns = new BookColumns(this.tally, source)
  }

  /** State of the book after all parts were read; undefined if it is not known, or updates have no ids. */
  get end(): BookEnd | undefined {
    const lastId = this.#json.knownId
    return lastId === undefined ? undefined : { lastId, ...this.#columns.levels() }
  }

  /** Name of the market in the recording, as far as it was read; undefined if it has none. */
  get market(): string | undefined {
    return this.#market.market
  }

  /**
   * Events of the recording in their order. Call it once.
   *
   * @throws {InputError} at the first invalid row
   */
  async *events(): AsyncGenerator<BookEvent, void, undefined> {
    for (const file of this.#source.files) {
      const { chunks } = await recordingBytes(file, this.#watchOf(file))
      const { beginning, all } = await beginningOf(chunks)
      try {
        const isJson = isJsonStart(beginning)
        if (isLobster(file)) yield* lobsterEvents(file, all, this.tally, this.#watchOf)
        else yield* (isJson ? this.#json : this.#csv).read(file, all)
      } finally {
        await all.return()
        await chunks.return()
      }
    }
    yield* this.#json.end()
    yield* this.#csv.end()
  }

  /**
   * The same in the order of the exchange's time, in columns. To be called once. @throws {InputError} as `events` does
   */
  async *parts(): AsyncGenerator<BookPart, void, undefined> {
    const order = new MatchingOrder(this.tally)
    const columns = this.#columns
    for await (const event of this.events()) {
      for (const next of order.add(event)) yield* columns.add(next)
    }
    for (const next of order.end()) yield* columns.add(next)
    yield* columns.end()
  }
}

/** JSON, optionally after the time of its receipt. */
const JSON_START = /^\ufeff?\s*(?:\d+ )?[[{]/
const MAX_BEFORE_JSON = 256

/** True for the beginning of a recording in JSON. */
export const isJsonStart = (beginning: Buffer): boolean =>
  JSON_START.test(beginning.subarray(0, MAX_BEFORE_JSON).toString())
