/**
 * Loads SQLite, the only place to do so: that of Node or, if it is unsuitable, better-sqlite3, a compiled package that
 * users of a database install.
 *
 * In a clone, which compiles nothing on install, it is compiled on first use; not in a thread with a watchdog, which
 * would be terminated. Invariant: it is loaded when a database is opened, never before, so that everything else works
 * without it.
 */
import { existsSync } from 'node:fs'
import { createRequire } from 'node:module'
import { fileURLToPath } from 'node:url'
import { isMainThread } from 'node:worker_threads'
import type Database from 'better-sqlite3'
import { InputError, type Place } from '../../domain/errors.ts'
import { thrownText } from '../../domain/thrown-text.ts'
import { nodeSqlite } from './node-sqlite.ts'

const require = createRequire(import.meta.url)

/** From this version on it comes compiled, for Node 22 and newer; an older Node does not survive loading it. */
const COMPILED = { version: 13, node: 22 }

const isOldNode = Number.parseInt(process.versions.node, 10) < COMPILED.node
const INSTALL = `npm install better-sqlite3${isOldNode ? `@${COMPILED.version - 1}` : ''}`

/** npm shows nothing while it compiles. */
const HOW_LONG = isOldNode ? ', which may compile for one to two minutes' : ''

/** There in a clone alone. */
const COMPILE = fileURLToPath(new URL('../../../scripts/compile-sqlite.mjs', import.meta.url))

let loaded: typeof Database | undefined

/**
 * @param where  file or setting that needs it
 * @throws {InputError} if the package is missing, not compiled, or compiled for another Node
 */
export function loadSqlite(where: Place): typeof Database {
  loaded ??= nodeSqlite()
  if (loaded !== undefined) return loaded
  const version = installedVersion()
  if (version === undefined) throw new InputError(where, `needs the package better-sqlite3: run ${INSTALL}${HOW_LONG}`)
  if (isOldNode && Number.parseInt(version, 10) >= COMPILED.version) {
    const message = `better-sqlite3 ${version} needs Node ${COMPILED.node}, but this is Node ${process.version}: ${INSTALL}`
    throw new InputError(where, message)
  }
  try {
    return (loaded = isMainThread && existsSync(COMPILE) ? triedTwice() : tried())
  } catch (error) {
    const [why = ''] = thrownText(error).split('\n')
    const command = existsSync(COMPILE) ? 'npm run sqlite' : 'npm rebuild better-sqlite3 --ignore-scripts=false'
    const message = `needs the package better-sqlite3, which is not compiled: run ${command} (${why})`
    throw new InputError(where, message, { cause: error })
  }
}

/** Undefined if it is not installed. */
function installedVersion(): string | undefined {
  try {
    return (require('better-sqlite3/package.json') as { version: string }).version
  } catch {
    return undefined
  }
}

/** The compiled part of it is looked for with the first database. */
function tried(): typeof Database {
  const Sqlite = require('better-sqlite3') as typeof Database
  new Sqlite(':memory:').close()
  return Sqlite
}

/** Compiles it if necessary, with a message on stderr, because that takes minutes. */
function triedTwice(): typeof Database {
  try {
    return tried()
  } catch {
    const { spawnSync } = process.getBuiltinModule('node:child_process')
    // Its stdout is not ours, which may be JSON.
    spawnSync(process.execPath, [COMPILE], { stdio: ['ignore', 2, 2] })
    return tried()
  }
}
