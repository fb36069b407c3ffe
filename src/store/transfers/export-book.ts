/**
 * Exports a recorded book or quotes as CSV, CSV.gz or `.tape` file, by file name.
 *
 * A book is written as `time,side,price,qty,snapshot`, with columns for single orders if they were recorded; quotes in
 * the format of Tardis. `--depth` and `import` read all of these. Invariant: the file is written under a temporary name
 * and renamed when it is complete.
 */
import { createWriteStream, existsSync } from 'node:fs'
import { rename, stat } from 'node:fs/promises'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createGzip } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'
import { formatTrimmed } from '../../domain/fixed-point.ts'
import type { BookTape, BookTapeInfo, DepthTape, QuoteTape } from '../../tape/book-tape.ts'
import { RecordedBook } from '../../tape/book/recorded-book.ts'
import type { TapePrecisions } from '../../tape/tape-precisions.ts'
import type { TapeWindow } from '../../tape/tape.ts'
import { inspectBooks } from '../books/inspected/inspect-books.ts'
import { inspectStoredBooks } from '../books/inspected/inspect-stored-books.ts'
import type { InspectedBook } from '../books/inspected/inspected-book.ts'
import { openBook } from '../books/inspected/open-book.ts'
import { longCsvHeader, LongCsvText } from '../books/long-csv-text.ts'
import type { BookTapeSource } from '../../import/tape-source.ts'
import { writeBookFile } from '../tapes/blocks/book-file.ts'
import { storedForm } from '../tapes/inspect-stored.ts'
import { BookSpool, openSpooledBook } from '../tapes/book-spool.ts'
import { MAX_SPOOL_BYTES } from '../tapes/block-spool.ts'
import { formOf, syncFile } from '../tapes/exports/export-file.ts'
import { asWriteFault } from '../../domain/write-fault.ts'
import { removePartial } from '../remove-partial.ts'
import { unfinished } from '../unfinished.ts'

export interface BookExport {
  readonly source: BookTapeSource
  readonly kind: BookTapeInfo['kind']
  readonly window: TapeWindow
  /** The extension selects the format: `.csv`, `.csv.gz` or `.tape`. */
  readonly file: string
  /** True to overwrite an existing file. */
  readonly isForced: boolean
  /** Whether a file without rows is written too. */
  readonly mayBeEmpty?: boolean
}

export interface ExportedBook extends TapePrecisions {
  readonly file: string
  readonly symbol: string
  readonly kind: BookTapeInfo['kind']
  readonly rows: number
  /** Size of the file. */
  readonly bytes: number
  /** Full sentences for the user: what the format cannot hold. */
  readonly notices: readonly string[]
}

const QUOTE_HEADER = 'timestamp,ask_amount,ask_price,bid_price,bid_amount'

/** @throws {InputError} naming the file or the setting; an existing file is then unchanged */
export async function exportBook({
  source,
  kind,
  window,
  file,
  isForced,
  mayBeEmpty = false,
}: BookExport): Promise<ExportedBook> {
  const form = formOf(file)
  if (form === 'parquet' || form === 'arrow')
    throw new InputError(file, 'expected a name that ends in .csv, .csv.gz or .tape for a book')
  if (!isForced && existsSync(file)) throw new InputError(file, 'exists already: pass --force to overwrite it')
  const inspected = await bookOf(source, kind)
  const tape = openBook(inspected, inspected.info)
  const partial = unfinished(`${file}.${process.pid}.partial`)
  const notices: string[] = []
  let rows = 0
  try {
    if (form === 'tape') rows = await writeBlocks(partial, tape, window)
    else {
      const header = kind === 'depth' ? longCsvHeader(inspected.info.reportsOrders) : QUOTE_HEADER
      const lines = countedLines(header, linesOf(tape, window, notices), (count) => (rows += count))
      const text = Readable.from(lines, { highWaterMark: 1 })
      const sink = createWriteStream(partial)
      await (form === 'gz' ? pipeline(text, createGzip(), sink) : pipeline(text, sink))
    }
    if (rows === 0 && !mayBeEmpty) throw new InputError(file, 'nothing was recorded in that time')
    await syncFile(partial)
    await rename(partial, file)
  } catch (error) {
    removePartial(partial)
    throw asWriteFault(file, error)
  }
  const { size: bytes } = await stat(file)
  const { symbol, gapCount, pricePrecision, qtyPrecision } = inspected.info
  if (form !== 'tape' && gapCount > 0) notices.push('CSV cannot hold gaps: export a .tape file to keep them.')
  return { file, symbol, kind, pricePrecision, qtyPrecision, rows, bytes, notices }
}

async function bookOf(source: BookTapeSource, kind: BookTapeInfo['kind']): Promise<InspectedBook> {
  const form = await storedForm(source.file)
  const found = form === undefined ? await inspectBooks(source) : undefined
  const books = form === undefined ? [found?.depth, found?.quotes] : inspectStoredBooks(source, form)
  const book = books.find((each) => each?.info.kind === kind)
  if (book !== undefined) return book
  throw new InputError(source.file, `has no ${kind} of ${source.symbol ?? 'its market'}`)
}

const isDepth = (tape: BookTape): tape is DepthTape => tape.info.kind === 'depth'

/** @param notices  receives a note on anything that cannot be written */
const linesOf = (
  tape: BookTape,
  window: TapeWindow,
  notices: string[],
): AsyncGenerator<readonly string[], void, undefined> =>
  isDepth(tape) ? depthLines(tape, window, notices) : quoteLines(tape, window)

async function* depthLines(
  tape: DepthTape,
  window: TapeWindow,
  notices: string[],
): AsyncGenerator<readonly string[], void, undefined> {
  const text = new LongCsvText(tape.info.reportsOrders)
  for await (const block of tape.blocks(window)) yield [...text.add({ block, ...tape.info })]
  yield [...text.end()]
  if (text.hasLeftOut)
    notices.push('Only a part of it has single orders, and CSV cannot hold them: export a .tape file to keep them.')
}

async function* quoteLines(tape: QuoteTape, window: TapeWindow): AsyncGenerator<readonly string[], void, undefined> {
  const { pricePrecision, qtyPrecision } = tape.info
  for await (const { length, time, bid, bidQty, ask, askQty } of tape.blocks(window)) {
    yield Array.from({ length }, (_, row) => {
      const side = (price: Float64Array, qty: Float64Array): readonly [string, string] =>
        qty[row] === 0
          ? ['', '']
          : [formatTrimmed(price[row] ?? 0, pricePrecision), formatTrimmed(qty[row] ?? 0, qtyPrecision)]
      const [[askPrice, askSize], [bidPrice, bidSize]] = [side(ask, askQty), side(bid, bidQty)]
      return `${(time[row] ?? 0) * 1_000},${askSize},${askPrice},${bidPrice},${bidSize}`
    })
  }
}

async function* countedLines(
  header: string,
  batches: AsyncIterable<readonly string[]>,
  onLines: (count: number) => void,
): AsyncGenerator<string, void, undefined> {
  yield `${header}\n`
  for await (const lines of batches) {
    if (lines.length === 0) continue
    onLines(lines.length)
    yield `${lines.join('\n')}\n`
  }
}

/** @returns the number of rows */
async function writeBlocks(file: string, tape: BookTape, window: TapeWindow): Promise<number> {
  const { symbol, kind, pricePrecision, qtyPrecision } = tape.info
  const spool = new BookSpool(kind, { bytes: MAX_SPOOL_BYTES })
  const precisions = { pricePrecision, qtyPrecision }
  if (isDepth(tape)) {
    const book = new RecordedBook()
    for await (const block of tape.blocks(window)) {
      spool.add({ kind: 'depth', block, before: book.state(), ...precisions })
      book.apply(block)
    }
  } else for await (const block of tape.blocks(window)) spool.add({ kind: 'quotes', block, ...precisions })
  const spooled = spool.finish(symbol)
  if (spooled === undefined)
    throw new InputError(file, 'no space for the rows, in memory or on the disk for temporary files')
  const stored = openSpooledBook(spooled)
  if (stored.entries.length > 0) writeBookFile(file, { symbol, kind }, [stored])
  return stored.entries.reduce((sum, { rows }) => sum + rows, 0)
}
