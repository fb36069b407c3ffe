/**
 * Compiles better-sqlite3 where it does not load and Node itself has no SQLite that serves
 * (`src/store/database/node-sqlite.ts`): an install of this project compiles nothing, and its tests need a database.
 *
 * Two compilations at once break each other: the second waits for the first, and then finds it compiled. Known limit:
 * the lock knows its process by id, so it does not hold between containers.
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { clearInterval, setInterval } from 'node:timers'
import { setTimeout } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import { isAlive } from './is-alive.mjs'

/** It is called from wherever a user stands. */
const cwd = fileURLToPath(new URL('../', import.meta.url))

/** Runs in a separate process, because a binary of another Node may end it. @param {string} code */
const succeeds = (code) => spawnSync(process.execPath, ['-e', code], { cwd }).status === 0

const loads = () =>
  succeeds("require('node:sqlite').StatementSync.prototype.setReturnArrays.name") ||
  succeeds("new (require('better-sqlite3'))(':memory:').close()")

const PROGRESS_MS = 10_000

/** Compiles it with the elapsed time on stderr, because npm prints nothing until it is done. */
async function rebuilt() {
  const startedAt = Date.now()
  const progress = setInterval(() => {
    console.error(`compiling better-sqlite3: ${Math.round((Date.now() - startedAt) / 1000)} s`)
  }, PROGRESS_MS)
  try {
    return await new Promise((resolve, reject) => {
      const npm = spawn('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], {
        cwd,
        stdio: 'inherit',
        shell: process.platform === 'win32',
      })
      npm.once('error', reject)
      npm.once('close', resolve)
    })
  } finally {
    clearInterval(progress)
  }
}

const LOCK = `${cwd}node_modules/.compiling-better-sqlite3`
const POLL_MS = 250

/** Codes of a rename onto a folder that is there and not empty. */
const IS_TAKEN = new Set(['ENOTEMPTY', 'EEXIST', 'EPERM', 'EACCES'])

/** @param {unknown} error */
const codeOf = (error) => (error instanceof Error && 'code' in error ? String(error.code) : '')

/** The id of the process that made a lock; undefined if there is none. @param {string} folder */
function ownerOf(folder) {
  try {
    return Number(readFileSync(`${folder}/pid`, 'utf8'))
  } catch {
    return undefined
  }
}

/**
 * Renames a folder that has its owner already, so that no lock is ever seen without one.
 *
 * @returns false if it is taken
 */
function takeLock() {
  const own = `${LOCK}-${process.pid}`
  mkdirSync(own, { recursive: true })
  writeFileSync(`${own}/pid`, String(process.pid))
  try {
    renameSync(own, LOCK)
    return true
  } catch (error) {
    rmSync(own, { recursive: true })
    if (IS_TAKEN.has(codeOf(error))) return false
    throw error
  }
}

/** Removes the lock of a process that is gone. */
function dropStaleLock() {
  const pid = ownerOf(LOCK)
  if (pid === undefined || isAlive(pid)) return
  const stale = `${LOCK}-${process.pid}`
  try {
    renameSync(LOCK, stale)
  } catch {
    return
  }
  // Another process may have removed it and taken its own meanwhile.
  if (ownerOf(stale) === pid) rmSync(stale, { recursive: true })
  else renameSync(stale, LOCK)
}

async function compile() {
  while (!takeLock()) {
    dropStaleLock()
    await setTimeout(POLL_MS)
  }
  try {
    if (loads()) return
    console.error('compiling better-sqlite3, once: one to two minutes, or seconds if a binary can be downloaded')
    const status = await rebuilt()
    if (status === 0 && loads()) return
    console.error('better-sqlite3 could not be compiled: it needs Python, make and a C++ compiler')
    process.exitCode = 1
  } finally {
    rmSync(LOCK, { recursive: true })
  }
}

// A test takes it as it is: a compiler beside the tests would slow them all, and change what they load.
if (process.env.VITEST === undefined && !loads()) await compile()
