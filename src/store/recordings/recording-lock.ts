/**
 * A lock on a recording, which one process holds at a time and which ends with it, however that ends.
 *
 * SQLite's lock of a file, because Node has none: one that names a process would outlive a process that is killed.
 */
import type Database from 'better-sqlite3'
import { InputError } from '../../domain/errors.ts'
import { loadSqlite } from '../database/load-sqlite.ts'
import { isSqliteFault } from '../database/sqlite-fault.ts'

export interface RecordingLock {
  release(): void
}

/** @throws {InputError} when the recording is under way already */
export function lockRecording(file: string): RecordingLock {
  const path = `${file}.lock`
  const Sqlite = loadSqlite(file)
  let database: Database.Database | undefined
  try {
    database = new Sqlite(path, { timeout: 0 })
    database.pragma('locking_mode = EXCLUSIVE')
    database.exec('BEGIN EXCLUSIVE')
  } catch (error) {
    database?.close()
    const isBusy = isSqliteFault(error) && /^SQLITE_(?:BUSY|LOCKED)/.test(error.code)
    const why = error instanceof Error ? error.message : String(error)
    const message = isBusy ? 'is being recorded by another process' : `cannot be locked with ${path} (${why})`
    throw new InputError(file, message, { cause: error })
  }
  const held = database
  return {
    release: () => {
      held.close()
    },
  }
}
