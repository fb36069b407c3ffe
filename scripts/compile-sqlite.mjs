/**
 * Compiles better-sqlite3 where it does not load: an install of this project compiles nothing, and its tests need it.
 */
import { spawnSync } from 'node:child_process'
import { fileURLToPath } from 'node:url'

/** It is called from wherever a user stands. */
const cwd = fileURLToPath(new URL('../', import.meta.url))

/** In a process of its own, for a binary of another Node may end it. */
const loads = () =>
  spawnSync(process.execPath, ['-e', "new (require('better-sqlite3'))(':memory:').close()"], { cwd }).status === 0

if (process.env.VITEST !== undefined) {
  // A test takes it as it is: a compiler beside the tests would slow them all, and change what they load.
} else if (!loads()) {
  console.error(
    'better-sqlite3 is compiled now, once: a few minutes, or seconds where there is a binary of it to download',
  )
  const { status } = spawnSync('npm', ['rebuild', 'better-sqlite3', '--ignore-scripts=false'], {
    cwd,
    stdio: 'inherit',
    shell: process.platform === 'win32',
  })
  if (status !== 0 || !loads()) {
    console.error('better-sqlite3 could not be compiled: it takes Python, make and a C++ compiler')
    process.exitCode = 1
  }
}
