/**
 * Ready strategies on real recorded markets, as a user would run them: each trades, the books balance, and the same run
 * gives the same journal, also under another version of Node.
 */
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { jsonRun } from '../cli/rig/cli-result.ts'
import { BIN, cliFolder } from '../cli/rig/run-cli.ts'

const DATA = fileURLToPath(new URL('../../../shared/data/', import.meta.url))
const tape = (symbol: string, file: string): readonly string[] => ['--tape', `${symbol}=${join(DATA, file)}`]
const params = (values: Record<string, string | number>): readonly string[] =>
  Object.entries(values).flatMap(([name, value]) => ['--param', `${name}=${value}`])

const BTC = tape('BTC_USDT', 'tapes/binance_spot_btcusdt_trades_20240808T2354-20240809T0005.csv.gz')
const ETH = tape('ETH_USDT', 'tapes/binance_spot_ethusdt_trades_20240808T2354-20240809T0005.csv.gz')
const SPY = tape('SPY_USD', 'tapes/normalised_spy_20131008_trades.csv.gz')
const GOOG = tape('GOOG_USD', 'candles/backtestingpy_GOOG.csv')
/** Eleven minutes are short: an average of 5 and of 12 candles of 5 seconds. */
const SECONDS = params({ interval: '5s', fast: 5, slow: 12 })

const { cli, folder } = cliFolder()
const isPresent = existsSync(DATA)

const RUNS = [
  { name: 'BTC, eleven minutes', flags: [...BTC, ...SECONDS], rows: [19_904] },
  { name: 'BTC and ETH together', flags: [...BTC, ...ETH, ...SECONDS, '--taker-fee', '10'], rows: [19_904, 14_515] },
  {
    name: 'ETH in the company of BTC',
    flags: [...BTC, ...ETH, ...SECONDS, ...params({ symbol: 'ETH_USDT' })],
    rows: [19_904, 14_515],
  },
  { name: 'SPY, a day', flags: [...SPY, ...params({ fast: 5, slow: 20 })], rows: [451_545] },
  { name: 'GOOG, daily candles', flags: [...GOOG, ...params({ interval: '1d' })], rows: [2148] },
]

const [MINUTES, DAYS] = [{ interval: '5s', length: 6 }, { interval: '1d' }]
const PAIR = [...BTC, ...ETH]
const OTHERS = [
  { strategy: 'rsi-reversion', name: 'BTC', flags: [...BTC, ...params(MINUTES)] },
  { strategy: 'rsi-reversion', name: 'GOOG', flags: [...GOOG, ...params(DAYS)] },
  { strategy: 'donchian-breakout', name: 'ETH', flags: [...ETH, ...params(MINUTES)] },
  { strategy: 'donchian-breakout', name: 'GOOG', flags: [...GOOG, ...params(DAYS)] },
  { strategy: 'rebalancer', name: 'BTC and ETH', flags: [...PAIR, ...params({ every: '1m', drift: 0 })] },
  { strategy: 'opening-hours', name: 'SPY', flags: [...SPY, ...params({ opens: '09:35', closes: '15:55' })] },
  {
    strategy: 'pairs',
    name: 'BTC and ETH',
    flags: [...PAIR, ...params({ other: 'ETH_USDT', interval: '5s', length: 12 })],
  },
]

describe.skipIf(!isPresent)('sma-cross on real data (skipped without ../shared/data)', () => {
  it.concurrent.each(RUNS)('$name: trades, balances, and is verified', async ({ name, flags, rows }) => {
    const out = join(folder, name)
    const report = await jsonRun(cli, 'backtest', 'sma-cross', ...flags, '--no-bounds', '--out', out)
    expect(report.tapes.map((each) => each.rows)).toEqual(rows)
    expect(report.fills).toBeGreaterThan(5)
    expect(report.statistics.roundTrips).toBeGreaterThan(2)
    expect(report).toMatchObject({ audit: { ok: true }, refusals: {}, partial: false, failure: null })
    // Runs it a second time, and compares the digest.
    expect(await cli('verify', out)).toEqual({ code: 0, stdout: `verified: ${report.digest}\n`, stderr: '' })
  })

  // That each of them runs again to the byte is in test/strategies/bundled-runs.process.test.ts.
  it.concurrent.each(OTHERS)('so does $strategy on $name, once', async ({ strategy, name, flags }) => {
    const out = join(folder, `${strategy} ${name}`)
    const report = await jsonRun(cli, 'backtest', strategy, ...flags, '--taker-fee', '5', '--no-bounds', '--out', out)
    expect(report.fills).toBeGreaterThan(0)
    expect(report).toMatchObject({ audit: { ok: true }, refusals: {}, partial: false, failure: null })
  })

  it('gives the same digest under Node 24 (skipped when npx cannot get it)', async ({ skip }) => {
    const npx = async (...args: string[]): Promise<string> =>
      (
        await promisify(execFile)('npx', ['-y', 'node@24', ...args], {
          cwd: folder,
          maxBuffer: 2 ** 26,
          timeout: 300_000,
        })
      ).stdout
    const version = await npx('--version').catch(() => undefined)
    if (version?.startsWith('v24.') !== true) return skip('npx -y node@24 does not work here')
    const flags = [...BTC, ...ETH, ...SECONDS, '--json']
    const under24: unknown = JSON.parse(await npx(BIN, 'backtest', 'sma-cross', ...flags))
    const here = await jsonRun(cli, 'backtest', 'sma-cross', ...BTC, ...ETH, ...SECONDS)
    expect(under24).toEqual(here)
  })
})
