/**
 * Compiles better-sqlite3 where it does not load and Node itself has no SQLite that serves (`src/store/database/node-sqlite.ts`): an
 * install of this project compiles nothing, and its tests need a database.
 */
import { spawn, spawnSync } from 'node:child_process'
import { clearInterval, setInterval } from 'node:timers'
import { fileURLToPath } from 'node:url'

/** It is called from wherever a user stands. */
const cwd = fileURLToPath(new URL('../', import.meta.url))

/** In a process of its own, because a binary of another Node may end it. @param {string} code */
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

if (process.env.VITEST !== undefined) {
  // A test takes it as it is: a compiler beside the tests would slow them all, and change what they load.
} else if (!loads()) {
  console.error('compiling better-sqlite3, once: one to two minutes, or seconds if a binary can be downloaded')
  const status = await rebuilt()
  if (status !== 0 || !loads()) {
    console.error('better-sqlite3 could not be compiled: it needs Python, make and a C++ compiler')
    process.exitCode = 1
  }
}
