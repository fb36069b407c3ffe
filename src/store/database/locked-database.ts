/**
 * A lock of the operating system, taken through SQLite on a file of its own: it ends with its process, however that
 * ends.
 */
import type Database from 'better-sqlite3'
import { loadSqlite } from './load-sqlite.ts'
import { isSqliteFault, withFaultsNamed } from './sqlite-fault.ts'

/**
 * The lock, released by `close`.
 *
 * @param waitMs  for a holder that releases it soon
 * @returns undefined if it is held, in this process or another
 * @throws {InputError} if the file cannot be locked
 */
export function lockedDatabase(file: string, waitMs: number): Database.Database | undefined {
  const Sqlite = loadSqlite(file)
  return withFaultsNamed(file, () => {
    const database = new Sqlite(file, { timeout: waitMs })
    try {
      database.exec('BEGIN EXCLUSIVE')
      return database
    } catch (error) {
      database.close()
      if (isSqliteFault(error) && error.code.startsWith('SQLITE_BUSY')) return undefined
      throw error
    }
  })
}
