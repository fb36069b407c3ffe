/**
 * A backtest of each kind of tape, from the file that somebody has to the page that they look at, with trouble on the
 * way.
 */
import { existsSync, readFileSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { BIN, cliFolder } from '../cli/rig/run-cli.ts'
import { hasBrowser, openBrowser, openPage } from '../pages/rig/browser.ts'

const dataFile = (name: string): string => fileURLToPath(new URL(`../../data/${name}`, import.meta.url))
const { cli, folder, write } = cliFolder()

const START = Date.UTC(2024, 0, 2)
const rows = (count: number, row: (index: number) => string): string =>
  Array.from({ length: count }, (_, at) => `${row(at)}\n`).join('')
const price = (at: number): number => 100 + (at % 10)

const TRADES = rows(
  200,
  (at) => `${at + 1},${price(at)}.00,2.0,${price(at) * 2}.00,${START + at * 3_000},${String(at % 3 === 0)},true`,
)
const OWN_TRADES = `id,createdAt,side,price,qty\n${rows(200, (at) => `${at + 1},${START + at * 3_000},${at % 3 === 0 ? 'sell' : 'buy'},${price(at)}.00,2.0`)}`
const MINUTES = `time,open,high,low,close,volume\n${rows(30, (at) => `${START + at * 60_000},${price(at)},${price(at) + 2},${price(at) - 2},${price(at) + 1},50`)}`
/** Days of a share: they open at 05:00 UTC, and not at weekends. */
const DAYS = `time,open,high,low,close,volume\n${rows(9, (at) => `2024-01-${String([2, 3, 4, 5, 8, 9, 10, 11, 12][at]).padStart(2, '0')}T05:00:00Z,${price(at)},${price(at) + 2},${price(at) - 2},${price(at) + 1},5000`)}`

const strategy = (signal: string): string => `import { defineStrategy } from 'papertape'
import { ignoreElements, map, merge, take, tap } from 'rxjs'
import { z } from 'zod'

let seen = 0
export default defineStrategy({
  name: 'in-and-out',
  params: z.object({}),
  run: ({ trades, candles, buyMarket, sellMarket }) => merge(
    ${signal}.pipe(take(6), map((_, index) => (index % 2 === 0 ? buyMarket('A_USD', '1') : sellMarket('A_USD', '1')))),
    ${signal}.pipe(tap(() => (seen += 1, console.log('SEEN ' + seen))), ignoreElements()),
  ),
})
`
const BY_TRADES = strategy("trades('A_USD')")
const BY_MINUTES = strategy("candles('A_USD', '1m')")
const BY_DAYS = strategy("candles('A_USD', '1d')")

beforeAll(async () => {
  write(TRADES, 'A_USD-trades-2024-01-02.csv')
  write(OWN_TRADES, 'own.csv')
  write(MINUTES, 'minutes.csv')
  write(DAYS, 'days.csv')
  write(BY_TRADES, 'by-trades.ts')
  write(BY_MINUTES, 'by-minutes.ts')
  write(BY_DAYS, 'by-days.ts')
  for (const to of [
    ['--out', 'own.tape'],
    ['--db', 'tapes.db'],
  ])
    expect(await cli('import', 'A_USD=own.csv', ...to, '--quiet')).toMatchObject({ code: 0, stderr: '' })
})

let browser: Browser | undefined
beforeAll(async () => {
  browser = hasBrowser ? await openBrowser() : undefined
})
afterAll(async () => {
  await browser?.close()
})

/** The exact value that a page shows of a figure. */
async function shownFigure(file: string, figure: string): Promise<string | null | undefined> {
  if (browser === undefined) return undefined
  const { page, troubles } = await openPage(browser, pathToFileURL(join(folder, file)).href)
  const shown = await page.locator(`[data-figure="${figure}"]`).first().getAttribute('data-exact')
  expect(troubles).toEqual([])
  await page.close()
  return shown
}

const reportOf = (run: string): RunReport => JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8'))

describe('a backtest, its page, and its repetition', () => {
  it.concurrent.each([
    ['trades of Binance', 'by-trades.ts', ['A_USD=A_USD-trades-2024-01-02.csv'], 200],
    ['trades with a header', 'by-trades.ts', ['A_USD=own.csv'], 200],
    ['a .tape file', 'by-trades.ts', ['own.tape'], 200],
    ['a store', 'by-trades.ts', ['A_USD=tapes.db'], 200],
    ['candles of a minute', 'by-minutes.ts', ['A_USD=minutes.csv'], 30],
    ['days that open at 05:00 UTC', 'by-days.ts', ['A_USD=days.csv'], 9],
    [
      'trades with a recorded book',
      'by-trades.ts',
      [`A_USD=${dataFile('btc_usd_hour.csv.gz')}`, '--depth', `A_USD=${dataFile('btc_usd_book.csv.gz')}`],
      1000,
    ],
  ] as const)('of %s', async (kind, file, tape, least) => {
    const out = kind.replaceAll(/\W+/g, '-')
    const run = await cli('backtest', file, '--tape', ...tape, '--credit', '1000000:USD', '--out', out)
    expect(run.code, run.stderr).toBe(0)
    // Not one value of the tape was lost on the way to the strategy.
    expect(run.stderr.match(/SEEN \d+/g)?.length).toBeGreaterThanOrEqual(least)
    const report = reportOf(out)
    expect(report).toMatchObject({ failure: null, partial: false, audit: { ok: true }, orders: 6, refusals: {} })
    expect(report.fills).toBeGreaterThanOrEqual(6)
    if (hasBrowser) expect(await shownFigure(`${out}/report.html`, 'finalEquity')).toBe(report.finalEquity)
    expect(await cli('verify', out)).toMatchObject({
      code: 0,
      stdout: expect.stringContaining(report.digest) as string,
    })
  })

  it('gives the same from every form of one recording', () => {
    const runs = ['trades-with-a-header', 'a-tape-file', 'a-store'].map(reportOf)
    expect(new Set(runs.map(({ finalEquity, fills }) => `${finalEquity} ${fills}`)).size).toBe(1)
  })
})

describe('trouble with a backtest', () => {
  it('a row that is wrong is named with its line, and nothing is left', async () => {
    write(OWN_TRADES.replace(',105.00,', ',105.00x,'), 'wrong.csv')
    const { code, stdout, stderr } = await cli(
      'backtest',
      'by-trades.ts',
      '--tape',
      'A_USD=wrong.csv',
      '--out',
      'never',
    )
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' })
    expect(stderr).toMatch(/^papertape: wrong\.csv:7:4: expected a price such as 12\.5, got '105\.00x'/)
    expect(existsSync(join(folder, 'never'))).toBe(false)
  })

  it('a kill in its middle leaves nothing that the next run minds', async () => {
    const args = ['backtest', 'by-trades.ts', '--tape', 'A_USD=own.csv', '--credit', '1000000:USD', '--out', 'killed']
    const child = spawn(process.execPath, [BIN, ...args], { cwd: folder, stdio: ['ignore', 'ignore', 'pipe'] })
    child.stderr.once('data', () => child.kill('SIGKILL'))
    await once(child, 'exit')
    expect(readdirSync(folder).includes('killed') ? reportOf('killed').audit.ok : true).toBe(true)
    expect(await cli(...args, '--force')).toMatchObject({ code: 0 })
    expect(await cli('verify', 'killed')).toMatchObject({ code: 0 })
    expect(readdirSync(folder).filter((name) => name.startsWith('.'))).toEqual([])
  })

  it('a page that is gone, or of a run that was changed by hand, is made again or reported', async () => {
    const again = await cli('report', 'killed', '--out', 'again.html')
    expect(again).toMatchObject({ code: 0 })
    if (hasBrowser) expect(await shownFigure('again.html', 'finalEquity')).toBe(reportOf('killed').finalEquity)
    const path = join(folder, 'killed/fills.csv')
    write(readFileSync(path, 'utf8').replace('BUY', 'SELL'), 'killed/fills.csv')
    expect(await cli('verify', 'killed')).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('fills.csv') as string,
    })
  })
})
