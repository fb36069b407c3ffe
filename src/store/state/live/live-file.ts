/**
 * Database of a live account: created, opened and verified.
 *
 * Invariant: it is created atomically, and a returned commit is durable (WAL, `synchronous=FULL`). Known limit: a log
 * (`-wal`) removed from its file goes unnoticed, because its content is nowhere else.
 */
import { chmodSync, closeSync, existsSync, openSync, renameSync, rmSync } from 'node:fs'
import { dirname } from 'node:path'
import type Database from 'better-sqlite3'
import { InputError, invariant } from '../../../domain/errors.ts'
import { loadSqlite } from '../../database/load-sqlite.ts'
import { withFaultsNamed } from '../../database/sqlite-fault.ts'
import { writeFault } from '../../../domain/write-fault.ts'
import { fileStatus } from '../../file-status.ts'
import { syncFolder } from '../../whole-file.ts'

/** `ptlv`, the SQLite application id of these files. */
const LIVE_APPLICATION_ID = 0x70_74_6c_76
/** Incremented when tables change, or the meaning of their rows: since 3 intents record which fills are in files. */
export const LIVE_FILE_FORM = 3

const FULL = 2
/** Other processes write for milliseconds; the limit is for one that was stopped while writing. */
const BUSY_MS = 5_000

/** Text rows have a checksum: SQLite has none outside of its log. */
const TABLES = `
  CREATE TABLE intent (
    id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, crc INTEGER NOT NULL, finished_at INTEGER
  ) STRICT;
  CREATE INDEX intent_finished ON intent (finished_at) WHERE finished_at IS NOT NULL;
  CREATE TABLE known_id (place INTEGER PRIMARY KEY, id TEXT NOT NULL UNIQUE, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE halt (symbol TEXT PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
  CREATE TABLE command (
    id INTEGER PRIMARY KEY AUTOINCREMENT, body TEXT NOT NULL, created_at INTEGER NOT NULL, taken_at INTEGER, answer TEXT
  ) STRICT;
  CREATE TABLE kept (name TEXT PRIMARY KEY, body TEXT NOT NULL, crc INTEGER NOT NULL) STRICT;
`
/** Added in format 2. */
const WAITS = `
  CREATE TABLE wait (
    owner TEXT NOT NULL, id TEXT NOT NULL, body TEXT NOT NULL, crc INTEGER NOT NULL, PRIMARY KEY (owner, id)
  ) STRICT;
`

/**
 * Opens the database, and creates it if missing. Only the holder of the account lock may create it.
 *
 * @throws {InputError} for a file that is not such a database, is newer, damaged, read-only or in use
 */
export function openOrMakeLiveFile(file: string): Database.Database {
  return withFaultsNamed(file, () => {
    if (!existsSync(file)) make(file)
    return open(file)
  })
}

/** @throws {InputError} as above, and if it is missing */
export function openLiveFile(file: string): Database.Database {
  return withFaultsNamed(file, () => open(file))
}

/** Created under another name and renamed, so that a kill leaves no partial file. */
function make(file: string): void {
  if (existsSync(`${file}-wal`)) {
    throw new InputError(file, `is not there, but its log '${file}-wal' is: restore the file, or move the log away`)
  }
  const unfinished = `${file}.new`
  for (const part of ['', '-wal', '-shm', '-journal']) rmSync(unfinished + part, { force: true })
  makeEmpty(unfinished)
  const database = new (loadSqlite(file))(unfinished)
  try {
    database.exec(TABLES + WAITS)
    database.pragma(`application_id = ${LIVE_APPLICATION_ID}`)
    database.pragma(`user_version = ${LIVE_FILE_FORM}`)
    secure(unfinished, database)
  } finally {
    database.close()
  }
  renameSync(unfinished, file)
  syncFolder(dirname(file))
}

/** Readable only by the owner: SQLite gives its log the same mode. */
function makeEmpty(file: string): void {
  try {
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    throw writeFault(file, 'cannot be created', error)
  }
}

function open(file: string): Database.Database {
  checkFile(file)
  const database = new (loadSqlite(file))(file, { fileMustExist: true, timeout: BUSY_MS })
  try {
    const form = formOf(file, database)
    secure(file, database)
    checkWhole(file, database)
    if (form < LIVE_FILE_FORM) bringUpToDate(database)
    chmodSync(file, 0o600)
    return database
  } catch (error) {
    database.close()
    throw error
  }
}

/** Checks the mode as well, which does not restrict root. */
function checkFile(file: string): void {
  const stats = fileStatus(file)
  if (stats === undefined) throw new InputError(file, 'is not there')
  if (!stats.isFile()) throw new InputError(file, 'is not a file')
  if ((stats.mode & 0o222) === 0) throw new InputError(file, 'is read-only')
  if (stats.size === 0) throw new InputError(file, 'is damaged (it is empty)')
}

/** @throws {InputError} for an unsupported format */
function formOf(file: string, database: Database.Database): number {
  if (database.pragma('application_id', { simple: true }) !== LIVE_APPLICATION_ID) {
    throw new InputError(file, 'is the database of another program')
  }
  const form = Number(database.pragma('user_version', { simple: true }))
  if (form > LIVE_FILE_FORM) {
    throw new InputError(
      file,
      `was written by a newer version of papertape (format ${form}; this version reads up to ${LIVE_FILE_FORM})`,
    )
  }
  if (form < 1) throw new InputError(file, `is damaged (form ${form})`)
  return form
}

/** Runs in a transaction, because another process may migrate it at the same time. */
function bringUpToDate(database: Database.Database): void {
  database
    .transaction(() => {
      const form = Number(database.pragma('user_version', { simple: true }))
      if (form < 2) database.exec(WAITS)
      database.pragma(`user_version = ${LIVE_FILE_FORM}`)
    })
    .immediate()
}

/**
 * Sets the pragmas for durability and verifies them: not every file system supports WAL, and reopening resets
 * `synchronous`.
 */
function secure(file: string, database: Database.Database): void {
  const mode = database.pragma('journal_mode = WAL', { simple: true })
  if (mode !== 'wal')
    throw new InputError(file, `is on a file system where SQLite cannot keep a log (journal_mode ${String(mode)})`)
  database.pragma('synchronous = FULL')
  invariant(database.pragma('synchronous', { simple: true }) === FULL, 'a commit is on the disk when it returns')
}

function checkWhole(file: string, database: Database.Database): void {
  const verdict = database.pragma('quick_check(1)', { simple: true })
  if (verdict !== 'ok') throw new InputError(file, `is damaged (${String(verdict)})`)
}
