/**
 * The ready strategies on the bundled tapes, from the command line: each trades, its books balance, and it runs again
 * to the byte.
 */
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { join } from 'node:path'
import { jsonRun } from '../cli/rig/cli-result.ts'
import { runCli } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const BTC = ['--tape', 'BTC_USD=data/btc_usd.csv.gz']
const BOTH = [...BTC, '--tape', 'ETH_USD=data/eth_usd.csv.gz', '--to', '2024-01-10']
const { folder } = temporaryFiles()

it.concurrent.each([
  ['rsi-reversion', BTC, 20],
  ['donchian-breakout', BTC, 40],
  ['opening-hours', BTC, 40],
  ['rebalancer', BOTH, 3],
  ['pairs', BOTH, 20],
] as const)('%s', async (strategy, tapes, orders) => {
  const cli = (...args: string[]): ReturnType<typeof runCli> => runCli(args, { cwd: PROJECT })
  const out = join(folder, strategy)
  const report = await jsonRun(cli, 'backtest', strategy, ...tapes, '--taker-fee', '5', '--no-bounds', '--out', out)
  expect(report).toMatchObject({ audit: { ok: true }, refusals: {}, failure: null })
  expect(report.orders).toBeGreaterThanOrEqual(orders)
  expect((await cli('verify', out)).stdout).toBe(`verified: ${report.digest}\n`)
})
