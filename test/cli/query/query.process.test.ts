/** Ctrl-C and missing packages, which need a process. */
import { spawn } from 'node:child_process'
import { mkdirSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it } from 'vitest'
import { expectInputError } from '../rig/cli-result.ts'
import { withoutPackage } from '../rig/hidden-package.ts'
import { BIN, cliFolder, runCli } from '../rig/run-cli.ts'

const { folder, write } = cliFolder()

it('Ctrl-C ends a query that would run for days, and removes its temporary files', async () => {
  write('time_ms,price,qty\n1704067200000,100,1\n', 'a.csv')
  const temporary = join(folder, 'temporary')
  mkdirSync(temporary)
  const sql = 'SELECT count(*) FROM trades, range(1000000000000) a, range(1000000) b'
  const child = spawn(process.execPath, [BIN, 'query', sql, 'A_USD=a.csv'], {
    cwd: folder,
    env: { ...process.env, TMPDIR: temporary },
  })
  const ended = new Promise((resolve) => child.once('exit', (_, signal) => resolve(signal)))
  await expect
    .poll(() => readdirSync(temporary, { recursive: true }).join(), { timeout: 60_000 })
    .toContain('part-0.csv')
  child.kill('SIGINT')
  expect(await ended).toBe('SIGINT')
  expect(readdirSync(temporary)).toEqual([])
})

it('without DuckDB, a query says how to install it', async () => {
  write('time_ms,price,qty\n1704067200000,100,1\n', 'a.csv')
  const options = { cwd: folder, nodeFlags: [withoutPackage('@duckdb/node-api')] }
  expectInputError(
    await runCli(['query', 'SELECT 1', 'A_USD=a.csv'], options),
    /^query: needs the package @duckdb\/node-api; run npm install @duckdb\/node-api \(/,
  )
})
