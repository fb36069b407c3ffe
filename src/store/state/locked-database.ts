/**
 * A lock of the operating system, taken through SQLite on a file of its own: it ends with its process, however that ends.
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { InputError, type Place } from '../../domain/errors.ts'
import { isSqliteFault, withFaultsNamed } from './sqlite-fault.ts'

const require = createRequire(import.meta.url)

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

/**
 * Only when something has to be locked: whoever writes no file needs no compiled package.
 *
 * @throws {InputError} when the package is not there, or was not compiled
 */
export function loadSqlite(where: Place): typeof Database {
  try {
    return require('better-sqlite3') as typeof Database
  } catch (error) {
    const [why = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
    throw new InputError(where, `needs the package better-sqlite3 to lock what is written: ${why}`, { cause: error })
  }
}
