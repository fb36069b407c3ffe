/**
 * The one place that loads SQLite: that of Node itself or, where Node has none that serves, better-sqlite3, a compiled
 * package which is installed by whoever wants a store.
 *
 * In a clone, whose install compiles nothing, it is compiled when it is first asked for; not in a thread that somebody
 * watches, which would be ended meanwhile. Invariant: it is loaded when a database is opened, never before, so that
 * everything else works without it.
 */
import { spawnSync } from 'node:child_process'
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
 * @param where  what asks for it: a file, or a setting
 * @throws {InputError} when the package is not there, was not compiled, or is for another Node
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

/** Undefined where it is not installed. */
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

/** Compiles it where it is not, and says so on stderr, for that takes minutes. */
function triedTwice(): typeof Database {
  try {
    return tried()
  } catch {
    // Its stdout is not ours, which may be JSON.
    spawnSync(process.execPath, [COMPILE], { stdio: ['ignore', 2, 2] })
    return tried()
  }
}
