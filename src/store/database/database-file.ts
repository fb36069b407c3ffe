/**
 * SQLite file of a tape database: opened for reading, or by its single writer.
 *
 * Invariants: a returned commit is durable (WAL, `synchronous=FULL`); a file of another program, of a newer papertape,
 * or a damaged one is refused before it is used. Known limit: blocks of a file above 64 MB are not verified when it is
 * opened. Each is verified by its checksum when it is read, and `papertape tapes check` reads all of them.
 */
import { closeSync, openSync, readSync, statSync } from 'node:fs'
import type Database from 'better-sqlite3'
import { InputError, invariant } from '../../domain/errors.ts'
import { WITHOUT_WAITING } from '../../import/file-bytes.ts'
import { fileStatus } from '../file-status.ts'
import { loadSqlite } from './load-sqlite.ts'
import { isBusy, withFaultsNamed } from './sqlite-fault.ts'

/** One an earlier papertape has released is never changed. */
export const MIGRATIONS: readonly string[] = [
  `CREATE TABLE tape (
     id INTEGER PRIMARY KEY AUTOINCREMENT, symbol TEXT NOT NULL, kind TEXT NOT NULL, interval INTEGER,
     conditions INTEGER NOT NULL, marked INTEGER NOT NULL, UNIQUE (symbol, kind, interval)
   ) STRICT;
   CREATE TABLE block (
     id INTEGER PRIMARY KEY AUTOINCREMENT, tape INTEGER NOT NULL REFERENCES tape, first INTEGER NOT NULL, last INTEGER NOT NULL,
     entry TEXT NOT NULL, bytes BLOB NOT NULL
   ) STRICT;
   CREATE INDEX block_of_tape ON block (tape, first, last, id);
   CREATE TABLE gap (
     id INTEGER PRIMARY KEY, tape INTEGER NOT NULL REFERENCES tape, start INTEGER NOT NULL, stop INTEGER NOT NULL, why TEXT NOT NULL,
     UNIQUE (tape, start, stop)
   ) STRICT;
   CREATE TABLE newest (
     id INTEGER PRIMARY KEY, tape INTEGER NOT NULL REFERENCES tape, time INTEGER NOT NULL, trade ANY NOT NULL,
     price INTEGER NOT NULL, qty INTEGER NOT NULL, buyer_maker INTEGER NOT NULL,
     price_precision INTEGER NOT NULL, qty_precision INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX newest_of_tape ON newest (tape, id);
   CREATE TABLE import (
     id INTEGER PRIMARY KEY AUTOINCREMENT, tape INTEGER NOT NULL REFERENCES tape, manifest TEXT NOT NULL
   ) STRICT;`,
  `CREATE TABLE run (id TEXT PRIMARY KEY, kept_at INTEGER NOT NULL, summary TEXT NOT NULL) STRICT;
   CREATE TABLE run_file (
     run TEXT NOT NULL REFERENCES run, name TEXT NOT NULL, bytes BLOB NOT NULL, PRIMARY KEY (run, name)
   ) STRICT;`,
  `CREATE TABLE trial (
     id TEXT PRIMARY KEY, strategy TEXT NOT NULL, source TEXT, tape TEXT NOT NULL, params TEXT NOT NULL, digest TEXT, sharpe REAL,
     statistics TEXT NOT NULL, ran_at INTEGER NOT NULL
   ) STRICT;
   CREATE INDEX trial_of_strategy ON trial (strategy, tape, sharpe);`,
]

/** `ptdb`, the SQLite application id of these files. */
const APPLICATION_ID = 0x70_74_64_62
/** First bytes of every SQLite database. */
export const SQLITE_START = Buffer.from('SQLite format 3\0')
const HEADER_BYTES = 100
const FORM_OFFSET = 60
const APPLICATION_ID_OFFSET = 68
const FULL = 2
/** Enough for a writer that is about to finish. */
const BUSY_MS = 200
/** Files up to this size are verified completely when they are opened. */
const MAX_CHECKED_BYTES = 64 * 1024 * 1024

/** All tables except those with nearly all of the bytes. */
const SMALL_TABLES =
  "SELECT name FROM sqlite_schema WHERE type = 'table' AND name NOT LIKE 'sqlite%' AND name NOT IN ('block', 'run_file')"

/** @throws {InputError} for a file that is not a papertape database, is damaged, or cannot be read */
export function openForReading(file: string): Database.Database {
  if (fileStatus(file) === undefined)
    throw new InputError(file, 'no such file; create it with papertape import or backtest --db')
  checkHeader(file)
  const Sqlite = loadSqlite(file)
  return withFaultsNamed(file, () => {
    const database = new Sqlite(file, { readonly: true, timeout: BUSY_MS })
    if (!isUnmade(database)) return opened(file, database)
    database.close()
    throw new InputError(file, 'is empty')
  })
}

/**
 * Refuses a file that cannot be used as database. A missing file is accepted, and so is one that another process is
 * creating.
 *
 * @throws {InputError} as `openForReading`
 */
export function checkStore(file: string): void {
  const Sqlite = loadSqlite(file)
  checkHeader(file)
  if ((fileStatus(file)?.size ?? 0) === 0) return
  withFaultsNamed(file, () => {
    const database = new Sqlite(file, { readonly: true, timeout: BUSY_MS })
    if (isUnmade(database)) database.close()
    else opened(file, database).close()
  })
}

/** True for a new database: the header is written before anything else. */
const isUnmade = (database: Database.Database): boolean =>
  formOf(database) === 0 &&
  applicationIdOf(database) === 0 &&
  database.prepare('SELECT 1 FROM sqlite_schema').get() === undefined

/** Waiting for another writer instead of failing immediately. */
export interface Patience {
  /** Maximum time to wait for another writer, blocking this thread, in milliseconds. */
  readonly waitMs: number
  /** Called before waiting. */
  readonly onBusy: () => void
}

/**
 * Opens or creates a database, within a transaction that the caller commits or rolls back. Only one writer at a time.
 *
 * @throws {InputError} as `openForReading`, and if another process is writing
 */
export function openForWriting(file: string, patience?: Patience): Database.Database {
  checkHeader(file)
  const Sqlite = loadSqlite(file)
  return withFaultsNamed(file, () => {
    const database = new Sqlite(file, { timeout: BUSY_MS })
    try {
      if (!isUnmade(database)) checkForm(file, formOf(database), applicationIdOf(database))
      begin(database, patience)
    } catch (error) {
      database.close()
      throw isBusy(error) ? new InputError(file, 'another process is writing to it: wait until it has finished') : error
    }
    migrate(database)
    return opened(file, database)
  })
}

function begin(database: Database.Database, patience: Patience | undefined): void {
  try {
    database.pragma('journal_mode = WAL')
    database.pragma('synchronous = FULL')
    const synchronous = database.pragma('synchronous', { simple: true })
    invariant(synchronous === FULL, 'a commit is on the disk when it returns')
    database.exec('BEGIN IMMEDIATE')
  } catch (error) {
    if (patience === undefined || !isBusy(error)) throw error
    patience.onBusy()
    database.pragma(`busy_timeout = ${patience.waitMs}`)
    begin(database, undefined)
  }
}

function migrate(database: Database.Database): void {
  const form = formOf(database)
  for (const step of MIGRATIONS.slice(form)) database.exec(step)
  if (form === MIGRATIONS.length) return
  database.pragma(`application_id = ${APPLICATION_ID}`)
  database.pragma(`user_version = ${MIGRATIONS.length}`)
}

const formOf = (database: Database.Database): number => Number(database.pragma('user_version', { simple: true }))

const applicationIdOf = (database: Database.Database): number =>
  Number(database.pragma('application_id', { simple: true }))

/** Closes the database if a check fails. */
function opened(file: string, database: Database.Database): Database.Database {
  try {
    checkForm(file, formOf(database), applicationIdOf(database))
    const checks =
      statSync(file).size <= MAX_CHECKED_BYTES
        ? ['quick_check(1)']
        : database
            .prepare<[], { readonly name: string }>(SMALL_TABLES)
            .all()
            .map(({ name }) => `quick_check('${name}')`)
    for (const check of checks) {
      const verdict = database.pragma(check, { simple: true })
      if (verdict !== 'ok') throw new InputError(file, `is damaged (${String(verdict).replaceAll(/\s+/g, ' ')})`)
    }
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/**
 * Checks the header without SQLite, which would leave files next to it. A missing or empty file is valid: it will be
 * created.
 */
function checkHeader(file: string): void {
  const stats = fileStatus(file)
  if (stats === undefined || (stats.isFile() && stats.size === 0)) return
  if (!stats.isFile()) throw new InputError(file, 'is not a file')
  const header = Buffer.alloc(HEADER_BYTES)
  const descriptor = openSync(file, WITHOUT_WAITING)
  const length = readSync(descriptor, header, 0, HEADER_BYTES, 0)
  closeSync(descriptor)
  if (length < HEADER_BYTES || !header.subarray(0, SQLITE_START.length).equals(SQLITE_START)) {
    throw new InputError(file, 'is not a papertape database, or is damaged')
  }
  // A database that a killed process created but did not fill counts as new; its tables may also be in the WAL.
  const form = header.readUInt32BE(FORM_OFFSET)
  if (form > 0) checkForm(file, form, header.readUInt32BE(APPLICATION_ID_OFFSET))
}

function checkForm(file: string, form: number, applicationId: number): void {
  if (applicationId !== APPLICATION_ID) throw new InputError(file, 'is a database of another program')
  if (form > MIGRATIONS.length) {
    throw new InputError(
      file,
      `was written by a newer version of papertape (format ${form}; this version reads up to ${MIGRATIONS.length})`,
    )
  }
}
