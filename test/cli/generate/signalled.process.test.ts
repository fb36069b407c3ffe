/** A file that is being written when a signal comes. */
import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, it, vi } from 'vitest'
import { livings } from '../rig/living.ts'
import { cliFolder } from '../rig/run-cli.ts'

const { folder } = cliFolder()
const start = livings()

const CANDLES = Array.from({ length: 300_000 }, (_, row) => `${1_704_067_200_000 + row * 60_000},1,1,1,1,1\n`)

it.each(['SIGINT', 'SIGTERM', 'SIGHUP'] as const)('%s leaves nothing of an unfinished file', async (signal) => {
  const before = readdirSync(folder)
  const living = start(['--days', '3000', '--out', 'a.csv'], { cwd: folder, env: {} }, 'generate')
  await vi.waitUntil(() => readdirSync(folder).some((name) => /^a\.csv\.\d+\.tmp$/.test(name)), { timeout: 60_000 })
  expect(await living.stop(signal)).toBeNull()
  expect(readdirSync(folder)).toEqual(before)
})

it.each(['b.tape', 'b.parquet', 'b.csv.gz'])('SIGTERM leaves nothing of an unfinished %s', async (name) => {
  writeFileSync(join(folder, 'candles.csv'), `time,open,high,low,close,volume\n${CANDLES.join('')}`)
  const before = readdirSync(folder)
  const living = start(['--tape', 'A_USD=candles.csv', '--out', name], { cwd: folder, env: {} }, 'export')
  const isBegun = (): boolean => readdirSync(folder).some((each) => each.startsWith(`${name}.`))
  await vi.waitUntil(isBegun, { timeout: 60_000, interval: 5 })
  // One that was faster than the signal is whole.
  const code = await living.stop('SIGTERM')
  expect(readdirSync(folder)).toEqual(code === null ? before : [name, ...before].sort())
})
