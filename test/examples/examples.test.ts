/**
 * Every example does what it is there to show, on the bundled tape.
 */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { reportIn, runCli, type CliResult } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLES = readdirSync(join(PROJECT, 'examples')).filter((file) => file.endsWith('.ts'))
/** Those that are no strategy are run with a ready one. */
const AS_FLAGS: Readonly<Record<string, readonly string[]>> = {
  '03-liquidity-model.ts': ['grid', '--no-bounds', '--liquidity', 'examples/03-liquidity-model.ts'],
}
const { folder } = temporaryFiles()

const run = (example: string, ...flags: string[]): Promise<CliResult> =>
  runCli(
    ['backtest', ...(AS_FLAGS[example] ?? [`examples/${example}`]), '--tape', 'BTC_USD=data/btc_usd.csv.gz', ...flags],
    { cwd: PROJECT },
  )

/** Rows of a CSV file of the run, by the names of its header. */
function rowsOf(file: string): Record<string, string>[] {
  const [header = [], ...rows] = readFileSync(join(folder, file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(header.map((name, index) => [name, row[index] ?? ''])))
}

it('examples are numbered without a gap', () => {
  expect(EXAMPLES.map((file) => Number(file.slice(0, 2)))).toEqual(EXAMPLES.map((_, index) => index + 1))
})

describe.each(EXAMPLES)('%s', (example) => {
  it('trades, and its books balance', async () => {
    const result = await run(example, '--json')
    expect(result.code).toBe(0)
    const report = reportIn(result)
    expect(report).toMatchObject({ audit: { ok: true }, failure: null })
    expect(report.fills).toBeGreaterThan(50)
    expect(report.statistics.roundTrips).toBeGreaterThan(0)
  })

  it('is explained in examples/README.md, with a command that runs it', () => {
    const readme = readFileSync(join(PROJECT, 'examples/README.md'), 'utf8')
    expect(readme).toMatch(new RegExp(`npx papertape backtest .*examples/${example} `))
  })
})

it('02-limit-orders rests tagged orders, moves them on its timer, and tells of its fills', async () => {
  const { code, stderr } = await run('02-limit-orders.ts', '--to', '2024-01-03', '--quiet', '--out', folder)
  expect(code).toBe(0)
  const orders = rowsOf('orders.csv')
  expect(new Set(orders.map(({ type }) => type))).toEqual(new Set(['LIMIT']))
  expect(new Set(orders.map(({ tag, side }) => `${tag ?? ''} ${side ?? ''}`))).toEqual(
    new Set(['bid BUY', 'offer SELL']),
  )
  expect(orders.filter(({ status }) => status === 'CANCELLED').length).toBeGreaterThan(50)
  expect(orders.filter(({ status }) => status === 'FILLED').length).toBeGreaterThan(20)
  const fills = rowsOf('fills.csv')
  expect(stderr.trim().split('\n')).toHaveLength(fills.length)
  expect(new Set(fills.map(({ is_maker }) => is_maker))).toContain('true')
})
