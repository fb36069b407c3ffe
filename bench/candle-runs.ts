/**
 * A million one-minute candles from a CSV through `sma-cross`, as a user runs it: processor time of the whole process.
 * With its files as a multiple of that, aim 1.15; its page is made when it is asked for. Beside it the same crossing of
 * averages by npm's grademark on the same file, where that installs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { xoroshiro128plus } from 'pure-rand/generator/xoroshiro128plus'
import { uniformInt } from 'pure-rand/distribution/uniformInt'
import { MINUTE_MS } from '../src/domain/time.ts'

const CANDLES = 1_000_000
const RUNS = 3
const CLI = fileURLToPath(new URL('../bundle/cli/main.js', import.meta.url))
const PEER = 'grademark@0.3.0'

/** Reports at the end of a process what it took. */
const METER =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();console.error("cpu="+(user+system)/1e6)})'

/**
 * The entry and exit rules of `sma-cross`, with its lengths and its share of the cash left out: grademark always spends
 * all.
 */
const PEER_RUN = `
const { readFileSync } = require('node:fs')
const { DataFrame } = require('data-forge')
const { backtest } = require('grademark')
const rows = readFileSync(process.argv[2], 'utf8').trim().split('\\n').slice(1).map((line) => {
  const [time, open, high, low, close, volume] = line.split(',').map(Number)
  return { time: new Date(time), open, high, low, close, volume }
})
const mean = (length) => {
  let sum = 0
  return rows.map(({ close }, index) => {
    sum += close - (rows[index - length]?.close ?? 0)
    return index < length - 1 ? undefined : sum / length
  })
}
const [fast, slow] = [mean(10), mean(30)]
rows.forEach((row, index) => Object.assign(row, { isAbove: slow[index] !== undefined && fast[index] > slow[index] }))
const trades = backtest(
  {
    entryRule: (enter, { bar }) => { if (bar.isAbove) enter() },
    exitRule: (exit, { bar }) => { if (!bar.isAbove) exit() },
  },
  new DataFrame(rows),
)
console.log(trades.length + ' trades')
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
    lines.push(`${1_577_836_800_000 + row * MINUTE_MS},${cells.join(',')},${(draw(1, 99_999) / 1_000).toFixed(3)}`)
    price = close
  }
  return `${lines.join('\n')}\n`
}

/** Seconds of processor, and what the process said. */
function timed(folder: string, args: readonly string[]): { readonly seconds: number; readonly said: string } {
  const { stdout, stderr, status } = spawnSync(process.execPath, ['--import', METER, ...args], {
    cwd: folder,
    encoding: 'utf8',
    maxBuffer: 1e8,
  })
  if (status !== 0) throw new Error(`exit code ${String(status)}: ${stderr}`)
  return { seconds: Number(/cpu=([\d.]+)/.exec(stderr)?.[1]), said: stdout }
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** Prints the figures. */
export function runCandles(): void {
  const folder = mkdtempSync(join(tmpdir(), 'papertape-bench-'))
  try {
    const file = join(folder, 'candles.csv')
    writeFileSync(file, candlesCsv())
    const ours = (...more: readonly string[]): number =>
      timed(folder, [CLI, 'backtest', 'sma-cross', '--tape', `BTC_USD=${file}`, ...more]).seconds
    const install = ['install', '--no-audit', '--no-fund', '--prefix', folder, PEER, 'data-forge', 'chai@4']
    const isPeerThere = spawnSync('npm', install, { cwd: folder, timeout: 120_000 }).status === 0
    const script = join(folder, 'peer.cjs')
    writeFileSync(script, PEER_RUN)
    const peers = (): number => timed(folder, ['--max-old-space-size=8000', script, file]).seconds
    const [mine, kept, theirs]: [number[], number[], number[]] = [[], [], []]
    for (let run = 0; run < RUNS; run += 1) {
      mine.push(ours())
      kept.push(ours('--out', 'kept', '--force'))
      if (isPeerThere) theirs.push(peers())
    }
    const beside = isPeerThere ? `${PEER} ${median(theirs).toFixed(1)} s` : `${PEER} did not install`
    const ratio = median(kept) / median(mine)
    console.log(
      `${'candles'.padEnd(20)} ${median(mine).toFixed(1)} s of processor for ${CANDLES} candles (${beside}); with --out ${ratio.toFixed(2)} times`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
