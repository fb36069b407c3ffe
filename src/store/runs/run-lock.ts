/**
 * The private folder beside the place of a run, in which its files are gathered: one run at a time has it.
 *
 * The lock on it is one of the operating system and ends with its process. What a killed run left there is found by the next one.
 * Known limit: file systems of other machines may not have such locks; then no run can be written there.
 */
import {
  closeSync,
  lstatSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmdirSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import type Database from 'better-sqlite3'
import { InputError, type Place } from '../../domain/errors.ts'
import { loadSqlite } from '../database/load-sqlite.ts'
import { lockedDatabase } from '../database/locked-database.ts'

/** Whoever only looks after what a killed run left holds it for less than this. */
const BUSY_MS = 200
/** A folder may be taken away by whoever had it while we come to it. */
const ATTEMPTS = 100

/** The folder of the runs into a directory, whose path is absolute. */
export const stageOf = (target: string): string => join(dirname(target), `.${basename(target)}.papertape`)

export class RunLock {
  /** Absolute. */
  readonly stage: string
  readonly #database: Database.Database

  private constructor(stage: string, database: Database.Database) {
    this.stage = stage
    this.#database = database
  }

  /**
   * @param where  the setting that names the directory of the run
   * @param path   of that directory; what is above it is there
   * @throws {InputError} when another run has it
   * @throws an error of the file system when the folder cannot be made
   */
  static take(where: Place, path: string): RunLock {
    // Before anything is made that would have to go again.
    loadSqlite(where)
    const stage = stageOf(resolve(path))
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      makePrivate(where, stage)
      const database = lockOf(stage, () => {
        throw new InputError(where, `another run writes into '${path}'${holderOf(stage)}, and gathers it in '${stage}'`)
      })
      if (database === undefined) continue
      writeFileSync(join(stage, 'pid'), `${process.pid}\n`)
      return new RunLock(stage, database)
    }
    throw new InputError(where, `'${stage}' comes and goes: others write runs into '${path}'`)
  }

  /** Takes the folder away, unless something is left in it. */
  release(): void {
    rmSync(join(this.stage, 'pid'), { force: true })
    // While it is locked: somebody else may take the lock as soon as it is free. Windows removes no open file.
    const isRemoved = succeeds(() => {
      rmSync(lockFile(this.stage))
    })
    this.#database.close()
    if (!isRemoved) succeeds(rmSync.bind(undefined, lockFile(this.stage)))
    succeeds(rmdirSync.bind(undefined, this.stage))
  }
}

const lockFile = (stage: string): string => join(stage, 'lock')

function makePrivate(where: Place, stage: string): void {
  try {
    mkdirSync(stage, { mode: 0o700 })
  } catch (error) {
    if (!isCode(error, 'EEXIST')) throw error
  }
  const stats = lstatSync(stage, { throwIfNoEntry: false })
  if (stats === undefined) return
  if (!stats.isDirectory()) throw new InputError(where, `'${stage}' stands in the way: runs are gathered there`)
  const user = process.getuid?.()
  if (user !== undefined && stats.uid !== user && user !== 0) {
    throw new InputError(where, `'${stage}', where runs are gathered, belongs to another user`)
  }
}

/** Undefined when what was locked is not there any more. */
function lockOf(stage: string, onBusy: () => never): Database.Database | undefined {
  const file = lockFile(stage)
  try {
    // Never opened when it is there: to close it in the process that has it locked would end its lock.
    closeSync(openSync(file, 'wx', 0o600))
  } catch (error) {
    if (isCode(error, 'ENOENT')) return undefined
    if (!isCode(error, 'EEXIST')) throw error
  }
  const before = fileId(file)
  if (before === undefined) return undefined
  let database: Database.Database | undefined
  try {
    database = lockedDatabase(file, BUSY_MS)
  } catch (error) {
    if (fileId(file) !== before) return undefined
    throw error
  }
  if (database === undefined) return fileId(file) === before ? onBusy() : undefined
  if (fileId(file) === before) return database
  // Whoever had the lock has removed the file, and others may have made a new one.
  database.close()
  return undefined
}

const fileId = (file: string): bigint | undefined => statSync(file, { bigint: true, throwIfNoEntry: false })?.ino

function holderOf(stage: string): string {
  try {
    return ` (process ${Number.parseInt(readFileSync(join(stage, 'pid'), 'utf8'), 10)})`
  } catch {
    return ''
  }
}

const isCode = (error: unknown, code: string): boolean =>
  error instanceof Error && 'code' in error && error.code === code

function succeeds(action: () => void): boolean {
  try {
    action()
    return true
  } catch {
    return false
  }
}
