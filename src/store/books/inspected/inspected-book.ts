/** A recorded book, or recorded quotes, after validation, and the combined contents of one file. */
import { InputError } from '../../../domain/errors.ts'
import type { BookTapeSource } from '../../../import/tape-source.ts'
import type { BookTapeInfo } from '../../../tape/book-tape.ts'
import type { BookHead } from '../../tapes/blocks/book-entry.ts'
import { BookFile } from '../../tapes/blocks/book-file.ts'
import type { SharedBook, StoredBook } from '../../tapes/blocks/stored-book.ts'
import { TapeDatabase } from '../../tapes/database/tape-database.ts'
import type { InspectedTape } from '../../tapes/inspected-tape.ts'
import { type SpooledBook, openSpooledBook } from '../../tapes/book-spool.ts'

/** Location of the rows of an inspected book: plain data that another thread can open too. */
export type BookPlace =
  | { readonly form: 'spooled'; readonly spooled: SpooledBook }
  | { readonly form: 'tape-file'; readonly file: string; readonly sha256: string }
  | {
      readonly form: 'store'
      readonly file: string
      readonly sha256: string
      readonly head: BookHead
      /** Number of the last block that was there. */
      readonly lastBlock: number
    }

interface OpenedBook {
  readonly book: StoredBook
  readonly close: () => void
}

/** @throws {InputError} when the file is not the one that was inspected */
export function openBookPlace(place: BookPlace): OpenedBook {
  if (place.form === 'spooled') return { book: openSpooledBook(place.spooled), close: () => undefined }
  const { file, sha256 } = place
  const opened = place.form === 'tape-file' ? new BookFile(file) : TapeDatabase.read(file)
  const book: SharedBook | undefined =
    opened instanceof BookFile
      ? opened
      : place.form === 'store'
        ? opened.books.find(place.head, place.lastBlock)
        : undefined
  const close = (): void => {
    opened.close()
  }
  if (book?.sha256 === sha256) return { book, close }
  close()
  throw new InputError(file, 'the file changed while it was being read')
}

/** Plain data, as `InspectedTape` is: another thread of the process opens it as well. */
export interface InspectedBook {
  readonly source: BookTapeSource
  /** Its precisions are the given ones, otherwise the fewest that fit every row. */
  readonly info: BookTapeInfo
  readonly rows: BookPlace
}

/** Contents of a file: at least one of them. */
export interface InspectedBooks {
  /** Size of the file on disk. */
  readonly bytes: number
  readonly depth: InspectedBook | undefined
  readonly quotes: InspectedBook | undefined
  /** Played as any tape. */
  readonly trades: InspectedTape | undefined
}
