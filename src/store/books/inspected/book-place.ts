/** Location of the rows of an inspected book: plain data that another thread can open too. */
import { InputError } from '../../../domain/errors.ts'
import { BookFile } from '../../tapes/blocks/book-file.ts'
import type { BookHead } from '../../tapes/blocks/book-entry.ts'
import type { SharedBook, StoredBook } from '../../tapes/blocks/stored-book.ts'
import { TapeDatabase } from '../../tapes/database/tape-database.ts'
import { openKeptBook, type KeptBook } from '../../tapes/kept-book.ts'

export type BookPlace =
  | { readonly form: 'kept'; readonly kept: KeptBook }
  | { readonly form: 'tape-file'; readonly file: string; readonly sha256: string }
  | {
      readonly form: 'store'
      readonly file: string
      readonly sha256: string
      readonly head: BookHead
      /** Number of the last block that was there. */
      readonly lastBlock: number
    }

export interface OpenedBook {
  readonly book: StoredBook
  readonly close: () => void
}

/** @throws {InputError} when the file is not the one that was inspected */
export function openBookPlace(place: BookPlace): OpenedBook {
  if (place.form === 'kept') return { book: openKeptBook(place.kept), close: () => undefined }
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
