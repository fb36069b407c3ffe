/**
 * The state of a service in a file: one snapshot, and the changes since in batches, one transaction each. A snapshot
 * written while the state keeps changing is a separate file (`snapshot-beside.ts`).
 *
 * Invariant: a change is durable when `append` or `replace` returns (WAL, `synchronous=FULL`), and normally absent if
 * it throws. While it is open no other process can read or write it.
 */
import { chmodSync, closeSync, openSync, rmSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import type Database from 'better-sqlite3'
import { DiskError, InputError, invariant } from '../../domain/errors.ts'
import { AcknowledgedWrites } from './acknowledged-writes.ts'
import { dropSnapshots, snapshotPath, writeSnapshot, type SnapshotBeside } from './snapshot-beside.ts'
import { APPLICATION_ID, fileIdentity, FORM_WITH_BESIDE, openHere, STATE_FILE_FORM } from './state-file-header.ts'
import { loadSqlite } from '../database/load-sqlite.ts'
import { withFaultsNamed } from '../database/sqlite-fault.ts'
import { removePartial } from '../remove-partial.ts'
import { writeFault } from '../../domain/write-fault.ts'

const FULL = 2

/** File mode for the owner, and the bits of everyone else. */
const OWN = 0o600
const OTHERS = 0o077

const TABLES = `
  CREATE TABLE snapshot (id INTEGER PRIMARY KEY CHECK (id = 1), through INTEGER NOT NULL, state BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE batch (id INTEGER PRIMARY KEY, entries BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
`
const TABLE_BESIDE = `
  CREATE TABLE IF NOT EXISTS beside (id INTEGER PRIMARY KEY CHECK (id = 1), through INTEGER NOT NULL, bytes INTEGER NOT NULL, crc INTEGER NOT NULL) STRICT;
`
const WRITE_BESIDE = 'INSERT OR REPLACE INTO beside (id, through, bytes, crc) VALUES (1, ?, ?, ?)'
/** Drops batches contained in a snapshot, a few at a time to keep writes short. */
const DROP_SOME = 'DELETE FROM batch WHERE id IN (SELECT id FROM batch WHERE id <= ? ORDER BY id LIMIT 4)'
const WRITE_SNAPSHOT = 'INSERT OR REPLACE INTO snapshot (id, through, state, crc) VALUES (1, ?, ?, ?)'

export class StateFile {
  readonly #file: string
  readonly #database: Database.Database
  readonly #identity: string
  readonly #writeBatch: Database.Statement<[number, Buffer, number]>
  readonly #writeSnapshot: Database.Statement<[number, Buffer, number]>
  readonly #dropBatches: Database.Statement<[]>
  readonly #acknowledged: AcknowledgedWrites
  readonly #dropSome: Database.Statement<[number]>
  #lastWrite: number
  /** The last write in the separate snapshot; undefined if there is none. */
  #beside: number | undefined
  /** True if batches before the snapshot may remain. */
  #hasOldBatches: boolean
  /** Path of a snapshot being written. */
  #writing: string | undefined

  /** @param lastWrite  from `StoredState` */
  private constructor(file: string, database: Database.Database, lastWrite: number) {
    const identity = fileIdentity(file)
    invariant(identity !== undefined, 'an open database has a file')
    this.#file = file
    this.#database = database
    this.#identity = identity
    this.#lastWrite = lastWrite
    this.#writeBatch = database.prepare('INSERT INTO batch (id, entries, crc) VALUES (?, ?, ?)')
    this.#writeSnapshot = database.prepare(WRITE_SNAPSHOT)
    this.#dropBatches = database.prepare('DELETE FROM batch')
    this.#dropSome = database.prepare(DROP_SOME)
    this.#beside = besideIn(database)
    this.#hasOldBatches = this.#beside !== undefined
    dropSnapshots(file, this.#besidePath)
    this.#acknowledged = new AcknowledgedWrites(file, lastWrite)
    openHere.add(identity)
  }

  /** Creates a missing file. @throws {InputError} */
  static create(file: string, snapshot: string): StateFile {
    // Fails before anything is created.
    loadSqlite(file)
    const isNew = makeEmpty(file)
    makePrivate(file)
    try {
      return StateFile.#made(file, snapshot)
    } catch (error) {
      // On a full disk, an empty file would look like a state at the next start.
      if (isNew && error instanceof DiskError) removePartial(file)
      throw error
    }
  }

  static #made(file: string, snapshot: string): StateFile {
    return opened(file, (database) => {
      database.exec('BEGIN EXCLUSIVE')
      checkIsEmpty(file, database)
      database.exec(TABLES)
      database.prepare(WRITE_SNAPSHOT).run(0, ...checked(snapshot))
      database.pragma(`application_id = ${APPLICATION_ID}`)
      database.pragma(`user_version = ${STATE_FILE_FORM}`)
      database.exec('COMMIT')
      secure(file, database)
      return new StateFile(file, database, 0)
    })
  }

  /** Opens a file that was read before. @throws {InputError} */
  static reopen(file: string, lastWrite: number): StateFile {
    makePrivate(file)
    return opened(file, (database) => {
      secure(file, database)
      if (lastWriteIn(database) !== lastWrite) throw new InputError(file, 'is in use by another process')
      // Left from reading; no other process can have the file open now.
      rmSync(`${file}-shm`, { force: true })
      return new StateFile(file, database, lastWrite)
    })
  }

  /** Appends changes in one transaction. @throws {InputError} */
  append(entries: string): void {
    withFaultsNamed(this.#file, () => {
      if (this.#hasOldBatches) this.#appendAndDrop(entries)
      else this.#writeBatch.run(this.#lastWrite + 1, ...checked(entries))
      this.#lastWrite += 1
      this.#acknowledged.note(this.#lastWrite)
    })
  }

  #appendAndDrop(entries: string): void {
    const dropped = this.#database.transaction(() => {
      this.#writeBatch.run(this.#lastWrite + 1, ...checked(entries))
      return this.#dropSome.run(this.#beside ?? 0).changes
    })()
    this.#hasOldBatches = dropped > 0
  }

  /**
   * Writes a snapshot of everything so far while more is appended, and continues from it once it is durable.
   *
   * @param pieces  of a snapshot taken before this call
   * @param signal  aborts it
   * @returns false if it was aborted
   * @throws {InputError}
   */
  async replaceBeside(pieces: AsyncIterable<string>, signal: AbortSignal): Promise<boolean> {
    invariant(this.#writing === undefined, 'one snapshot is written at a time')
    const through = this.#lastWrite
    const path = snapshotPath(this.#file, through)
    this.#writing = path
    try {
      const written = await writeSnapshot(path, pieces, signal)
      if (written === undefined) return false
      this.#goOnFrom({ through, ...written })
      return true
    } catch (error) {
      // After closing the result no longer matters.
      if (signal.aborted) return false
      if (error instanceof InputError) throw error
      throw writeFault(this.#file, `its snapshot '${path}' cannot be written`, error)
    } finally {
      this.#giveUpWriting(path)
    }
  }

  #goOnFrom({ through, bytes, crc }: SnapshotBeside): void {
    withFaultsNamed(this.#file, () => {
      const write = this.#lastWrite + 1
      this.#database.transaction(() => {
        this.#database.exec(TABLE_BESIDE)
        this.#database.prepare(WRITE_BESIDE).run(through, bytes, crc)
        // Numbered like any other write, so that a log that lost it is noticed.
        this.#writeBatch.run(write, ...checked(''))
        this.#database.pragma(`user_version = ${FORM_WITH_BESIDE}`)
      })()
      this.#lastWrite = write
      this.#acknowledged.note(write)
      const before = this.#besidePath
      this.#beside = through
      this.#hasOldBatches = true
      this.#writing = undefined
      if (before !== undefined && before !== this.#besidePath) rmSync(before, { force: true })
    })
  }

  /** Removes an unfinished snapshot, but not one that the next owner of the file is writing. */
  #giveUpWriting(path: string | undefined): void {
    if (path === undefined || this.#writing !== path) return
    this.#writing = undefined
    rmSync(path, { force: true })
  }

  /** True without a separate snapshot. */
  get isInOneFile(): boolean {
    return this.#beside === undefined
  }

  get #besidePath(): string | undefined {
    return this.#beside === undefined ? undefined : snapshotPath(this.#file, this.#beside)
  }

  /**
   * Replaces the last snapshot and all changes since in one transaction.
   *
   * @throws {InputError}
   */
  replace(snapshot: string): void {
    withFaultsNamed(this.#file, () => {
      const write = this.#lastWrite + 1
      const [state, crc] = checked(snapshot)
      this.#database.transaction(() => {
        this.#dropBatches.run()
        this.#writeSnapshot.run(write, state, crc)
        if (this.#beside === undefined) return
        this.#database.exec('DROP TABLE beside')
        this.#database.pragma(`user_version = ${STATE_FILE_FORM}`)
      })()
      this.#lastWrite = write
      this.#acknowledged.note(write)
      const before = this.#besidePath
      this.#beside = undefined
      this.#hasOldBatches = false
      if (before !== undefined) rmSync(before, { force: true })
      this.#database.pragma('wal_checkpoint(TRUNCATE)')
    })
  }

  /** Idempotent. */
  close(): void {
    if (!this.#database.open) return
    openHere.delete(this.#identity)
    this.#giveUpWriting(this.#writing)
    this.#database.close()
    this.#acknowledged.remove()
  }
}

/** @returns true if the file is new */
function makeEmpty(file: string): boolean {
  const isNew = statSync(file, { throwIfNoEntry: false }) === undefined
  try {
    closeSync(openSync(file, 'a', OWN))
    return isNew
  } catch (error) {
    throw writeFault(file, 'cannot be written', error)
  }
}

/** The file has balances and key hashes, so only the owner may read it; SQLite gives the log the same mode. */
function makePrivate(file: string): void {
  for (const path of [file, `${file}-wal`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? OWN
    if ((mode & OTHERS) !== 0) chmodSync(path, OWN)
  }
}

/** Bytes, which are written fastest, and their checksum: SQLite has none outside of its log. */
function checked(text: string): [Buffer, number] {
  const bytes = Buffer.from(text)
  return [bytes, crc32(bytes)]
}

function opened(file: string, use: (database: Database.Database) => StateFile): StateFile {
  return withFaultsNamed(file, () => {
    const database = new (loadSqlite(file))(file, { timeout: 0 })
    try {
      database.pragma('locking_mode = EXCLUSIVE')
      database.pragma('synchronous = FULL')
      return use(database)
    } catch (error) {
      database.close()
      throw error
    }
  })
}

/** Another process may have created it meanwhile. */
function checkIsEmpty(file: string, database: Database.Database): void {
  if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return
  throw new InputError(file, 'is in use by another process')
}

/** Sets the pragmas for durability and verifies them: not every file system supports WAL. */
function secure(file: string, database: Database.Database): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new InputError(file, `is on a file system where SQLite cannot keep a log (journal_mode ${String(mode)})`)
  database.pragma('synchronous = FULL')
  const synchronous = database.pragma('synchronous', { simple: true })
  invariant(synchronous === FULL, 'a commit is on the disk when it returns')
}

/** The last write in the separate snapshot. */
function besideIn(database: Database.Database): number | undefined {
  if (database.pragma('user_version', { simple: true }) !== FORM_WITH_BESIDE) return undefined
  return database.prepare<[], Pick<SnapshotBeside, 'through'>>('SELECT through FROM beside').get()?.through
}

function lastWriteIn(database: Database.Database): number {
  const row = database
    .prepare<[], { last: number }>(
      'SELECT max((SELECT through FROM snapshot), (SELECT coalesce(max(id), 0) FROM batch)) AS last',
    )
    .get()
  return row?.last ?? 0
}
