/**
 * How much processor does a sweep of 1 000 points cost?
 *
 * `sma-cross` on 43 199 one-minute candles, a whole process each time: budget 40 s of processor, and that of vectorbt for the same grid in the
 * same run, where Python has it. Two workers take 1.9 times fewer seconds of the clock than one, a point 5 ms beside
 * its replay, a worker 300 MB; two workers on a tape of 10 million trades 600 MB in all.
 * `npm run bench -- sweep`; `POINTS=100 npm run bench -- sweep` for fewer
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { MINUTE_MS } from '../src/domain/time.ts'

const POINTS = Number(process.env.POINTS ?? 1_000)
const RUNS = 3
const CANDLES = 43_199
const TRADES = 10_000_000
const MIB = 2 ** 20
const START = 1_577_836_800_000
const CLI = fileURLToPath(new URL('../bundle/cli/main.js', import.meta.url))

/** Reports at the end of a process what it took. */
const METER =
  'data:text/javascript,import{isMainThread}from"node:worker_threads";isMainThread&&process.on("exit",()=>{const{userCPUTime:u,systemCPUTime:s,maxRSS:m}=process.resourceUsage();console.error("took="+(u+s)/1e6+" "+m*1024)})'

/**
 * Sides of the grid, as many points as are asked for or a few more: fast averages below 100 candles, slow ones above.
 */
const FAST = 20
const SLOW = Math.ceil(POINTS / FAST)
const GRID = ['--param', 'fast=5..100/5', '--param', `slow=110..${100 + 10 * SLOW}/10`]

const FEW = ['--param', 'fast=5', '--param', 'slow=110']

const PEER = `
import resource, sys, time
import numpy as np, pandas as pd, vectorbt as vbt
close = pd.read_csv(sys.argv[1])['close']
fast, slow = np.arange(5, 101, 5), np.arange(110, 101 + 10 * int(sys.argv[2]), 10)
pairs = [(f, s) for f in fast for s in slow]
a = vbt.MA.run(close, [f for f, _ in pairs], short_name='fast')
b = vbt.MA.run(close, [s for _, s in pairs], short_name='slow')
portfolio = vbt.Portfolio.from_signals(close, a.ma_crossed_above(b), a.ma_crossed_below(b), init_cash=10000, size=0.95, size_type='percent', freq='1min')
total, sharpe, drawdown = portfolio.total_return(), portfolio.sharpe_ratio(), portfolio.max_drawdown()
usage = resource.getrusage(resource.RUSAGE_SELF)
print(vbt.__version__, usage.ru_utime + usage.ru_stime, usage.ru_maxrss * 1024, len(total))
`

function candlesCsv(): string {
  const generator = xoroshiro128plus(7)
  const draw = (least: number, most: number): number => uniformInt(generator, least, most)
  const lines = ['time,open,high,low,close,volume']
  let price = 2_000_000
  for (let row = 0; row < CANDLES; row += 1) {
    const close = Math.max(1_000, price + draw(-600, 600))
    const [high, low] = [Math.max(price, close) + draw(0, 150), Math.min(price, close) - draw(0, 150)]
    const cells = [price, high, low, close].map((ticks) => (ticks / 100).toFixed(2))
    lines.push(`${START + row * MINUTE_MS},${cells.join(',')},${(draw(1, 99_999) / 1_000).toFixed(3)}`)
    price = close
  }
  return `${lines.join('\n')}\n`
}

/** Pieces, because one text would be too long. */
function writeTrades(file: string): void {
  const generator = xoroshiro128plus(8)
  let price = 2_000_000
  writeFileSync(file, 'id,time,price,qty,is_buyer_maker\n')
  for (let first = 0; first < TRADES; first += 100_000) {
    const lines: string[] = []
    for (let row = first; row < Math.min(TRADES, first + 100_000); row += 1) {
      price = Math.max(1_000, price + uniformInt(generator, -20, 20))
      lines.push(`${row},${START + row * 250},${(price / 100).toFixed(2)},${1 + (row % 7)},${row % 2 === 0}\n`)
    }
    writeFileSync(file, lines.join(''), { flag: 'a' })
  }
}

interface Taken {
  /** Seconds of the processor, and of the clock. */
  readonly seconds: number
  readonly clock: number
  /** Highest resident bytes. */
  readonly bytes: number
  readonly said: string
}

function timed(command: string, args: readonly string[], figures: RegExp): Taken {
  const start = performance.now()
  const { stdout, stderr, status } = spawnSync(command, args, { encoding: 'utf8', maxBuffer: 1e9 })
  if (status !== 0) throw new Error(`exit code ${String(status)}: ${stderr}`)
  const [, seconds, bytes] = figures.exec(`${stdout}${stderr}`) ?? []
  return { seconds: Number(seconds), clock: (performance.now() - start) / 1_000, bytes: Number(bytes), said: stdout }
}

const sweep = (tape: string, workers: number, grid: readonly string[]): Taken =>
  timed(
    process.execPath,
    [
      '--import',
      METER,
      CLI,
      'sweep',
      'sma-cross',
      '--tape',
      `BTC_USD=${tape}`,
      ...grid,
      '--json',
      '--workers',
      String(workers),
    ],
    /took=([\d.]+) (\d+)/,
  )

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN
const mib = (bytes: number): string => `${(bytes / MIB).toFixed(0)} MB`

function peerOf(tape: string): string {
  if (spawnSync('python3', ['-c', 'import vectorbt']).status !== 0) {
    return 'no vectorbt in python3 here: pip install vectorbt, and it is measured too'
  }
  const runs = Array.from({ length: RUNS }, () =>
    timed('python3', ['-c', PEER, tape, String(SLOW)], /^\S+ ([\d.]+) (\d+) /m),
  )
  const name = `vectorbt ${runs[0]?.said.split(' ')[0] ?? ''}`
  return `${name}: ${median(runs.map(({ seconds }) => seconds)).toFixed(1)} s of processor, ${mib(median(runs.map(({ bytes }) => bytes)))}`
}

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
try {
  const candles = join(folder, 'candles.csv')
  writeFileSync(candles, candlesCsv())
  const [one, two]: [Taken[], Taken[]] = [[], []]
  for (let run = 0; run < RUNS; run += 1) {
    two.push(sweep(candles, 2, GRID))
    one.push(sweep(candles, 1, GRID))
  }
  const seconds = median(two.map((each) => each.seconds))
  const faster = median(one.map((each, run) => each.clock / (two[run]?.clock ?? Number.NaN)))
  console.log(
    `${FAST * SLOW} points, two workers: ${seconds.toFixed(1)} s of processor, ${((seconds * 1_000) / FAST / SLOW).toFixed(1)} ms a point`,
  )
  console.log(
    `  ${mib(median(two.map(({ bytes }) => bytes)))} in all; one worker ${mib(median(one.map(({ bytes }) => bytes)))}`,
  )
  console.log(`  two workers against one, by the clock: ${faster.toFixed(2)} times`)
  console.log(`  ${peerOf(candles)}`)
  // On a tape of next to nothing a point costs all but its replay.
  const short = join(folder, 'short.csv')
  writeFileSync(short, candlesCsv().split('\n').slice(0, 40).join('\n'))
  const beside = [GRID, FEW].map((grid) => median(Array.from({ length: RUNS }, () => sweep(short, 1, grid).seconds)))
  const besideMs = (((beside[0] ?? 0) - (beside[1] ?? 0)) * 1_000) / (FAST * SLOW - 1)
  console.log(`  a point beside its replay: ${besideMs.toFixed(2)} ms of processor`)
  const trades = join(folder, 'trades.csv')
  writeTrades(trades)
  const large = sweep(trades, 2, ['--param', 'interval=1h', '--param', 'fast=5,10', '--param', 'slow=20,40'])
  console.log(
    `4 points on ${TRADES} trades, two workers: ${large.seconds.toFixed(1)} s of processor, ${mib(large.bytes)}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
