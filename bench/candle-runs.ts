/**
 * A million one-minute candles from a CSV through `sma-cross`, as a user runs it: processor time of the whole process.
 * With its files as a multiple of that, aim 1.15; its page is made when it is asked for. Beside it the same crossing of
 * averages by npm's grademark on the same file, where that installs.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { candlesFile } from './rivals/tapes.ts'

const CANDLES = 1_000_000
const RUNS = 3
const CLI = fileURLToPath(new URL('../bundle/cli/main.js', import.meta.url))

/** Reports at the end of a process what it took. */
const METER =
  'data:text/javascript,process.on("exit",()=>{const{user,system}=process.cpuUsage();console.error("cpu="+(user+system)/1e6)})'

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
    const file = candlesFile(join(folder, 'candles.csv'), CANDLES)
    const ours = (...more: readonly string[]): number =>
      timed(folder, [CLI, 'backtest', 'sma-cross', '--tape', `BTC_USD=${file}`, ...more]).seconds
    const [mine, kept]: [number[], number[]] = [[], []]
    for (let run = 0; run < RUNS; run += 1) {
      mine.push(ours())
      kept.push(ours('--out', 'kept', '--force'))
    }
    const ratio = median(kept) / median(mine)
    console.log(
      `${'candles'.padEnd(20)} ${median(mine).toFixed(1)} s of processor for ${CANDLES} candles; with --out ${ratio.toFixed(2)} times`,
    )
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}
