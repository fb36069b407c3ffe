/** Compiling better-sqlite3 from two processes at once, with an npm that only writes down that it was called. */
import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  copyFileSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, join } from 'node:path'
import { afterAll, beforeAll, expect, it } from 'vitest'

let folder: string
beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'compile-sqlite-'))
  for (const name of ['scripts', 'bin', 'node_modules/better-sqlite3'])
    mkdirSync(join(folder, name), { recursive: true })
  for (const name of ['compile-sqlite.mjs', 'is-alive.mjs'])
    copyFileSync(`scripts/${name}`, join(folder, 'scripts', name))
  const loaded = "require('node:fs').readFileSync(__dirname + '/built')\nmodule.exports = class { close() {} }\n"
  writeFileSync(join(folder, 'node_modules/better-sqlite3/index.js'), loaded)
  const npm = '#!/bin/sh\necho called >> calls\nsleep 1\necho done > node_modules/better-sqlite3/built\n'
  writeFileSync(join(folder, 'bin/npm'), npm)
  chmodSync(join(folder, 'bin/npm'), 0o755)
})
afterAll(() => rmSync(folder, { recursive: true }))

/** A Node that has an SQLite of its own compiles nothing. */
const WITHOUT = '--no-experimental-sqlite'
const NODE_OPTIONS = process.allowedNodeEnvironmentFlags.has(WITHOUT) ? WITHOUT : ''

const compiled = async (): Promise<number | null> =>
  await new Promise((resolve) => {
    const path = [join(folder, 'bin'), process.env.PATH].join(delimiter)
    const env = { ...process.env, PATH: path, NODE_OPTIONS, VITEST: undefined }
    spawn(process.execPath, ['scripts/compile-sqlite.mjs'], { cwd: folder, env }).once('close', resolve)
  })

it.skipIf(process.platform === 'win32')('compiles once, after the lock of a process that is gone', async () => {
  const lock = join(folder, 'node_modules/.compiling-better-sqlite3')
  mkdirSync(lock)
  writeFileSync(join(lock, 'pid'), String(spawnSync(process.execPath, ['-e', '']).pid))
  expect(await Promise.all([compiled(), compiled(), compiled()])).toEqual([0, 0, 0])
  expect(readFileSync(join(folder, 'calls'), 'utf8')).toBe('called\n')
  expect(readdirSync(join(folder, 'node_modules'))).toEqual(['better-sqlite3'])
})
