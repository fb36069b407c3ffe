/**
 * How long does a report take to open that has 100 000 orders and 50 000 round trips in its tables, and in its charts 8
 * 000 fills and candles? And one that a run left: of 1 000 000 candles and about 100 000 fills.
 *
 * From the request for the file to the second frame after all of it is there, the median of some times; beside it, as a
 * ratio, the same page of a small run. Then what sorting and searching such a table take. Budget: 3 s, and 5 MB for the
 * page that a run left, which has all of its candles and fills.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import type { RunReport } from '../src/report/run/run-report.ts'
import { seededRandom } from '../src/runtime/strategies/seeded-random.ts'
import { madeUpPage, madeUpRun } from '../test/pages/rig/made-up-report.ts'
import { writeReport } from '../test/pages/rig/report-document.ts'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
const MAX_SECONDS = 3
const MAX_MEGABYTES = 5
const CANDLES = 1_000_000
const TIMES = 5
const TAPE = new URL('../data/btc_usd.csv.gz', import.meta.url).pathname
const BIN = new URL('../bin/papertape.js', import.meta.url).pathname

const FRAMES = 'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))'

const folder = mkdtempSync(join(tmpdir(), 'report-bench-'))
spawnSync(process.execPath, [BIN, 'backtest', 'grid', '--tape', `BTC_USD=${TAPE}`, '--out', 'run'], { cwd: folder })
const report = JSON.parse(readFileSync(join(folder, 'run', 'run.json'), 'utf8')) as RunReport
const small = writeReport(madeUpPage(madeUpRun({ report })))
const large = writeReport(
  madeUpPage(madeUpRun({ report, candles: 8_000, fills: 8_000, trips: 50_000, orders: 100_000 })),
)

/** A walk by chance, a candle a minute, deep enough for any order. */
function longTape(): string {
  const random = seededRandom(7)
  const lines = ['timestamp,open,high,low,close,volume']
  for (let row = 0, price = 10_000; row < CANDLES; row += 1) {
    const open = price
    price = Math.max(5_000, price + Math.round((random() - 0.5) * 30))
    const ends = [Math.max(open, price) + Math.round(random() * 5), Math.min(open, price) - Math.round(random() * 5)]
    const cells = [open, ...ends, price].map((cents) => (cents / 100).toFixed(2))
    lines.push(`${1_600_000_000_000 + row * 60_000},${cells.join(',')},500000`)
  }
  return `${lines.join('\n')}\n`
}

interface LeftRun {
  readonly page: string
  readonly fills: number
  readonly seconds: number
}

/** A run of a strategy that trades all the time, and the page that it left. */
function leftRun(): LeftRun {
  writeFileSync(join(folder, 'long.csv'), longTape())
  const params = ['fast=1', 'slow=30', 'fraction=0.5'].flatMap((param) => ['--param', param])
  spawnSync(process.execPath, [BIN, 'backtest', 'sma-cross', '--tape', 'A_USD=long.csv', ...params, '--out', 'long'], {
    cwd: folder,
  })
  const { fills } = JSON.parse(readFileSync(join(folder, 'long', 'run.json'), 'utf8')) as RunReport
  const from = performance.now()
  spawnSync(process.execPath, [BIN, 'report', 'long'], { cwd: folder })
  const seconds = (performance.now() - from) / 1_000
  return { page: pathToFileURL(join(folder, 'long', 'report.html')).href, fills, seconds }
}

async function openedIn(page: Page, url: string): Promise<number> {
  const times: number[] = []
  for (let count = 0; count < TIMES; count += 1) {
    const from = performance.now()
    await page.goto(url)
    await page.locator('#setup').waitFor()
    await page.evaluate(FRAMES)
    times.push((performance.now() - from) / 1_000)
  }
  return times.sort((one, other) => one - other)[Math.floor(TIMES / 2)] ?? Number.NaN
}

const timed = (act: string): string =>
  `(async () => { const from = performance.now(); ${act}; await ${FRAMES}; return performance.now() - from })()`

const browser = await chromium.launch({ executablePath: EXECUTABLE })
try {
  const page = await browser.newPage({ viewport: { width: 1280, height: 900 } })
  const left = leftRun()
  const [few, real] = [await openedIn(page, small), await openedIn(page, left.page)]
  const many = await openedIn(page, large)
  const sorted = await page.evaluate<number>(timed("document.querySelectorAll('#trips .sort')[4].click()"))
  const searched = await page.evaluate<number>(
    timed(`const field = document.querySelector('#orders input')
      field.value = 'order-9'
      field.dispatchEvent(new Event('input'))
      await new Promise((done) => setTimeout(done, 120))`),
  )
  const megabytes = (url: string): string => (statSync(fileURLToPath(url)).size / 1e6).toFixed(1)
  console.log(`small run:   ${few.toFixed(2)} s, ${megabytes(small)} MB`)
  console.log(`large run:   ${many.toFixed(2)} s, ${megabytes(large)} MB`)
  console.log(
    `run as left: ${real.toFixed(2)} s, ${megabytes(left.page)} MB, ${left.fills} fills; made in ${left.seconds.toFixed(1)} s`,
  )
  console.log(
    `50 000 rows sorted in ${sorted.toFixed(0)} ms, 100 000 searched in ${searched.toFixed(0)} ms, of which 120 wait for more letters`,
  )
  console.log(`ratio ${(many / few).toFixed(2)}; budget ${MAX_SECONDS} s and ${MAX_MEGABYTES} MB`)
  if (Math.max(many, real) > MAX_SECONDS || Number(megabytes(left.page)) > MAX_MEGABYTES) process.exitCode = 1
} finally {
  await browser.close()
  rmSync(folder, { recursive: true })
}
