/**
 * A recording of a book read and checked before anything of a store is touched: its book, its quotes and its trades,
 * each on its own.
 */
import { InputError } from '../../domain/errors.ts'
import { inspectBooks, type BookRecordingOptions } from '../books/inspected/inspect-books.ts'
import { type InspectedBook, type InspectedBooks, openBookPlace } from '../books/inspected/inspected-book.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import type { InspectedTape } from '../tapes/inspected-tape.ts'
import type { StoredBook } from '../tapes/blocks/stored-book.ts'
import { SpooledMarket } from '../tapes/row-spool.ts'
import type { ImportManifest } from '../tapes/imports/manifest.ts'
import { rowGapsOf } from '../tapes/imports/row-gaps.ts'
import type { StagedRecording } from '../tapes/imports/staged-recording.ts'

export interface StagedBook {
  readonly book: StoredBook
  /** Everything except the fields that the database adds. */
  readonly manifest: Omit<ImportManifest, 'imported' | 'importedAt'>
}

/**
 * @throws {InputError} at the first row that is wrong, or naming the file
 * @throws {AbortError} when `signal` says so
 */
export async function stageBooks(
  { file, symbol, market, pricePrecision, qtyPrecision }: TapeSource,
  options: BookRecordingOptions,
): Promise<readonly (StagedBook | StagedRecording)[]> {
  const source: BookTapeSource = {
    file,
    ...(symbol !== undefined && { symbol }),
    ...(market !== undefined && { market }),
    ...(pricePrecision !== undefined && { pricePrecision }),
    ...(qtyPrecision !== undefined && { qtyPrecision }),
  }
  const found = await inspectBooks(source, options)
  const books = [found.depth, found.quotes].filter((book) => book !== undefined)
  const staged = books.map((book) => stagedBook(book, found))
  return found.trades === undefined ? staged : [stagedTrades(found.trades, found), ...staged]
}

type Account = StagedBook['manifest']

const accountOf = (
  { file, symbol, sha256, rows, from, to, notices }: InspectedBook['info'] | InspectedTape['info'],
  { bytes }: InspectedBooks,
): Omit<Account, 'kind' | 'gaps'> => ({
  name: file,
  sha256,
  bytes,
  dialect: 'recording of a book',
  symbol,
  intervalMs: null,
  rowsIn: rows,
  duplicate: 0,
  bad: 0,
  reasons: [],
  leftOut: {},
  first: from,
  last: to,
  unit: 'ms',
  markedGaps: null,
  rejects: null,
  notices,
})

function stagedBook({ info, rows }: InspectedBook, found: InspectedBooks): StagedBook {
  const gaps = { ids: info.kind === 'depth' ? info.gapCount : null, missingIds: null, times: 0, longest: null }
  return { book: openBookPlace(rows).book, manifest: { ...accountOf(info, found), kind: info.kind, gaps } }
}

function stagedTrades({ info, rows }: InspectedTape, found: InspectedBooks): StagedRecording {
  if (rows?.form !== 'spooled') throw new InputError(info.file, 'there is no room for its trades')
  const market = new SpooledMarket(rows.spooled)
  return {
    market,
    gaps: undefined,
    manifest: { ...accountOf(info, found), kind: 'trades', gaps: rowGapsOf(market) },
  }
}
