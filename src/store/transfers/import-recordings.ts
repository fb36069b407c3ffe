/**
 * Imports recordings into a database or one `.tape` file, all or none.
 *
 * Every file is first read, validated and sorted, in memory and in an unnamed temporary file; the target changes at the
 * end, in one transaction or one rename. If the process ends earlier, the target is unchanged.
 */
import { dirname } from 'node:path'
import { InputError, invariant } from '../../domain/errors.ts'
import type { BookEnd } from '../books/book-event.ts'
import { isOfBooks } from '../books/inspected/inspect-capture.ts'
import type { Patience } from '../database/database-file.ts'
import { recordingsOf } from '../../import/formats/recording-bytes.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import { TapeDatabase } from '../tapes/database/tape-database.ts'
import { MAX_SPOOL_BYTES, type SpoolRoom } from '../tapes/block-spool.ts'
import type { ImportManifest } from '../tapes/imports/manifest.ts'
import { importRequest, type KnownFile, knownFile, knownImports, type StoredManifest } from './known-import.ts'
import { mergeBookIntoStore, mergeBooksIntoFile } from './merge-book.ts'
import { stageBooks, type StagedBook } from './staged-book.ts'
import { stageRecording, type StagedRecording, type StagingOptions } from '../tapes/imports/staged-recording.ts'
import { mergeIntoStore } from '../tapes/imports/store-target.ts'
import { mergeIntoTapeFile } from '../tapes/imports/tape-file-target.ts'

/** Target of an import. */
export interface ImportPlace {
  readonly form: 'store' | 'tape-file'
  readonly file: string
}

export interface ImportOptions extends Pick<StagingOptions, 'signal' | 'maxBad'> {
  /** Unix milliseconds. */
  readonly importedAt: number
  /** Version of papertape: another may read a file differently. Undefined to read every file. */
  readonly version?: string | undefined
  /** Waiting for another writer of the database; default: it is an error. */
  readonly patience?: Patience | undefined
  /** Path for the rejected rows of a file; undefined for a file next to it. */
  readonly rejectsOf?: ((file: string) => string | undefined) | undefined
  /** Called repeatedly while a file is read; `bytesTotal` is the size when it was opened. */
  readonly onReading?: ((file: string, bytesRead: number, bytesTotal: number) => void) | undefined
}

/**
 * @returns the result per file, in the order given; files of an archive one by one
 * @throws {InputError} at the first invalid or contradictory row, naming the file or the setting
 * @throws {AbortError} if `signal` aborts
 */
export async function importRecordings(
  sources: readonly TapeSource[],
  place: ImportPlace,
  options: ImportOptions,
): Promise<readonly ImportManifest[]> {
  const { importedAt, patience } = options
  const known = knownIn(place, patience)
  const room = { bytes: MAX_SPOOL_BYTES, folder: dirname(place.file) }
  const staged = await stageAll(sources, known, room, options)
  // Oldest first: rows after the existing ones are copied as they are.
  const inOrder = staged.toSorted((one, other) => one.manifest.first - other.manifest.first)
  const done =
    place.form === 'store' ? intoStore(place, inOrder, options) : intoTapeFile(place.file, inOrder, room, importedAt)
  return staged.map((each) => {
    const manifest = done.get(each)
    invariant(manifest !== undefined, 'every file that was staged is merged')
    return manifest
  })
}

/** Files that need not be read again. Fails before a long read if the database cannot be written. */
function knownIn({ form, file }: ImportPlace, patience: Patience | undefined): readonly StoredManifest[] {
  if (form !== 'store') return []
  const store = TapeDatabase.write(file, patience)
  try {
    return knownImports(store)
  } finally {
    store.close()
  }
}

async function stageAll(
  sources: readonly TapeSource[],
  imports: readonly StoredManifest[],
  room: SpoolRoom,
  { signal, maxBad, rejectsOf, onReading, importedAt, version }: ImportOptions,
): Promise<readonly Staged[]> {
  const staged: Staged[] = []
  const seen = new Set<string>()
  const ends = new Map<string, BookEnd>()
  for (const source of sources) {
    for (const file of await recordingsOf(source.file)) {
      if (seen.has(file)) throw new InputError(file, 'is given twice: remove one')
      seen.add(file)
      const onBytesRead = onReading && ((read: number, total: number): void => onReading(file, read, total))
      const own = { ...source, file }
      const request = version === undefined ? undefined : await importRequest(own, version)
      const known = request && (await knownFile(own, request, imports, { signal, onBytesRead, importedAt }))
      if (known) staged.push(known)
      else if (await isOfBooks(own)) staged.push(...(await stageBooks(own, { signal, room, onBytesRead, ends })))
      else {
        const recording = await stageRecording(own, { signal, maxBad, rejects: rejectsOf?.(file), room, onBytesRead })
        staged.push({ ...recording, request })
      }
    }
  }
  return staged
}

type Staged = StagedRecording | StagedBook | KnownFile
type Done = ReadonlyMap<Staged, ImportManifest>

const isKnown = (staged: Staged): staged is KnownFile => 'known' in staged
const isBook = (staged: Staged): staged is StagedBook => 'book' in staged

/** @throws {InputError} for a book and rows in one file */
function intoTapeFile(file: string, staged: readonly Staged[], room: SpoolRoom, importedAt: number): Done {
  const books = staged.filter(isBook)
  const rows = staged.filter((each): each is StagedRecording => !isBook(each) && !isKnown(each))
  if (books.length === 0) return mergeIntoTapeFile(file, rows, room, importedAt)
  if (rows.length === 0) return mergeBooksIntoFile(file, books, importedAt)
  throw new InputError(
    file,
    'a .tape file holds one kind of rows, but these are a book and trades: import into a database with --db',
  )
}

function intoStore({ file }: ImportPlace, staged: readonly Staged[], options: ImportOptions): Done {
  const { importedAt, patience } = options
  const store = TapeDatabase.write(file, patience)
  try {
    const imports = staged.some(isKnown) ? new Set(knownImports(store).map(({ sha256 }) => sha256)) : undefined
    const done = new Map<Staged, ImportManifest>()
    for (const each of staged) {
      if (isBook(each)) done.set(each, mergeBookIntoStore(store, each, importedAt))
      else if (!isKnown(each)) done.set(each, mergeIntoStore(store, each, importedAt))
      else if (imports?.has(each.known.sha256) === true) done.set(each, each.manifest)
      else throw new InputError(file, `lost the rows of ${each.manifest.name} during this import: import it again`)
    }
    store.commit()
    return done
  } finally {
    store.close()
  }
}
