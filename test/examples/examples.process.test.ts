/**
 * Every example does what it is there to show, on the tapes that come along. Its command in examples/README.md is run by
 * test/docs/commands.
 */
import { execFile, spawnSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { describe, expect, it } from 'vitest'
import { reportIn, type CliResult } from '../cli/rig/cli-result.ts'
import { runCli } from '../cli/rig/run-cli.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLES = readdirSync(join(PROJECT, 'examples')).filter((file) => file !== 'README.md')
const README = readFileSync(join(PROJECT, 'examples/README.md'), 'utf8')
const { folder } = temporaryFiles()

const TAPE = ['--tape', 'BTC_USD=data/btc_usd.csv.gz']
/** End of what is long enough for what the tests look at. */
const ENOUGH = ['--to', '2024-01-09']
const ENDS: Readonly<Record<string, readonly string[]>> = {
  '02-limit-orders.ts': ['--to', '2024-01-03'],
  // It trades once in a day or two.
  '16-two-averages.ts': [],
  // Its tape has an hour.
  '11-order-book.ts': [],
}
const SECOND_TAPE = ['--tape', 'ETH_USD=data/eth_usd.csv.gz']
const BOOK = ['--tape', 'BTC_USD=data/btc_usd_hour.csv.gz', '--depth', 'BTC_USD=data/btc_usd_book.csv.gz']
/** Arguments of those that are not run as a strategy on the bundled tape. */
const ARGUMENTS: Readonly<Record<string, readonly string[]>> = {
  '03-liquidity-model.ts': ['grid', '--liquidity', 'examples/03-liquidity-model.ts', ...TAPE],
  '07-several-markets.ts': ['examples/07-several-markets.ts', ...TAPE, ...SECOND_TAPE],
  '11-order-book.ts': ['examples/11-order-book.ts', ...BOOK],
}

const directoryOf = (example: string): string => join(folder, example)

/** Each runs once, for all that is asked of it. */
const results = new Map<string, Promise<CliResult>>()

function run(example: string): Promise<CliResult> {
  const args = ARGUMENTS[example] ?? [`examples/${example}`, ...TAPE]
  const flags = ['--json', '--no-bounds', '--out', directoryOf(example), ...(ENDS[example] ?? ENOUGH)]
  const result = results.get(example) ?? runCli(['backtest', ...args, ...flags], { cwd: PROJECT })
  results.set(example, result)
  return result
}

/** Rows of a CSV file of a run, by the names of its header. */
async function rowsOf(example: string, file: string): Promise<Record<string, string>[]> {
  expect((await run(example)).code).toBe(0)
  const [header = [], ...rows] = readFileSync(join(directoryOf(example), file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(header.map((column, index) => [column, row[index] ?? ''])))
}

/** Lines that a program of the examples prints. */
async function printedBy(program: string, file: string, ...args: string[]): Promise<readonly string[]> {
  const { stdout } = await promisify(execFile)(program, [`examples/${file}`, ...args], { cwd: PROJECT })
  return stdout.trimEnd().split('\n')
}

it('examples are numbered without a gap', () => {
  const numbers = [...new Set(EXAMPLES.map((file) => Number(file.slice(0, 2))))]
  expect(numbers).toEqual(numbers.map((_, index) => index + 1))
})

describe.each(EXAMPLES)('%s', (example) => {
  const text = readFileSync(join(PROJECT, 'examples', example), 'utf8')

  it('is in the table of examples/README.md', () => {
    expect(README).toMatch(new RegExp(`^\\| \\[\`${example}\`\\]\\(${example}\\) \\| .+ \\| \`.+\` \\|$`, 'm'))
  })

  it('has less than 60 lines of code', () => {
    const notebook = example.endsWith('.ipynb') ? (JSON.parse(text) as Notebook) : undefined
    const code = notebook?.cells.flatMap((cell) => (cell.cell_type === 'code' ? cell.source : [])) ?? text.split('\n')
    expect(code.filter((line) => line.trim() !== '').length).toBeLessThan(60)
  })
})

describe.each(EXAMPLES.filter((file) => file.endsWith('.ts')))('%s', (example) => {
  it('trades, and its books balance', async () => {
    const result = await run(example)
    expect(result.code).toBe(0)
    const report = reportIn(result)
    expect(report).toMatchObject({ audit: { ok: true }, failure: null, refusals: {} })
    expect(report.fills).toBeGreaterThan(50)
    expect(report.statistics.roundTrips).toBeGreaterThan(0)
  })
})

it('02-limit-orders rests tagged orders, moves them on its timer, and tells of its fills', async () => {
  const orders = await rowsOf('02-limit-orders.ts', 'orders.csv')
  expect(new Set(orders.map(({ type }) => type))).toEqual(new Set(['LIMIT']))
  expect(new Set(orders.map(({ tag, side }) => `${tag ?? ''} ${side ?? ''}`))).toEqual(
    new Set(['bid BUY', 'offer SELL']),
  )
  expect(orders.filter(({ status }) => status === 'CANCELLED').length).toBeGreaterThan(50)
  expect(orders.filter(({ status }) => status === 'FILLED').length).toBeGreaterThan(20)
  const fills = await rowsOf('02-limit-orders.ts', 'fills.csv')
  const { stderr } = await run('02-limit-orders.ts')
  expect(stderr.match(/\bfilled: (?:BUY|SELL) /g)).toHaveLength(fills.length)
  expect(new Set(fills.map(({ is_maker }) => is_maker))).toContain('true')
})

it('07-several-markets holds one market after the other', async () => {
  const trips = await rowsOf('07-several-markets.ts', 'trades.csv')
  expect(new Set(trips.map(({ symbol }) => symbol))).toEqual(new Set(['BTC_USD', 'ETH_USD']))
})

it('08-own-indicator plots a ratio from 0 to 1', async () => {
  const values = (await rowsOf('08-own-indicator.ts', 'plots.csv')).map(({ value }) => Number(value))
  expect(values.length).toBe(748)
  expect(Math.min(...values)).toBeGreaterThanOrEqual(0)
  expect(Math.max(...values)).toBeLessThanOrEqual(1)
})

it('09-virtual-time sells a quarter of an hour of the market after it bought', async () => {
  const trips = await rowsOf('09-virtual-time.ts', 'trades.csv')
  expect(trips.length).toBeGreaterThan(10)
  const held = trips.map(({ opened_at = '', closed_at = '' }) => Date.parse(closed_at) - Date.parse(opened_at))
  expect(new Set(held)).toEqual(new Set([15 * 60_000]))
})

it('10-stops-and-brackets leaves by stops and by targets', async () => {
  const orders = await rowsOf('10-stops-and-brackets.ts', 'orders.csv')
  const sales = orders.filter(({ side, status }) => side === 'SELL' && status === 'FILLED')
  expect(new Set(sales.map(({ type }) => type))).toEqual(new Set(['MARKET', 'LIMIT']))
})

it('12-live-on-the-emulator orders, is answered, and leaves nothing open', async () => {
  const lines = await printedBy(process.execPath, '12-live-on-the-emulator.mjs')
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}\/v1\/orders answered 201 in [\d.]+ ms$/))
  expect(lines).toContainEqual(expect.stringMatching(/^orders +[1-9]\d*, none refused$/))
  expect(lines).toContainEqual(expect.stringMatching(/^exit code 0; the exchange's audit passed; /))
})

it('13-sweep-from-a-program ranks its points and judges the best', async () => {
  const lines = await printedBy(process.execPath, '13-sweep-from-a-program.mjs')
  expect(lines.filter((line) => /^ +\d+ +\d+ +-?\d+\.\d\d .+ %/.test(line))).toHaveLength(9)
  expect(lines).toContainEqual(expect.stringMatching(/^9 of 9 combinations ranked, [1-9] on the Pareto front/))
  expect(lines).toContainEqual(expect.stringMatching(/^- The best has a Sharpe ratio of /))
})

it('14-compare-two-runs tells the cause, and makes one page', async () => {
  const directory = join(folder, 'with a space')
  const lines = await printedBy('bash', '14-compare-two-runs.sh', directory)
  expect(lines[0]).toMatch(/^the runs diverge at request \d+ \(.+\): latency \(orderLatencyMs\)$/)
  expect(readFileSync(join(directory, 'both.html'), 'utf8')).toContain('<!doctype html>')
})

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[]
}

const PYTHON = spawnSync('python3', ['--version']).status === 0
if (!PYTHON) console.warn('no python3 on this machine: the notebook is not run')

it.skipIf(!PYTHON)('15-run-in-a-notebook shows what its cells give', async () => {
  const RUN = join(folder, '15')
  const flags = ['--param', 'interval=1h', '--taker-fee', '5', '--out', RUN, '--quiet']
  expect((await runCli(['backtest', 'sma-cross', ...TAPE, ...flags], { cwd: PROJECT })).code).toBe(0)
  const notebook = join(PROJECT, 'examples/15-run-in-a-notebook.ipynb')
  const runner = fileURLToPath(new URL('rig/run-notebook.py', import.meta.url))
  const { stdout } = await promisify(execFile)('python3', [runner, notebook], { env: { ...process.env, RUN } })
  // Renew it so: RUN=... python3 test/examples/rig/run-notebook.py FILE
  expect(stdout).toBe(readFileSync(notebook, 'utf8'))
})
