/**
 * Somebody studies a strategy: imports recordings, sweeps over them with an interruption in the middle, runs the best
 * again, looks at the pages, and goes through the run event by event.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { afterEach, expect, it } from 'vitest'
import { BIN, cliFolder } from '../cli/rig/run-cli.ts'

const TAPE = fileURLToPath(new URL('../../data/btc_usd.csv.gz', import.meta.url))
const { cli, folder } = cliFolder()
const running: (() => void)[] = []
afterEach(() => {
  for (const end of running.splice(0)) end()
})

const GRID = ['--param', 'interval=15m', '--param', 'fast=5,10,15', '--param', 'slow=20,40,60']
const FROM = ['--tape', 'BTC_USD=papertape.db', '--to', '2024-01-05']
const linesOf = (file: string): readonly string[] => readFileSync(join(folder, file), 'utf8').trimEnd().split('\n')

it('from the import to the replay', async () => {
  expect(await cli('import', `BTC_USD=${TAPE}`, '--quiet')).toMatchObject({ code: 0 })
  expect(await cli('import', `BTC_USD=${TAPE}`)).toMatchObject({ code: 0 })

  const args = ['sweep', 'sma-cross', ...FROM, ...GRID, '--out', 'swept']
  const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, stdio: 'ignore' })
  while (!existsSync(join(folder, 'swept')) && child.exitCode === null)
    await new Promise((done) => setTimeout(done, 50))
  child.kill('SIGINT')
  await once(child, 'exit')
  const swept = await cli(...args)
  expect(swept.code, swept.stderr).toBe(0)
  const [header = '', ...rows] = linesOf('swept/sweep.csv')
  expect(rows).toHaveLength(9)
  const best = Object.fromEntries(header.split(',').map((name, at) => [name, rows[0]?.split(',')[at] ?? '']))

  const params = ['fast', 'slow', 'interval'].flatMap((name) => ['--param', `${name}=${best[name] ?? ''}`])
  const run = await cli('backtest', 'sma-cross', ...FROM, ...params, '--out', 'best', '--json')
  expect(run.code, run.stderr).toBe(0)
  const { digest } = JSON.parse(run.stdout) as { digest: string }
  expect(digest).toBe(best.digest)

  for (const shown of ['swept', 'best']) expect(await cli('report', shown)).toMatchObject({ code: 0 })
  const replay = spawn(process.execPath, [BIN, 'replay', 'best', '--json'], { cwd: folder })
  running.push(() => replay.kill('SIGKILL'))
  const [line] = (await once(replay.stdout, 'data')) as [Buffer]
  const { url } = JSON.parse(line.toString()) as { url: string }
  const page = await fetch(url)
  expect({ status: page.status, isHtml: (await page.text()).includes('<html') }).toEqual({ status: 200, isHtml: true })
  replay.kill('SIGINT')
  expect((await once(replay, 'exit'))[0]).toBe(0)
})
