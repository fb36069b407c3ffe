/**
 * The one place that loads better-sqlite3: a compiled package, which npm leaves out where it has no binary and cannot compile one.
 *
 * Invariant: it is loaded when a database is opened, never before, so that everything else works without it.
 */
import { createRequire } from 'node:module'
import type Database from 'better-sqlite3'
import { InputError, type Place } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'

const require = createRequire(import.meta.url)

let loaded: typeof Database | undefined

/**
 * @param where  what asks for it: a file, or a setting
 * @throws {InputError} when the package is not there, or was not compiled
 */
export function loadSqlite(where: Place): typeof Database {
  try {
    return (loaded ??= tried(require('better-sqlite3') as typeof Database))
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const message = `needs the package better-sqlite3, which is not built here: npm install better-sqlite3 (${why})`
    throw new InputError(where, message, { cause: error })
  }
}

/** The compiled part of it is looked for with the first database. */
function tried(Sqlite: typeof Database): typeof Database {
  new Sqlite(':memory:').close()
  return Sqlite
}
