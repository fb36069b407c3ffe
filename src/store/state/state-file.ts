/**
 * The state of a service in a file: one snapshot, and what happened after it in batches, each of them one transaction.
 *
 * Invariant: what `append` and `replace` have returned from is on the disk (WAL, `synchronous=FULL`), whole or, when they have thrown,
 * as a rule not at all. While it is open no other process can read or write it.
 */
import { chmodSync, closeSync, openSync, rmSync, statSync } from 'node:fs'
import { crc32 } from 'node:zlib'
import Database from 'better-sqlite3'
import { InputError, invariant } from '../../domain/errors.ts'
import { AcknowledgedWrites } from './acknowledged-writes.ts'
import { APPLICATION_ID, fileIdentity, openHere, STATE_FILE_FORM } from './state-file-header.ts'
import { withFaultsNamed } from './sqlite-fault.ts'

const FULL = 2

/** Rights of the owner alone, and those of everybody else. */
const OWN = 0o600
const OTHERS = 0o077

const TABLES = `
  CREATE TABLE snapshot (id INTEGER PRIMARY KEY CHECK (id = 1), through INTEGER NOT NULL, state BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE batch (id INTEGER PRIMARY KEY, entries BLOB NOT NULL, crc INTEGER NOT NULL) STRICT;
`
const WRITE_SNAPSHOT = 'INSERT OR REPLACE INTO snapshot (id, through, state, crc) VALUES (1, ?, ?, ?)'

export class StateFile {
  readonly #file: string
  readonly #database: Database.Database
  readonly #identity: string
  readonly #writeBatch: Database.Statement<[number, Buffer, number]>
  readonly #writeSnapshot: Database.Statement<[number, Buffer, number]>
  readonly #dropBatches: Database.Statement<[]>
  readonly #acknowledged: AcknowledgedWrites
  #lastWrite: number

  /** @param lastWrite  as `StoredState` has it */
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
    this.#acknowledged = new AcknowledgedWrites(file, lastWrite)
    openHere.add(identity)
  }

  /** Makes a file that is not there yet. @throws {InputError} */
  static create(file: string, snapshot: string): StateFile {
    closeSync(openSync(file, 'a', OWN))
    keepPrivate(file)
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

  /** Goes on with a file that was read before. @throws {InputError} */
  static reopen(file: string, lastWrite: number): StateFile {
    keepPrivate(file)
    return opened(file, (database) => {
      secure(file, database)
      if (lastWriteIn(database) !== lastWrite) throw new InputError(file, 'is in use by another process')
      // Reading it has left this behind, and nobody else can have the file open now.
      rmSync(`${file}-shm`, { force: true })
      return new StateFile(file, database, lastWrite)
    })
  }

  /** Writes what happened, in one transaction. @throws {InputError} */
  append(entries: string): void {
    withFaultsNamed(this.#file, () => {
      this.#writeBatch.run(this.#lastWrite + 1, ...checked(entries))
      this.#lastWrite += 1
      this.#acknowledged.note(this.#lastWrite)
    })
  }

  /** Puts a snapshot in the place of the last one and of all that came after it, in one transaction. @throws {InputError} */
  replace(snapshot: string): void {
    withFaultsNamed(this.#file, () => {
      const write = this.#lastWrite + 1
      const [state, crc] = checked(snapshot)
      this.#database.transaction(() => {
        this.#dropBatches.run()
        this.#writeSnapshot.run(write, state, crc)
      })()
      this.#lastWrite = write
      this.#acknowledged.note(write)
      this.#database.pragma('wal_checkpoint(TRUNCATE)')
    })
  }

  /** Once is enough; more do no harm. */
  close(): void {
    if (!this.#database.open) return
    openHere.delete(this.#identity)
    this.#database.close()
    this.#acknowledged.remove()
  }
}

/** Hashes of keys and everybody's money are for nobody else to read; SQLite gives the log the rights of the file. */
function keepPrivate(file: string): void {
  for (const path of [file, `${file}-wal`]) {
    const mode = statSync(path, { throwIfNoEntry: false })?.mode ?? OWN
    if ((mode & OTHERS) !== 0) chmodSync(path, OWN)
  }
}

/** Bytes, which are the quickest to be written, and their checksum: SQLite has none of what lies outside of its log. */
function checked(text: string): [Buffer, number] {
  const bytes = Buffer.from(text)
  return [bytes, crc32(bytes)]
}

function opened(file: string, use: (database: Database.Database) => StateFile): StateFile {
  return withFaultsNamed(file, () => {
    const database = new Database(file, { timeout: 0 })
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

/** Someone else may have made it in the meantime. */
function checkIsEmpty(file: string, database: Database.Database): void {
  if (database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined) return
  throw new InputError(file, 'is in use by another process')
}

/** Sets what makes a commit durable, and reads it back: a file system may not be able to. */
function secure(file: string, database: Database.Database): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal') throw new InputError(file, `lies where SQLite cannot keep a log (journal_mode ${String(mode)})`)
  database.pragma('synchronous = FULL')
  const synchronous = database.pragma('synchronous', { simple: true })
  invariant(synchronous === FULL, 'a commit is on the disk when it returns')
}

function lastWriteIn(database: Database.Database): number {
  const row = database
    .prepare<[], { last: number }>(
      'SELECT max((SELECT through FROM snapshot), (SELECT coalesce(max(id), 0) FROM batch)) AS last',
    )
    .get()
  return row?.last ?? 0
}
