/**
 * How long does the whole process take, from the shell to the last line?
 *
 * Budget: 150 ms for `--help`, 1.5 s for `npm start` (a grid on a week of the bundled tape, run under three liquidity
 * models). Beside them, in the same run, a bare `node -e 0`, and what is not bundled. `npm run bench -- startup`
 */
import { spawnSync } from 'node:child_process'
import { cpus } from 'node:os'
import { performance } from 'node:perf_hooks'
import { fileURLToPath } from 'node:url'

const RUNS = 7

const fileOf = (path: string): string => fileURLToPath(new URL(path, import.meta.url))
const cwd = fileOf('..')
const main = fileOf('../bundle/cli/main.js')
const backtest = (...args: readonly string[]): readonly string[] => [
  ...[main, 'backtest', ...args, '--tape', 'BTC_USD=data/btc_usd.csv.gz'],
]

interface Case {
  readonly name: string
  readonly args: readonly string[]
}

const BARE: Case = { name: 'node -e 0', args: ['-e', '0'] }
const CASES: readonly Case[] = [
  { name: 'papertape --help', args: [fileOf('../bin/papertape.js'), '--help'] },
  { name: 'npm start: a week of a grid, three models', args: [fileOf('../scripts/start.mjs')] },
  { name: 'grid, a month, three models', args: backtest('grid') },
  { name: 'the same, as single modules', args: [fileOf('../dist/cli/main.js'), ...backtest('grid').slice(1)] },
  { name: 'grid, one model', args: backtest('grid', '--no-bounds') },
  { name: 'market-maker, one model', args: backtest('market-maker', '--no-bounds') },
]

/** Milliseconds of one process. */
function timed({ name, args }: Case): number {
  const before = performance.now()
  const { status, stderr } = spawnSync(process.execPath, args, { cwd, encoding: 'utf8' })
  if (status !== 0) throw new Error(`${name} ended with ${String(status)}: ${stderr}`)
  return performance.now() - before
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

console.log(`${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}, median of ${RUNS} processes`)
// One after the other within a round, so that whatever else the machine does meets them all.
const rounds = Array.from({ length: RUNS }, () => [BARE, ...CASES].map(timed))
const medians = [BARE, ...CASES].map((_, index) => median(rounds.map((round) => round[index] ?? Number.NaN)))
const [bare = Number.NaN] = medians
for (const [index, { name }] of [BARE, ...CASES].entries()) {
  const ms = medians[index] ?? Number.NaN
  console.log(`${name.padEnd(42)} ${ms.toFixed(0).padStart(5)} ms, ${(ms / bare).toFixed(1)} times as much`)
}
