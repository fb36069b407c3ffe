/**
 * Merges a recorded book with earlier imports: it must be before or after them, because two recordings of the same time
 * cannot be merged.
 */
import { existsSync } from 'node:fs'
import { InputError, invariant } from '../../domain/errors.ts'
import { isoTime } from '../../domain/time.ts'
import { BookFile, writeBookFile } from '../tapes/blocks/book-file.ts'
import type { BookHead } from '../tapes/blocks/book-entry.ts'
import type { StoredBook } from '../tapes/blocks/stored-book.ts'
import type { TapeDatabase } from '../tapes/database/tape-database.ts'
import type { ImportManifest } from '../tapes/imports/manifest.ts'
import type { StagedBook } from './staged-book.ts'
import { asWriteFault } from '../../domain/write-fault.ts'

/** @throws {InputError} for an overlap in time */
export function mergeBookIntoStore(store: TapeDatabase, staged: StagedBook, importedAt: number): ImportManifest {
  const { book, manifest } = staged
  const stored = store.books.ensure(book.head)
  if (isThere(stored, book)) return doneOf(staged, 0, importedAt)
  checkApart(manifest.name, stored, book)
  for (const [index, entry] of book.entries.entries()) store.books.add(stored.id, entry, book.bytes(index))
  const done = doneOf(staged, manifest.rowsIn, importedAt)
  store.addManifest(stored.id, done)
  return done
}

/** @throws {InputError} for an overlap in time, and for a recording of another market or kind */
export function mergeBooksIntoFile(
  file: string,
  staged: readonly StagedBook[],
  importedAt: number,
): ReadonlyMap<StagedBook, ImportManifest> {
  const before = existsSync(file) ? new BookFile(file) : undefined
  try {
    const head = before?.head ?? staged[0]?.book.head
    invariant(head !== undefined, 'an import has a file')
    let parts: readonly StoredBook[] = before === undefined ? [] : [before]
    const done = new Map<StagedBook, ImportManifest>()
    for (const each of staged) {
      const { book, manifest } = each
      checkSame(file, head, book.head)
      const isKnown = parts.some((part) => isThere(part, book))
      if (!isKnown) parts = [...parts, apartFrom(manifest.name, parts, book)]
      done.set(each, doneOf(each, isKnown ? 0 : manifest.rowsIn, importedAt))
    }
    const sorted = parts.flatMap((part) => piecesOf(part)).toSorted((one, other) => firstOf(one) - firstOf(other))
    if (parts.length > (before === undefined ? 0 : 1)) writeBookFile(file, head, sorted)
    return done
  } catch (error) {
    throw asWriteFault(file, error)
  } finally {
    before?.close()
  }
}

function checkSame(file: string, there: BookHead, comes: BookHead): void {
  if (comes.symbol === there.symbol && comes.kind === there.kind) return
  const reported = ({ kind, symbol }: BookHead): string => `${kind} of ${symbol}`
  throw new InputError(
    file,
    `holds ${reported(there)}, so ${reported(comes)} cannot go into it: use another file, or a database`,
  )
}

/** @throws {InputError} for an overlap in time */
function apartFrom(name: string, parts: readonly StoredBook[], book: StoredBook): StoredBook {
  for (const part of parts) checkApart(name, part, book)
  return book
}

/** Block by block, for a recording may belong between two others of a file. */
const piecesOf = (part: StoredBook): readonly StoredBook[] =>
  part.entries.map((entry, index) => ({ head: part.head, entries: [entry], bytes: () => part.bytes(index) }))

const firstOf = ({ entries }: StoredBook): number => entries[0]?.first ?? 0

/** True if all blocks of one are among those of the other, compared by checksum. */
const isThere = (stored: StoredBook, book: StoredBook): boolean => {
  const keyOf = ({ first, last, rows, checksum }: StoredBook['entries'][number]): string =>
    [first, last, rows, checksum].join()
  const there = new Set(stored.entries.map(keyOf))
  return book.entries.every((entry) => there.has(keyOf(entry)))
}

function checkApart(name: string, stored: StoredBook, { head, entries }: StoredBook): void {
  const [from, to] = [entries[0]?.first ?? 0, entries.at(-1)?.last ?? 0]
  const met = stored.entries.find(({ first, last }) => first <= to && last >= from)
  if (met === undefined) return
  const begin = isoTime(Math.max(met.first, from))
  throw new InputError(
    name,
    `has ${head.kind} of ${head.symbol} at ${begin}, a time that is stored already: two recordings of the same time cannot be merged`,
  )
}

const doneOf = ({ manifest }: StagedBook, imported: number, importedAt: number): ImportManifest => ({
  ...manifest,
  imported,
  duplicate: manifest.rowsIn - imported,
  importedAt,
})
