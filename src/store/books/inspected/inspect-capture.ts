/**
 * First pass over a recording for a replay: a tape, and for a capture of Binance's streams also its book and quotes.
 *
 * Known limit: a capture that has only trades in its first 400 messages is read as a tape of trades.
 */
import { InputError } from '../../../domain/errors.ts'
import { beginningOf } from '../../../import/formats/beginning.ts'
import { recordingBytes } from '../../../import/formats/recording-bytes.ts'
import { splitLine } from '../../../import/csv/split-line.ts'
import { jsonElements } from '../../../import/json/json-elements.ts'
import type { JsonValue } from '../../../import/json/json-value.ts'
import type { BookTapeSource, TapeSource } from '../../../import/tape-source.ts'
import type { InspectedTape } from '../../tapes/inspected-tape.ts'
import { inspectTape } from '../../tapes/inspect-tape.ts'
import { reportsBooks } from '../binance-capture.ts'
import { isBookHeader } from '../csv-books.ts'
import { reportsOfBooks } from '../json-books.ts'
import { isLobster } from '../lobster.ts'
import { isJsonStart } from '../read-books.ts'
import { inspectBooks, type BookRecordingOptions } from './inspect-books.ts'
import type { InspectedBook } from './inspected-book.ts'

/** A tape with the books recorded in the same file. */
export interface TapeWithBooks {
  readonly tape: InspectedTape
  readonly books: readonly InspectedBook[]
}

/** Messages sampled. */
const SAMPLE = 400

/** Source settings that force reading the file as rows of trades or candles, whatever else it contains. */
const FOR_ROWS = [
  'columns',
  'dialect',
  'timeUnit',
  'zone',
  'dateOrder',
  'sort',
  'precision',
  'candleTime',
  'candleInterval',
  'candleClose',
  'volume',
] as const

const isSaidToBeRows = (source: TapeSource): boolean =>
  FOR_ROWS.some((name) => source[name] !== undefined && source[name] !== false)

/**
 * Reads a file from beginning to end, in one pass if it contains more than a tape.
 *
 * @throws {InputError} at the first invalid row, or naming the file or the setting
 * @throws {AbortError} when `signal` is aborted
 */
export async function inspectCapture(source: TapeSource, options: BookRecordingOptions = {}): Promise<TapeWithBooks> {
  if (isSaidToBeRows(source) || !(await isCaptureOfBooks(source.file)))
    return { tape: await inspectTape(source, options), books: [] }
  return await inspectWithBooks(source, source, options)
}

/**
 * Reads both the trades and the books of a file.
 *
 * @param depth  the same file as a source of books
 * @throws {InputError} as `inspectCapture` does
 */
export async function inspectWithBooks(
  source: TapeSource,
  depth: BookTapeSource,
  options: BookRecordingOptions = {},
): Promise<TapeWithBooks> {
  const { trades, ...found } = await inspectBooks(depth, options)
  const books = [found.depth, found.quotes].filter((book) => book !== undefined)
  // Trades of another form, such as those of Binance that are put together, are read as a tape is.
  return { tape: trades === undefined ? await inspectTape(source, options) : { ...trades, source }, books }
}

/** True for a recording of a book or of quotes in any form, by its beginning, that is not said to be of rows. */
export async function isOfBooks(source: TapeSource): Promise<boolean> {
  const { file } = source
  if (isSaidToBeRows(source)) return false
  return isLobster(file) || (await begins(file, (beginning, all) => reportsAny(file, beginning, all)))
}

async function reportsAny(file: string, beginning: Buffer, all: AsyncIterable<Buffer>): Promise<boolean> {
  if (isJsonStart(beginning)) return await someReports(file, all, reportsOfBooks)
  const [header = ''] = beginning.toString('utf8').split(/\r?\n/, 1)
  return isBookHeader(splitLine(header.replace(/^\ufeff/, ''), ',', false) ?? [])
}

const isCaptureOfBooks = (file: string): Promise<boolean> =>
  begins(file, async (beginning, all) => isJsonStart(beginning) && (await someReports(file, all, reportsBooks)))

async function begins(
  file: string,
  isSo: (beginning: Buffer, all: AsyncIterable<Buffer>) => Promise<boolean>,
): Promise<boolean> {
  try {
    const { chunks } = await recordingBytes(file, { onBytes: () => undefined })
    const { beginning, all } = await beginningOf(chunks)
    try {
      return await isSo(beginning, all)
    } finally {
      await all.return()
      await chunks.return()
    }
  } catch (error) {
    // Reported by the pass that reads it.
    if (error instanceof InputError) return false
    throw error
  }
}

async function someReports(
  file: string,
  chunks: AsyncIterable<Buffer>,
  reports: (value: JsonValue) => boolean,
): Promise<boolean> {
  let seen = 0
  for await (const { value } of jsonElements(file, chunks)) {
    if (reports(value)) return true
    seen += 1
    if (seen === SAMPLE) return false
  }
  return false
}
