/**
 * The lock of a live account, held by one process of this machine at a time.
 *
 * It is a lock of the operating system, taken through SQLite on a separate file, so it ends with its process in any
 * case, and there are no stale locks. Known limits: network file systems may not support such locks, and
 * processes on other machines are not detected.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { z } from 'zod'
import { writeFault } from '../../../domain/write-fault.ts'
import { loadSqlite } from '../../database/load-sqlite.ts'
import { isSqliteFault, withFaultsNamed } from '../../database/sqlite-fault.ts'
import { makeDirectory } from '../../make-directory.ts'

/**
 * The lock, released by `close`.
 *
 * @param waitMs  for a holder that releases it soon
 * @returns undefined if it is held, in this process or another
 * @throws {InputError} if the file cannot be locked
 */
function lockedDatabase(file: string, waitMs: number): Database.Database | undefined {
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

/** Process that has the lock, as it says itself. */
export interface LockHolder {
  readonly pid: number
  /** When it took the lock, Unix milliseconds. */
  readonly since: number
}

const HOLDER: z.ZodType<LockHolder> = z.object({ pid: z.int(), since: z.number() })

/** Longer than a status query or an operator command holds the lock. */
const BUSY_MS = 1_000
const LOOK_MS = 200

const lockFile = (directory: string): string => join(directory, 'live.lock')
/** Apart from the lock: to open and close the locked file in the process that has it would end its lock. */
const holderFile = (directory: string): string => join(directory, 'live.pid')

export class AccountLock {
  readonly #database: Database.Database

  private constructor(database: Database.Database) {
    this.#database = database
  }

  /**
   * Takes the lock, and creates the directory if missing.
   *
   * @param waitMs  for a holder that releases it soon
   * @returns undefined if another process holds it
   * @throws {InputError} if the directory is not writable
   */
  static take(directory: string, holder: LockHolder, waitMs = BUSY_MS): AccountLock | undefined {
    try {
      makeDirectory(resolve(directory), 0o700)
    } catch (error) {
      throw writeFault(directory, 'cannot be created', error)
    }
    const database = lockedDatabase(lockFile(directory), waitMs)
    if (database === undefined) return undefined
    try {
      reportHolder(directory, holder)
    } catch (error) {
      database.close()
      throw error
    }
    return new AccountLock(database)
  }

  /** Whether a process has it, this one included. @throws {InputError} when that cannot be known */
  static isTaken(directory: string): boolean {
    const file = lockFile(directory)
    if (!existsSync(file)) return false
    const database = lockedDatabase(file, LOOK_MS)
    database?.close()
    return database === undefined
  }

  /** Idempotent. */
  release(): void {
    this.#database.close()
  }
}

function reportHolder(directory: string, holder: LockHolder): void {
  const file = holderFile(directory)
  try {
    writeFileSync(file, `${JSON.stringify(holder)}\n`, { mode: 0o600 })
  } catch (error) {
    throw writeFault(file, 'cannot be written', error)
  }
}

/** Who has the lock, for messages: undefined when that cannot be read. Only after it could not be taken. */
export function lockHolder(directory: string): LockHolder | undefined {
  try {
    return HOLDER.parse(JSON.parse(readFileSync(holderFile(directory), 'utf8')))
  } catch {
    return undefined
  }
}
