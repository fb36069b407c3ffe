/**
 * The recorded books and quotes of a store, in the tables that its tapes have.
 *
 * Invariant: blocks of one book are in the order of time, and a block is never changed.
 */
import { createHash } from 'node:crypto'
import type Database from 'better-sqlite3'
import { InputError } from '../../../domain/errors.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { BOOK_ENTRY, type BookEntry, type BookHead } from '../blocks/book-entry.ts'
import type { SharedBook } from '../blocks/stored-book.ts'

/** A book of a store, whose blocks are read one by one. */
export interface DatabaseBook extends SharedBook {
  /** Its number in the store. */
  readonly id: number
  /** Number of its last block, with which another reader finds the same rows. */
  readonly lastBlock: number
}

interface BookRow extends BookHead {
  readonly id: number
}

export class BookTable {
  readonly #file: string
  readonly #database: Database.Database

  constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
  }

  /** Books by symbol; a book before its quotes. */
  list(): readonly DatabaseBook[] {
    return this.#named(() =>
      this.#database
        .prepare<[], BookRow>(
          "SELECT id, symbol, kind FROM tape WHERE kind IN ('depth', 'quotes') ORDER BY symbol, kind",
        )
        .all()
        .map((row) => this.#bookOf(row))
        .filter(({ entries }) => entries.length > 0),
    )
  }

  /**
   * Finds a book; undefined if there is none.
   *
   * @param lastBlock  last block seen by another reader
   */
  find(head: BookHead, lastBlock?: number): DatabaseBook | undefined {
    return this.#named(() => {
      const row = this.#rowOf(head)
      return row && this.#bookOf(row, lastBlock)
    })
  }

  /** Adds a book to the store if it is not there yet. */
  ensure(head: BookHead): DatabaseBook {
    return this.#named(() => {
      const insert = 'INSERT INTO tape (symbol, kind, interval, conditions, marked) VALUES (?, ?, NULL, 0, 0)'
      if (this.#rowOf(head) === undefined) this.#database.prepare(insert).run(head.symbol, head.kind)
      const row = this.#rowOf(head)
      if (row === undefined) throw new InputError(this.#file, `has no room for ${head.symbol}`)
      return this.#bookOf(row)
    })
  }

  /** Appends a block. @param id  of the book */
  add(id: number, entry: BookEntry, bytes: Uint8Array): void {
    this.#named(() => {
      this.#database
        .prepare('INSERT INTO block (tape, first, last, entry, bytes) VALUES (?, ?, ?, ?, ?)')
        .run(id, entry.first, entry.last, JSON.stringify(entry), bytes)
    })
  }

  #rowOf({ symbol, kind }: BookHead): BookRow | undefined {
    return this.#database
      .prepare<[string, string], BookRow>('SELECT id, symbol, kind FROM tape WHERE symbol = ? AND kind = ?')
      .get(symbol, kind)
  }

  #bookOf({ id, symbol, kind }: BookRow, lastSeen = Number.MAX_SAFE_INTEGER): DatabaseBook {
    const blocks = this.#database
      .prepare<[number, number], { readonly id: number; readonly entry: string }>(
        'SELECT id, entry FROM block WHERE tape = ? AND id <= ? ORDER BY first, last, id',
      )
      .all(id, lastSeen)
    const entries = blocks.map((block) => this.#entryOf(block.id, block.entry))
    const head = { symbol, kind }
    const read = this.#database.prepare<[number], { readonly bytes: Buffer }>('SELECT bytes FROM block WHERE id = ?')
    return {
      id,
      head,
      entries,
      lastBlock: blocks.reduce((last, block) => Math.max(last, block.id), 0),
      sha256: createHash('sha256')
        .update(JSON.stringify([head, entries]))
        .digest('hex'),
      bytes: (index) => {
        const block = this.#named(() => read.get(blocks[index]?.id ?? -1))
        if (block !== undefined) return block.bytes
        const place = `${this.#file}: block ${index + 1} of ${entries.length} of ${symbol}`
        throw new InputError(place, 'is missing: the database changed meanwhile')
      },
    }
  }

  #entryOf(block: number, text: string): BookEntry {
    try {
      return BOOK_ENTRY.parse(JSON.parse(text))
    } catch (error) {
      throw new InputError(this.#file, `is damaged: the index has no valid entry for block ${block}`, { cause: error })
    }
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
