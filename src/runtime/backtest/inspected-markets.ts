/** The recordings of a run, read once and validated: its tapes, books and quotes, and the series of its strategy. */
import { InputError } from '../../domain/errors.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import type { BookEnd } from '../../store/books/book-event.ts'
import { inspectBooks, type BookRecordingOptions } from '../../store/books/inspected/inspect-books.ts'
import { inspectCapture, inspectWithBooks } from '../../store/books/inspected/inspect-capture.ts'
import { inspectStoredBooks } from '../../store/books/inspected/inspect-stored-books.ts'
import type { InspectedBook, InspectedBooks } from '../../store/books/inspected/inspected-book.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import type { InspectedSeries } from '../../store/series/inspected-series.ts'
import type { SeriesSource } from '../../tape/series-info.ts'
import type { InspectedTape } from '../../store/tapes/inspected-tape.ts'
import { storedForm } from '../../store/tapes/inspect-stored.ts'
import { MAX_SPOOL_BYTES, type SpoolRoom } from '../../store/tapes/block-spool.ts'
import { joined, listOf, noticesIn } from '../../tape/notices.ts'
import type { TapeInfo } from '../../tape/tape.ts'
import type { BacktestSettings } from '../settings/backtest-settings.ts'
import { checkFilesDiffer, realPath } from './tapes-differ.ts'
import { recordedSpans } from './recorded-spans.ts'

/** Plain data, shareable between threads. */
export interface InspectedMarkets {
  /** Tapes in the order of the settings, then the trades of book recordings whose market has no tape. */
  readonly inspected: readonly InspectedTape[]
  /** Books in the order of the settings. */
  readonly inspectedBooks: readonly InspectedBook[]
  /** Series in the order of the settings. */
  readonly inspectedSeries: readonly InspectedSeries[]
}

/** Settings that name recordings. */
export type Recorded = Pick<BacktestSettings, 'tapes' | 'books' | 'series'>

/** Symbol and time range of a recording, Unix milliseconds. */
export type SpanInfo = Pick<TapeInfo, 'symbol' | 'from' | 'to'>

/** Ranges of the recordings that determine the span of a run: its tapes, and books of markets without a tape. */
export const spanningInfos = ({
  inspected,
  inspectedBooks,
}: Pick<InspectedMarkets, 'inspected' | 'inspectedBooks'>): readonly SpanInfo[] =>
  recordedSpans({ tapes: inspected.map(({ info }) => info), books: inspectedBooks.map(({ info }) => info) })

export interface PreparationWatch {
  /** Aborts it. */
  readonly signal?: AbortSignal | undefined
  /**
   * Called repeatedly while a tape is read for the first time; `bytesTotal` is the size of this file when it was
   * opened.
   */
  readonly onReading?: ((file: string, bytesRead: number, bytesTotal: number) => void) | undefined
}

/**
 * Checks that recorded books can be played together with the tapes of a run.
 * @throws {InputError} for a book of a market of candles, and for overlapping books of one market
 */
function checkBooks(inspected: readonly InspectedTape[], books: readonly InspectedBook[]): void {
  for (const { info } of books) {
    const candles = inspected.find((tape) => tape.info.symbol === info.symbol && tape.info.kind === 'candles')
    if (candles === undefined) continue
    const why = `is of trades, and ${info.symbol} was recorded as candles in ${candles.info.file}`
    throw new InputError(setting('books'), `a recorded book, as ${info.file} has it, ${why}`)
  }
  for (const [index, one] of books.entries()) {
    for (const other of books.slice(index + 1)) checkApart(one, other)
  }
}

function checkApart({ info: one }: InspectedBook, { info: other }: InspectedBook): void {
  if (one.symbol !== other.symbol || one.kind !== other.kind) return
  if (one.to < other.from || other.to < one.from) return
  const what = one.kind === 'depth' ? 'the book' : 'quotes'
  const begin = isoTime(Math.max(one.from, other.from))
  throw new InputError(
    setting('books'),
    `'${one.file}' and '${other.file}' both have ${what} of ${one.symbol} at ${begin}: remove one`,
  )
}

/**
 * @param room  for the rows of tapes; null to read their files again. Books are always retained
 * @throws {InputError} for a faulty file, a file that is named twice, and a named book that has no book data
 * @throws {AbortError} if the signal is aborted
 */
export async function inspectMarkets(
  { tapes, books: sources, series = [] }: Recorded,
  { signal, onReading }: PreparationWatch,
  room: SpoolRoom | null = { bytes: MAX_SPOOL_BYTES },
): Promise<InspectedMarkets> {
  checkFilesDiffer('tapes', tapes)
  checkFilesDiffer('books', sources)
  const inspectedSeries = await inspectAllSeries(series, zoneOf(tapes), { signal, onReading }, room)
  const ends = new Map<string, BookEnd>()
  const optionsOf = (file: string): BookRecordingOptions => ({
    signal,
    room: room ?? undefined,
    ends,
    onBytesRead: onReading && ((read, total) => onReading(file, read, total)),
  })
  const inspected: InspectedTape[] = []
  const inspectedBooks: InspectedBook[] = []
  const open = [...sources]
  for (const source of tapes) {
    // Imported recordings have their books separately.
    const isStored = (await storedForm(source.file)) !== undefined
    const beside = isStored ? -1 : open.findIndex((other) => isSame(source, other))
    const [same] = beside < 0 ? [] : open.splice(beside, 1)
    const options = optionsOf(source.file)
    const { tape, books } =
      same === undefined ? await inspectCapture(source, options) : await inspectWithBooks(source, same, options)
    inspected.push(tape)
    inspectedBooks.push(...books)
  }
  const taped = new Set(inspected.map(({ info }) => info.symbol))
  for (const source of open) {
    const form = await storedForm(source.file)
    if (form !== undefined) inspectedBooks.push(...inspectStoredBooks(source, form))
    else {
      const { books, tape } = playedOf(await inspectBooks(source, optionsOf(source.file)), taped)
      inspectedBooks.push(...books)
      if (tape !== undefined) inspected.push(tape)
    }
  }
  checkBooks(inspected, inspectedBooks)
  return { inspected, inspectedBooks, inspectedSeries }
}

/** Dates of series without a zone are read in the zone of the tapes, if all have the same. */
function zoneOf(tapes: Recorded['tapes']): string | undefined {
  const [zone, other] = new Set(tapes.map((tape) => tape.zone))
  return other === undefined ? zone : undefined
}

/** Lazy import, only for runs with series. */
async function inspectAllSeries(
  sources: readonly SeriesSource[],
  zone: string | undefined,
  { signal, onReading }: PreparationWatch,
  room: SpoolRoom | null,
): Promise<readonly InspectedSeries[]> {
  if (sources.length === 0) return []
  const { checkSeriesNames, inspectSeries } = await import('../../store/series/inspect-series.ts')
  checkSeriesNames(sources)
  const all: InspectedSeries[] = []
  for (const source of sources) {
    const onBytesRead = onReading && ((read: number, total: number) => onReading(source.file, read, total))
    all.push(await inspectSeries(source, { signal, zone, room: room ?? { bytes: MAX_SPOOL_BYTES }, onBytesRead }))
  }
  return all
}

/** The parts of a book recording that a run plays. @param taped  symbols of the named tapes */
function playedOf(
  { depth, quotes, trades }: InspectedBooks,
  taped: ReadonlySet<string>,
): { readonly books: readonly InspectedBook[]; readonly tape: InspectedTape | undefined } {
  const books = [depth, quotes].filter((book) => book !== undefined)
  const [first, ...others] = books
  if (first === undefined) {
    const file = trades?.info.file ?? ''
    throw new InputError(file, 'has trades but no usable book or quotes: pass it with --tape')
  }
  if (trades === undefined || !taped.has(trades.info.symbol)) return { books, tape: trades }
  const { symbol, rows } = trades.info
  const notice = `Its ${rows} trades are not used, because ${symbol} has its own tape.`
  const reported = {
    ...first,
    info: { ...first.info, ...listOf(joined([noticesIn(first.info), { warnings: [], notes: [notice] }])) },
  }
  return { books: [reported, ...others], tape: undefined }
}

/** The trades and the book of one file were requested. */
const isSame = (tape: TapeSource, depth: BookTapeSource): boolean =>
  realPath(tape.file) === realPath(depth.file) && tape.symbol === depth.symbol
