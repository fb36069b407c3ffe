/**
 * Every example does what it is there to show, in the package as it is installed. Each command of examples/README.md is
 * run once, by the test that looks at what it gives or, where none does, as it stands there.
 */
import { spawnSync, execFile } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { beforeAll, describe, expect, it } from 'vitest'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { installPackage } from '../cli/rig/installed-package.ts'
import { BIN } from '../cli/rig/run-cli.ts'
import { DocumentPlace } from '../docs/rig/document-place.ts'
import { runDocument } from '../docs/rig/run-document.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const EXAMPLES = readdirSync(join(PROJECT, 'examples')).filter((file) => /^\d/.test(file))
const README = readFileSync(join(PROJECT, 'examples/README.md'), 'utf8')
const { folder, write } = temporaryFiles()

let place: DocumentPlace
beforeAll(() => {
  place = new DocumentPlace(installPackage(join(folder, 'user'), ['better-sqlite3']), folder)
})

/** The first one in the row that README has for it. */
function commandOf(example: string): string {
  const row = README.split('\n').find((line) => line.startsWith(`| [\`${example}\`]`))
  const [, command] = /\| `([^`|]+)`(?:<br>.*)? \|$/.exec(row ?? '') ?? []
  if (command === undefined) throw new Error(`examples/README.md has no command for ${example}`)
  return command
}

const directoryOf = (example: string): string => join(folder, example)

/**
 * Each runs once, for all that is asked of it: by its command, with a report and files of which none is drawn at its
 * end.
 */
const results = new Map<string, Promise<string>>()

function run(example: string): Promise<string> {
  const written = commandOf(example)
  const command = written.includes(' --out ') ? written : `${written} --out ${directoryOf(example)}`
  const [, out = ''] = / --out (\S+)/.exec(command) ?? []
  place.move(out, directoryOf(example))
  const flags = [' --json', written.includes('--no-bounds') ? '' : ' --no-bounds']
  const result = results.get(example) ?? place.outputOf(`${command}${flags.join('')} 2>${directoryOf(example)}.log`)
  results.set(example, result)
  return result
}

/** Rows of a CSV file of a run, by the names of its header. */
async function rowsOf(example: string, file: string): Promise<Record<string, string>[]> {
  await run(example)
  const [header = [], ...rows] = readFileSync(join(directoryOf(example), file), 'utf8')
    .trim()
    .split('\n')
    .map((line) => line.split(','))
  return rows.map((row) => Object.fromEntries(header.map((column, index) => [column, row[index] ?? ''])))
}

/** Lines that a command of README prints. @param more  behind it */
const printedBy = async (example: string, more = ''): Promise<readonly string[]> =>
  (await place.outputOf(`${commandOf(example)}${more}`)).trimEnd().split('\n')

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
    const report = JSON.parse(await run(example)) as RunReport
    expect(report).toMatchObject({ audit: { ok: true }, failure: null, refusals: {} })
    expect(report.fills).toBeGreaterThan(50)
    expect(report.statistics.roundTrips).toBeGreaterThan(0)
  })
})

it('02-limit-orders rests tagged orders, moves them on its timer, and reports its fills', async () => {
  const orders = await rowsOf('02-limit-orders.ts', 'orders.csv')
  expect(new Set(orders.map(({ type }) => type))).toEqual(new Set(['LIMIT']))
  expect(new Set(orders.map(({ tag, side }) => `${tag ?? ''} ${side ?? ''}`))).toEqual(
    new Set(['bid BUY', 'offer SELL']),
  )
  expect(orders.filter(({ status }) => status === 'CANCELLED').length).toBeGreaterThan(50)
  expect(orders.filter(({ status }) => status === 'FILLED').length).toBeGreaterThan(20)
  const fills = await rowsOf('02-limit-orders.ts', 'fills.csv')
  const log = readFileSync(`${directoryOf('02-limit-orders.ts')}.log`, 'utf8')
  expect(log.match(/\bfilled: (?:BUY|SELL) /g)).toHaveLength(fills.length)
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
  const lines = await printedBy('12-live-on-the-emulator.mjs')
  expect(lines).toContainEqual(expect.stringMatching(/^ {2}\/v1\/orders answered 201 in [\d.]+ ms$/))
  expect(lines).toContainEqual(expect.stringMatching(/^orders +[1-9]\d*, none refused$/))
  expect(lines).toContainEqual(expect.stringMatching(/^exit code 0; the exchange's audit passed; /))
})

it('13-sweep-from-a-program ranks its points and judges the best', async () => {
  const lines = await printedBy('13-sweep-from-a-program.mjs')
  expect(lines.filter((line) => /^ +\d+ +\d+ +-?\d+\.\d\d .+ %/.test(line))).toHaveLength(9)
  expect(lines).toContainEqual(expect.stringMatching(/^9 of 9 combinations ranked, [1-9] on the Pareto front/))
  expect(lines).toContainEqual(expect.stringMatching(/^- The best has a Sharpe ratio of /))
})

it('14-compare-two-runs reports the cause, and makes one page', async () => {
  const directory = join(folder, 'with a space')
  const lines = await printedBy('14-compare-two-runs.sh', ` "${directory}"`)
  expect(lines[0]).toMatch(/^the runs diverge at request \d+ \(.+\): latency \(orderLatencyMs\)$/)
  expect(readFileSync(join(directory, 'both.html'), 'utf8')).toContain('<!doctype html>')
})

interface Notebook {
  readonly cells: readonly { readonly cell_type: string; readonly source: readonly string[] }[]
}

const NOTEBOOK = '15-run-in-a-notebook.ipynb'
const PYTHON = spawnSync('python3', ['--version']).status === 0
if (!PYTHON) console.warn('no python3 on this machine: the notebook is not run')

it.skipIf(!PYTHON)('15-run-in-a-notebook shows what its cells give', async () => {
  await run(NOTEBOOK)
  const RUN = directoryOf(NOTEBOOK)
  const notebook = join(PROJECT, 'examples', NOTEBOOK)
  const runner = fileURLToPath(new URL('rig/run-notebook.py', import.meta.url))
  const { stdout } = await promisify(execFile)('python3', [runner, notebook], { env: { ...process.env, RUN } })
  // Renew it so: RUN=... python3 test/examples/rig/run-notebook.py FILE
  expect(stdout).toBe(readFileSync(notebook, 'utf8'))
})

it.skipIf(!PYTHON)('18-fetch-to-report shows what its cells give', async () => {
  const notebook = join(PROJECT, 'examples/18-fetch-to-report.ipynb')
  const runner = fileURLToPath(new URL('rig/run-notebook.py', import.meta.url))
  const env = {
    ...process.env,
    PYTHONPATH: join(PROJECT, 'python'),
    PYTHONDONTWRITEBYTECODE: '1',
    PAPERTAPE_COMMAND: `"${process.execPath}" "${BIN}"`,
  }
  const { stdout } = await promisify(execFile)('python3', [runner, notebook], { cwd: PROJECT, env })
  // Renew it so: PYTHONPATH=python python3 test/examples/rig/run-notebook.py FILE
  expect(stdout).toBe(readFileSync(notebook, 'utf8'))
})

const hasTest = (file: string): boolean => /^(?:12|13|14|18)-|\.ts$/.test(file) || (file === NOTEBOOK && PYTHON)

runDocument('examples/README.md', README, () => place, false, write, EXAMPLES.filter(hasTest).map(commandOf))
