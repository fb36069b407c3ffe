/**
 * A tape store: the recorded markets of one SQLite file, each as blocks of rows.
 *
 * Invariant: blocks of one market are in the order of time, and are replaced as a whole; a block that is replaced never comes back under its
 * number, so a reader that has its index reads what it saw, or is told that it is gone.
 */
import { createHash } from 'node:crypto'
import { statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { InputError } from '../../../domain/errors.ts'
import type { MarkedGap } from '../../../tape/gap-marks.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { BlockCodec, type EncodedBlock, type StoredRows } from '../blocks/block-codec.ts'
import { BLOCK_ENTRY, entryOf, type BlockEntry } from '../blocks/block-entry.ts'
import { checkedRows } from '../blocks/checked-rows.ts'
import type { StoredMarket, TapeHead } from '../blocks/stored-market.ts'
import { openForReading, openForWriting } from '../../database/database-file.ts'

/** A market of a store, whose blocks are read one by one. */
export interface DatabaseMarket extends StoredMarket {
  /** Its number in the store. */
  readonly id: number
  /** Numbers of its blocks, one an entry. */
  readonly blockIds: readonly number[]
}

interface TapeRow {
  readonly id: number
  readonly symbol: string
  readonly kind: 'trades' | 'candles'
  readonly interval: number | null
  readonly conditions: number
  readonly marked: number
}

export class TapeDatabase {
  readonly #file: string
  readonly #database: Database.Database
  readonly #codec = new BlockCodec()
  readonly #readBytes: Database.Statement<[number], { readonly bytes: Buffer }>

  private constructor(file: string, database: Database.Database) {
    this.#file = file
    this.#database = database
    this.#readBytes = database.prepare('SELECT bytes FROM block WHERE id = ?')
  }

  /** @throws {InputError} for a file that is none of ours, damaged, or cannot be read */
  static read(file: string): TapeDatabase {
    return withFaultsNamed(file, () => new TapeDatabase(file, openForReading(file)))
  }

  /** Opens it, or makes it, for one transaction: `commit`, or `close` to leave everything as it was. @throws {InputError} */
  static write(file: string): TapeDatabase {
    return withFaultsNamed(file, () => new TapeDatabase(file, openForWriting(file)))
  }

  /** Bytes of the file. */
  get size(): number {
    return statSync(this.#file).size
  }

  /** By symbol; trades before candles, short candles before long ones. */
  markets(): readonly DatabaseMarket[] {
    return this.#named(() => {
      const rows = this.#database.prepare<[], TapeRow>('SELECT * FROM tape ORDER BY symbol, kind DESC, interval').all()
      return rows.map((row) => this.#marketOf(row)).filter(({ entries }) => entries.length > 0)
    })
  }

  /** Undefined when there is no such market. */
  market(head: TapeHead): DatabaseMarket | undefined {
    return this.#named(() => {
      const row = this.#rowOf(head)
      return row && this.#marketOf(row)
    })
  }

  /** Puts a market into the store, where it is not there yet. */
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
      return this.#marketOf(row)
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

  /** Does what may come to nothing: then everything is as it was before. */
  attempt<Result>(action: () => { readonly result: Result; readonly isKept: boolean }): Result {
    return this.#named(() => {
      this.#database.exec('SAVEPOINT attempt')
      const { result, isKept } = action()
      this.#database.exec(isKept ? 'RELEASE attempt' : 'ROLLBACK TO attempt; RELEASE attempt')
      return result
    })
  }

  dropBlock(id: number): void {
    this.#named(() => this.#database.prepare('DELETE FROM block WHERE id = ?').run(id))
  }

  /** Takes a market out of the store, with all that is known of it. */
  dropMarket(id: number): void {
    this.#named(() => {
      for (const table of ['block', 'gap', 'import']) {
        this.#database.prepare(`DELETE FROM ${table} WHERE tape = ?`).run(id)
      }
      this.#database.prepare('DELETE FROM tape WHERE id = ?').run(id)
    })
  }

  /** Marks gaps, those that are marked already once; no gaps at all say that there is none. */
  addGaps(tape: number, gaps: readonly MarkedGap[]): void {
    this.#named(() => {
      const insert = this.#database.prepare('INSERT OR IGNORE INTO gap (tape, start, stop, why) VALUES (?, ?, ?, ?)')
      for (const { from, to, why } of gaps) insert.run(tape, from, to, why)
      this.#database.prepare('UPDATE tape SET marked = 1 WHERE id = ?').run(tape)
    })
  }

  /** Writes down what one file has brought. */
  addManifest(tape: number, manifest: object): void {
    this.#named(() =>
      this.#database.prepare('INSERT INTO import (tape, manifest) VALUES (?, ?)').run(tape, JSON.stringify(manifest)),
    )
  }

  /** Of every file that was imported for a market, oldest first. */
  manifests(tape: number): readonly unknown[] {
    return this.#named(() =>
      this.#database
        .prepare<[number], { readonly manifest: string }>('SELECT manifest FROM import WHERE tape = ? ORDER BY id')
        .all(tape)
        .map(({ manifest }) => JSON.parse(manifest) as unknown),
    )
  }

  /** On the disk when it returns. */
  commit(): void {
    this.#named(() => this.#database.exec('COMMIT'))
  }

  /** Leaves what was not committed as it was. */
  close(): void {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK')
    this.#database.close()
  }

  #rowOf({ symbol, kind, intervalMs }: TapeHead): TapeRow | undefined {
    return this.#database
      .prepare<[string, string, number | null], TapeRow>(
        'SELECT * FROM tape WHERE symbol = ? AND kind = ? AND interval IS ?',
      )
      .get(symbol, kind, intervalMs)
  }

  #marketOf({ id, symbol, kind, interval, conditions, marked }: TapeRow): DatabaseMarket {
    const blocks = this.#database
      .prepare<[number], { readonly id: number; readonly entry: string }>(
        'SELECT id, entry FROM block WHERE tape = ? ORDER BY first, last, id',
      )
      .all(id)
    const entries = blocks.map(({ id: block, entry }) => this.#entryOf(block, entry))
    const marks = this.#database
      .prepare<[number], MarkedGap>('SELECT start AS "from", stop AS "to", why FROM gap WHERE tape = ? ORDER BY start')
      .all(id)
    const gaps = marked === 1 ? marks : undefined
    const head = { symbol, kind, intervalMs: interval, hasConditions: conditions === 1 }
    return {
      ...{ id, head, entries, gaps, blockIds: blocks.map((block) => block.id) },
      sha256: createHash('sha256')
        .update(JSON.stringify([head, entries, gaps]))
        .digest('hex'),
      read: (index) => this.#read(head, entries, blocks[index]?.id ?? -1, index),
    }
  }

  #entryOf(block: number, text: string): BlockEntry {
    try {
      return BLOCK_ENTRY.parse(JSON.parse(text))
    } catch (error) {
      throw new InputError(this.#file, `is damaged: the index tells nothing of block ${block}`, { cause: error })
    }
  }

  #read({ symbol }: TapeHead, entries: readonly BlockEntry[], id: number, index: number): StoredRows {
    const place = `${this.#file}: block ${index + 1} of ${entries.length} of ${symbol}`
    const bytes = this.#named(() => this.#readBytes.get(id))?.bytes
    if (bytes === undefined) throw new InputError(place, 'is not there any more: the store has changed meanwhile')
    return checkedRows(this.#codec, place, entries[index], () => bytes)
  }

  #named<T>(action: () => T): T {
    return withFaultsNamed(this.#file, action)
  }
}
