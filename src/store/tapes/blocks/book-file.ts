/** A recorded book, or quotes, of one market as one file: a `.tape` file as every other, of other rows. */
import { z } from 'zod'
import { InputError } from '../../../domain/errors.ts'
import { BlockFile, BlockFileWriter } from './block-file.ts'
import { BOOK_ENTRY, BOOK_HEAD, isBookIndex, type BookEntry, type BookHead } from './book-entry.ts'
import type { SharedBook, StoredBook } from './stored-book.ts'

const ANY_INDEX = z.looseObject({ blocks: z.array(z.looseObject({ bytes: z.int() })) })
const BOOK_INDEX = z.strictObject({ head: BOOK_HEAD, sha256: z.string(), blocks: z.array(BOOK_ENTRY).min(1) })

/** Reads one. */
export class BookFile implements SharedBook {
  readonly head: BookHead
  readonly entries: readonly BookEntry[]
  readonly sha256: string
  readonly #file: BlockFile<z.output<typeof BOOK_INDEX>>

  /** @throws {InputError} for a file that is no tape, of a newer format, of another kind, or incomplete */
  constructor(file: string) {
    this.#file = new BlockFile(file, (json) => {
      if (isBookIndex(json)) return BOOK_INDEX.parse(json)
      throw new InputError(file, 'holds trades or candles, not a book: pass it with --tape')
    })
    const { head, blocks, sha256 } = this.#file.index
    this.head = head
    this.entries = blocks
    this.sha256 = sha256
  }

  close(): void {
    this.#file.close()
  }

  bytes(index: number): Uint8Array {
    return this.#file.block(index)
  }
}

/** True for a `.tape` file of a book or of quotes. @throws {InputError} for one that is not whole */
export function isBookFile(file: string): boolean {
  let isOne = false
  new BlockFile(file, (json) => {
    isOne = isBookIndex(json)
    return ANY_INDEX.parse(json)
  }).close()
  return isOne
}

/**
 * Writes blocks of books as one file, which gets its name when it is complete.
 *
 * @param parts  of one market and one kind, oldest first
 * @throws {Error} of the file system, after removing the partial file
 */
export function writeBookFile(file: string, head: BookHead, parts: readonly StoredBook[]): void {
  const writer = new BlockFileWriter(file)
  try {
    for (const part of parts) for (const index of part.entries.keys()) writer.add(part.bytes(index))
    const blocks = parts.flatMap(({ entries }) => entries)
    writer.finish((sha256) => ({ head, sha256, blocks }))
  } catch (error) {
    writer.abandon()
    throw error
  }
}
