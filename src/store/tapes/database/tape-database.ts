/**
 * Tape store: the recorded markets of one SQLite file, each as blocks of rows.
 *
 * Invariants: blocks of one market are in time order, and are replaced as a whole. The number of a replaced block is
 * never reused, so a reader with an old index reads the rows it saw, or gets an error. The newest rows of a recording,
 * not in a block yet, appear to readers as a last block, as of the time when the market was requested.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { InputError } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import type { TapePrecisions } from '../../../tape/tape-precisions.ts'
import { MAX_BLOCK_ROWS } from '../../../tape/tape.ts'
import { openForReading, openForWriting, type Patience } from '../../database/database-file.ts'
import { isBusy, withFaultsNamed } from '../../database/sqlite-fault.ts'
import { BlockCodec, type StoredRows } from '../blocks/block-codec.ts'
import { type BlockEntry, entryOf } from '../blocks/block-entry.ts'
import { BOOK_ENTRY, type BookEntry, type BookHead } from '../blocks/book-entry.ts'
import type { EncodedBlock } from '../blocks/sealed-block.ts'
import type { SharedBook } from '../blocks/stored-book.ts'
import type { TapeHead } from '../blocks/stored-market.ts'
import { gapsApart } from '../gaps-apart.ts'
import { type DatabaseMarket, gapsOf, MarketReader, type SeenMarket, type TapeRow } from './market-reader.ts'
import { type NewestRow, NewestRows } from './newest-rows.ts'

/** A book of a store, whose blocks are read one by one. */
interface DatabaseBook extends SharedBook {
  /** Its number in the store. */
  readonly id: number
  /** Number of its last block, with which another reader finds the same rows. */
  readonly lastBlock: number
}

interface BookRow extends BookHead {
  readonly id: number
}

/**
 * The recorded books and quotes of a store, in the tables that its tapes have.
 *
 * Invariant: blocks of one book are in the order of time, and a block is never changed.
 */
class BookTable {
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

/** The last row of a market. */
export interface MarketEnd {
  /** Null for rows without ids. */
  readonly id: number | string | null
  /** Unix milliseconds. */
  readonly time: number
}

export class TapeDatabase {
  /** Recorded books and quotes. */
  readonly books: BookTable
  readonly #file: string
  readonly #database: Database.Database
  readonly #codec = new BlockCodec()
  readonly #newest: NewestRows
  readonly #reader: MarketReader

  private constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
    this.books = new BookTable(file, database)
    this.#newest = new NewestRows(database)
    this.#reader = new MarketReader(file, database, this.#codec, this.#newest)
  }

  /** @throws {InputError} for a file that is no tape store, is damaged, or cannot be read */
  static read(file: string): TapeDatabase {
    return withFaultsNamed(file, () => new TapeDatabase(file, openForReading(file)))
  }

  /**
   * Opens it, or makes it, for one transaction: `commit`, or `close` to leave everything as it was. @throws
   * {InputError}
   */
  static write(file: string, patience?: Patience): TapeDatabase {
    return withFaultsNamed(file, () => new TapeDatabase(file, openForWriting(file, patience)))
  }

  /** Bytes of the file. */
  get size(): number {
    return statSync(this.#file).size
  }

  /** Markets by symbol; trades before candles, short candles before long ones. */
  markets(): readonly DatabaseMarket[] {
    return this.#atOnce(() => {
      const rows = this.#database
        .prepare<[], TapeRow>(
          "SELECT * FROM tape WHERE kind IN ('trades', 'candles') ORDER BY symbol, kind DESC, interval",
        )
        .all()
      return rows.map((row) => this.#reader.marketOf(row)).filter(({ entries }) => entries.length > 0)
    })
  }

  /**
   * Finds a market; undefined if there is none.
   *
   * @param seen  its state as seen by another reader; the hash differs if that state is gone
   */
  market(head: TapeHead, seen?: SeenMarket): DatabaseMarket | undefined {
    return this.#atOnce(() => {
      const row = this.#rowOf(head)
      return row && this.#reader.marketOf(row, seen)
    })
  }

  /** Id of a market; undefined if there is none. */
  idOf(head: TapeHead): number | undefined {
    return this.#named(() => this.#rowOf(head)?.id)
  }

  /** The last row of a market; undefined without rows. */
  endOf(tape: number): MarketEnd | undefined {
    return this.#named(() => {
      const newest = this.#newest.last(tape)
      if (newest !== undefined) return newest
      const last = this.#database
        .prepare<[number], { readonly id: number; readonly entry: string }>(
          'SELECT id, entry FROM block WHERE tape = ? ORDER BY first DESC, last DESC, id DESC LIMIT 1',
        )
        .get(tape)
      if (last === undefined) return undefined
      const entry = this.#reader.entryOf(last.id, last.entry)
      return { id: entry.lastId, time: entry.last }
    })
  }

  /** Adds a market to the store if it is not there yet. */
  ensure(head: TapeHead): DatabaseMarket {
    return this.#named(() => {
      const { symbol, kind, intervalMs, hasConditions } = head
      const before = this.#rowOf(head)
      if (before === undefined) {
        const insert = 'INSERT INTO tape (symbol, kind, interval, conditions, marked) VALUES (?, ?, ?, ?, 0)'
        this.#database.prepare(insert).run(symbol, kind, intervalMs, hasConditions ? 1 : 0)
      } else if (hasConditions && before.conditions === 0) {
        this.#database.prepare('UPDATE tape SET conditions = 1 WHERE id = ?').run(before.id)
      }
      const row = this.#rowOf(head)
      if (row === undefined) throw new InputError(this.#file, `has no room for ${symbol}`)
      return this.#reader.marketOf(row)
    })
  }

  /** Appends a block to those of a market. */
  addBlock(tape: number, rows: StoredRows, isCompact = false): BlockEntry {
    return this.#named(() => {
      const encoded = this.#codec.encode(rows, isCompact)
      const entry = entryOf(rows, encoded)
      this.addEncoded(tape, entry, encoded)
      return entry
    })
  }

  /** Appends a block that was encoded before. */
  addEncoded(tape: number, entry: BlockEntry, { bytes }: EncodedBlock): void {
    this.#named(() => {
      this.#database
        .prepare('INSERT INTO block (tape, first, last, entry, bytes) VALUES (?, ?, ?, ?, ?)')
        .run(tape, entry.first, entry.last, JSON.stringify(entry), bytes)
    })
  }

  /**
   * Appends recorded rows, which follow all rows of the market. Whenever they fill a block, one is written.
   *
   * @param precisions  of all rows not in a block yet
   */
  appendNewest(tape: number, precisions: TapePrecisions, rows: readonly NewestRow[]): void {
    this.#named(() => {
      this.#newest.append(tape, precisions, rows)
      while (this.#newest.count(tape) >= MAX_BLOCK_ROWS) this.sealNewest(tape)
    })
  }

  /** Writes the recorded rows that are not in a block yet as a block. */
  sealNewest(tape: number): void {
    this.#named(() => {
      const rows = this.#newest.read(tape)
      if (rows === undefined) return
      this.addBlock(tape, rows)
      this.#newest.drop(tape, rows.block.length)
    })
  }

  /** Does what may come to nothing: then everything is as it was before. */
  attempt<Result>(action: () => { readonly result: Result; readonly isCommitted: boolean }): Result {
    return this.#named(() => {
      this.#database.exec('SAVEPOINT attempt')
      const { result, isCommitted } = action()
      this.#database.exec(isCommitted ? 'RELEASE attempt' : 'ROLLBACK TO attempt; RELEASE attempt')
      return result
    })
  }

  /** @param id  of a block that was made */
  dropBlock(id: number): void {
    this.#named(() => this.#database.prepare('DELETE FROM block WHERE id = ?').run(id))
  }

  /** Removes a market from the store, with all its data. */
  dropMarket(id: number): void {
    this.#named(() => {
      for (const table of ['block', 'newest', 'gap', 'import']) {
        this.#database.prepare(`DELETE FROM ${table} WHERE tape = ?`).run(id)
      }
      this.#database.prepare('DELETE FROM tape WHERE id = ?').run(id)
    })
  }

  /** Marks gaps; duplicates are stored once. An empty list records that there are none. */
  addGaps(tape: number, gaps: readonly MarkedGap[]): void {
    this.#named(() => {
      const all = gapsApart([...gapsOf(this.#database, tape), ...gaps])
      if (gaps.length > 0) this.#database.prepare('DELETE FROM gap WHERE tape = ?').run(tape)
      const insert = this.#database.prepare('INSERT OR IGNORE INTO gap (tape, start, stop, why) VALUES (?, ?, ?, ?)')
      for (const { from, to, why } of all) insert.run(tape, from, to, why)
      this.#database.prepare('UPDATE tape SET marked = 1 WHERE id = ?').run(tape)
    })
  }

  /** Removes a mark whose rows have arrived since; no other mark changes. */
  dropGap(tape: number, { from, to }: Pick<MarkedGap, 'from' | 'to'>): void {
    this.#named(() =>
      this.#database.prepare('DELETE FROM gap WHERE tape = ? AND start = ? AND stop = ?').run(tape, from, to),
    )
  }

  /** Writes down what one file has brought. */
  addManifest(tape: number, manifest: object): void {
    this.#named(() =>
      this.#database.prepare('INSERT INTO import (tape, manifest) VALUES (?, ?)').run(tape, JSON.stringify(manifest)),
    )
  }

  /** Manifests of all files imported for a market, oldest first. */
  manifests(tape: number): readonly unknown[] {
    return this.#named(() =>
      this.#database
        .prepare<[number], { readonly manifest: string }>('SELECT manifest FROM import WHERE tape = ? ORDER BY id')
        .all(tape)
        .map(({ manifest }) => JSON.parse(manifest) as unknown),
    )
  }

  /**
   * Begins a transaction; the previous one must have ended.
   *
   * @returns false if another process holds the write lock for longer than the timeout
   */
  begin(waitMs: number): boolean {
    return this.#named(() => {
      this.#database.pragma(`busy_timeout = ${waitMs}`)
      try {
        this.#database.exec('BEGIN IMMEDIATE')
        return true
      } catch (error) {
        if (isBusy(error)) return false
        throw error
      }
    })
  }

  /** Leaves everything as it was before the transaction. */
  rollback(): void {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
  }

  /** Durable when it returns. */
  commit(): void {
    this.#named(() => this.#database.exec('COMMIT'))
  }

  /** Returns unused space to the file system; call it after a commit. */
  giveSpaceBack(): void {
    this.#named(() => this.#database.exec('VACUUM'))
  }

  /** Rolls back uncommitted changes. */
  close(): void {
    this.rollback()
    this.#database.close()
  }

  #rowOf({ symbol, kind, intervalMs }: TapeHead): TapeRow | undefined {
    return this.#database
      .prepare<[string, string, number | null], TapeRow>(
        'SELECT * FROM tape WHERE symbol = ? AND kind = ? AND interval IS ?',
      )
      .get(symbol, kind, intervalMs)
  }

  /** Reads from one snapshot, whatever is committed meanwhile. */
  #atOnce<T>(action: () => T): T {
    return this.#named(() => this.#database.transaction(action)())
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
