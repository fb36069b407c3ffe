/**
 * How much processor does a sweep of 1 000 points cost?
 *
 * `sma-cross` on 43 199 one-minute candles, a whole process each time: budget 40 s of processor, and that of vectorbt for such a grid
 * (`npm run bench:rivals`). Two workers take 1.9 times fewer seconds of the clock than one, a point 5 ms beside its
 * replay, a worker 300 MB; two workers on a tape of 10 million trades 600 MB in all.
 * `npm run bench -- sweep`; `POINTS=100 npm run bench -- sweep` for fewer
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { candlesFile, tradesFile } from './rivals/tapes.ts'

const POINTS = Number(process.env.POINTS ?? 1_000)
const RUNS = 3
const CANDLES = 43_199
const TRADES = 10_000_000
const MIB = 2 ** 20
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

const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
try {
  const candles = candlesFile(join(folder, 'candles.csv'), CANDLES)
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
  // On a tape of next to nothing a point costs all but its replay.
  const short = candlesFile(join(folder, 'short.csv'), 39)
  const beside = [GRID, FEW].map((grid) => median(Array.from({ length: RUNS }, () => sweep(short, 1, grid).seconds)))
  const besideMs = (((beside[0] ?? 0) - (beside[1] ?? 0)) * 1_000) / (FAST * SLOW - 1)
  console.log(`  a point beside its replay: ${besideMs.toFixed(2)} ms of processor`)
  const trades = tradesFile(join(folder, 'trades.csv'), TRADES)
  const large = sweep(trades, 2, ['--param', 'interval=1h', '--param', 'fast=5,10', '--param', 'slow=20,40'])
  console.log(
    `4 points on ${TRADES} trades, two workers: ${large.seconds.toFixed(1)} s of processor, ${mib(large.bytes)}`,
  )
} finally {
  rmSync(folder, { recursive: true, force: true })
}
