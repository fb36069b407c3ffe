/**
 * How smoothly does the window of an emulator draw while a day of a recorded market is played at `--speed max`?
 *
 * Frames that the browser shows in a second, while the tape plays and, in the same page, while nothing happens. Budget:
 * 30 a second.
 */
import { chromium } from 'playwright-core'
import { startEmulator } from '../src/server/emulator/emulator.ts'

const EXECUTABLE = process.env.CHROMIUM ?? '/usr/bin/chromium'
const MIN_FRAMES = 30
const SECONDS = 4
const TAPE = new URL('../data/btc_usd.csv.gz', import.meta.url).pathname

/** Counts the frames of some seconds, and what the page was reported of meanwhile. */
const COUNT = `new Promise((resolve) => {
  const from = performance.now()
  const clock = document.getElementById('now')
  const [first, times] = [clock.textContent, new Set()]
  let frames = 0
  const next = () => {
    frames += 1
    times.add(clock.textContent)
    if (performance.now() - from < ${SECONDS * 1_000}) requestAnimationFrame(next)
    else resolve({ rate: frames / ((performance.now() - from) / 1000), reported: times.size, first, last: clock.textContent })
  }
  requestAnimationFrame(next)
})`

interface Counted {
  readonly rate: number
  readonly reported: number
  readonly first: string
  readonly last: string
}

const browser = await chromium.launch({ executablePath: EXECUTABLE })
const emulator = await startEmulator({ replay: [{ file: TAPE, symbol: 'BTC_USD' }], speed: 'max' })
try {
  const page = await browser.newPage({ viewport: { width: 1440, height: 1000 } })
  await page.goto(emulator.windowUrl)
  await page.locator('#markets button').first().waitFor()
  const busy = await page.evaluate<Counted>(COUNT)
  await page.waitForTimeout(3_000)
  const idle = await page.evaluate<Counted>(COUNT)
  const text = ({ rate, reported, first, last }: Counted): string =>
    `${rate.toFixed(1)} frames/s, ${reported} states of the market shown, ${first} to ${last}`
  console.log(`at --speed max: ${text(busy)}`)
  console.log(`afterwards:     ${text(idle)}`)
  console.log(`ratio ${(busy.rate / idle.rate).toFixed(2)}; budget ${MIN_FRAMES} frames/s`)
  if (busy.rate < MIN_FRAMES) process.exitCode = 1
} finally {
  await emulator.close()
  await browser.close()
}
