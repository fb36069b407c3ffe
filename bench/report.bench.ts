/**
 * How long does a report take to open that has 100 000 orders and 50 000 round trips in its tables, and in its charts what is drawn of
 * 100 000 fills and 1 000 000 candles?
 *
 * From the request for the file to the second frame after all of it is there, the median of some times; beside it, as a ratio, the same
 * page of a small run. Then what sorting and searching such a table take. Budget: 3 s.
 */
import { spawnSync } from 'node:child_process'
import { mkdtempSync, readFileSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { chromium, type Page } from 'playwright-core'
import type { RunReport } from '../src/report/run/run-report.ts'
import { madeUpPage, madeUpRun } from '../test/pages/rig/made-up-report.ts'
import { writeReport } from '../test/pages/rig/report-document.ts'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
const MOST_SECONDS = 3
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
  const [few, many] = [await openedIn(page, small), await openedIn(page, large)]
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
    `50 000 rows sorted in ${sorted.toFixed(0)} ms, 100 000 searched in ${searched.toFixed(0)} ms, of which 120 wait for more letters`,
  )
  console.log(`ratio ${(many / few).toFixed(2)}; budget ${MOST_SECONDS} s`)
  if (many > MOST_SECONDS) process.exitCode = 1
} finally {
  await browser.close()
}
