/**
 * A lock of the operating system, taken through SQLite on a file of its own: it ends with its process, however that
 * ends.
 */
import type Database from 'better-sqlite3'
import { loadSqlite } from './load-sqlite.ts'
import { isSqliteFault, withFaultsNamed } from './sqlite-fault.ts'

/**
 * The lock, which `close` gives back.
 *
 * @param waitMs  for whoever has it for a moment
 * @returns undefined when somebody else has it, in this process or in another
 * @throws {InputError} when the file cannot be locked
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
