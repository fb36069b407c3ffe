/**
 * Takes the pictures of the pages that stand in docs/pictures, light and dark: the build is served on a virtual clock
 * and looked at in the browser of CHROMIUM (default: /usr/bin/chromium).
 *
 * node scripts/picture-pages.mjs [FOLDER]
 */
import { spawn, spawnSync } from 'node:child_process'
import { mkdirSync, mkdtempSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { chromium } from 'playwright-core'
import { startEmulator } from '../dist/emulator.js'

const folder = process.argv[2] ?? 'docs/pictures'
const START = Date.UTC(2024, 2, 1)
const SIZE = { width: 1440, height: 1080 }

mkdirSync(folder, { recursive: true })
const browser = await chromium.launch({ executablePath: process.env.CHROMIUM ?? '/usr/bin/chromium' })
try {
  await pictureEmulator()
  await pictureSession()
  await pictureReplay()
  await pictureSweep()
  await pictureReport()
} finally {
  await browser.close()
}

/** An hour and a half of two markets of agents, some orders, a fault. */
async function pictureEmulator() {
  const emulator = await startEmulator({ virtualClock: true, start: START })
  try {
    await emulator.advance(90 * 60_000)
    await emulator.credit('user-1', 'BTC', '2')
    await emulator.fault({ fault: 'engine-timeout-after', route: 'POST /orders', count: 3 })
    for (const scheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: SIZE, colorScheme: scheme })
      page.on('console', (message) => console.log(message.type(), message.text()))
      await page.goto(emulator.windowUrl)
      await page.locator('#bids tbody tr').first().waitFor()
      if (scheme === 'light') await tradeInIt(page, emulator)
      await page.waitForTimeout(400)
      await page.screenshot({ path: `${folder}/emulator-${scheme}.png` })
      await page.close()
    }
  } finally {
    await emulator.close()
  }
}

/**
 * @param {import('playwright-core').Page} page
 * @param {import('../dist/emulator.js').Emulator} emulator
 */
async function tradeInIt(page, emulator) {
  const order = async (/** @type {Record<string, string>} */ fields) => {
    for (const [name, value] of Object.entries(fields)) {
      if (name === 'side' || name === 'type') await page.locator(`input[name=${name}][value=${value}] + span`).click()
      else await page.locator(`#${name}`).fill(value)
    }
    await page.locator('#place').click()
    await page.locator('#order-message.good, #order-message.bad').waitFor()
  }
  await fetch(`${emulator.emulatorUrl}/faults`, { method: 'DELETE' })
  const mid = Number(await page.locator('#price').inputValue())
  await order({ side: 'BUY', type: 'MARKET', qty: '0.05' })
  await order({ type: 'LIMIT', price: (mid * 0.997).toFixed(2), qty: '0.4' })
  await order({ price: (mid * 0.992).toFixed(2), qty: '0.25' })
  await order({ side: 'SELL', price: (mid * 1.004).toFixed(2), qty: '0.3' })
  await emulator.fault({ fault: 'engine-timeout-after', route: 'POST /orders', count: 3 })
}

/** Half a minute of a market maker on an emulator of agents. */
async function pictureSession() {
  const emulator = await startEmulator()
  const home = mkdtempSync(join(tmpdir(), 'picture-'))
  const args = [
    'live',
    'market-maker',
    '--url',
    emulator.baseUrl,
    '--symbol',
    'BTC_USD',
    '--window',
    '0',
    '--out',
    'run',
  ]
  const env = { PATH: process.env.PATH ?? '', HOME: home, PAPERTAPE_API_KEY: emulator.users[0]?.keys[0] ?? '' }
  const session = spawn(process.execPath, [new URL('../bin/papertape.js', import.meta.url).pathname, ...args], {
    cwd: home,
    env,
  })
  try {
    const url = await new Promise((resolve) => {
      session.stderr.on('data', (text) => {
        const [, found] = /window (\S+)/.exec(String(text)) ?? []
        if (found !== undefined) resolve(found)
      })
    })
    const pages = []
    for (const scheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, colorScheme: scheme })
      await page.goto(String(url))
      pages.push({ page, scheme })
    }
    await pages[0]?.page.waitForTimeout(30_000)
    for (const { page, scheme } of pages) {
      await page.screenshot({ path: `${folder}/session-${scheme}.png` })
      await page.close()
    }
  } finally {
    session.kill('SIGINT')
    await new Promise((resolve) => session.once('close', resolve))
    await emulator.close()
  }
}

/** The bundled tape under the grid, in the middle of its run. */
async function pictureReplay() {
  const home = mkdtempSync(join(tmpdir(), 'picture-'))
  const root = new URL('../', import.meta.url).pathname
  const bin = `${root}bin/papertape.js`
  const tape = `BTC_USD=${root}data/btc_usd.csv.gz`
  spawnSync(process.execPath, [bin, 'backtest', 'grid', '--tape', tape, '--out', 'run'], { cwd: home })
  const replay = spawn(process.execPath, [bin, 'replay', 'run'], { cwd: home })
  try {
    const line = await new Promise((resolve) => replay.stdout.once('data', resolve))
    const [, url = ''] = /replay at (\S+);/.exec(String(line)) ?? []
    for (const scheme of /** @type {const} */ (['light', 'dark'])) {
      const page = await browser.newPage({ viewport: { width: 1440, height: 1000 }, colorScheme: scheme })
      await page.goto(url)
      await page.locator('#balances td').first().waitFor()
      await page.locator('#at').fill('9000')
      // The recording is read by then.
      await page.locator('#trades tr.own').first().waitFor()
      await page.waitForTimeout(500)
      await page.screenshot({ path: `${folder}/replay-${scheme}.png` })
      await page.close()
    }
  } finally {
    replay.kill('SIGINT')
    await new Promise((resolve) => replay.once('close', resolve))
  }
}

/** The bundled tape under a crossing of averages, 720 points of it. */
async function pictureSweep() {
  const home = mkdtempSync(join(tmpdir(), 'picture-'))
  const root = new URL('../', import.meta.url).pathname
  const tape = `BTC_USD=${root}data/btc_usd.csv.gz`
  const params = ['interval=15m,30m,1h', 'fast=2..30/2', 'slow=10..85/5'].flatMap((values) => ['--param', values])
  const args = ['sweep', 'sma-cross', '--tape', tape, ...params, '--objective', 'return', '--taker-fee', '10']
  spawnSync(process.execPath, [`${root}bin/papertape.js`, ...args, '--out', 'swept'], { cwd: home })
  for (const scheme of /** @type {const} */ (['light', 'dark'])) {
    const page = await browser.newPage({ viewport: SIZE, colorScheme: scheme })
    await page.goto(pathToFileURL(join(home, 'swept/report.html')).href)
    await page.locator('#points tbody td').first().waitFor()
    await page.waitForTimeout(300)
    await page.screenshot({ path: `${folder}/sweep-${scheme}.png` })
    await page.close()
  }
}

/** The bundled tape under two grids: the report of one, and of both. */
async function pictureReport() {
  const home = mkdtempSync(join(tmpdir(), 'picture-'))
  const root = new URL('../', import.meta.url).pathname
  const papertape = (/** @type {string[]} */ ...args) =>
    spawnSync(process.execPath, [`${root}bin/papertape.js`, ...args], { cwd: home })
  const tape = `BTC_USD=${root}data/btc_usd.csv.gz`
  papertape('backtest', 'grid', '--tape', tape, '--out', 'ten-levels')
  papertape('backtest', 'grid', '--tape', tape, '--param', 'levels=5', '--out', 'five-levels')
  papertape('report', 'ten-levels', 'five-levels', '--out', 'both.html')
  const pictures = /** @type {const} */ ([
    ['report-light', 'ten-levels/report.html', 1280, 1500, 'light'],
    ['report-dark', 'ten-levels/report.html', 1280, 1500, 'dark'],
    ['report-phone', 'ten-levels/report.html', 390, 1100, 'light'],
    ['report-comparison', 'both.html', 1280, 1300, 'light'],
  ])
  for (const [name, file, width, height, colorScheme] of pictures) {
    const page = await browser.newPage({ viewport: { width, height }, colorScheme })
    await page.goto(pathToFileURL(join(home, file)).href)
    await page.locator('#setup').waitFor()
    await page.waitForTimeout(400)
    await page.screenshot({ path: `${folder}/${name}.png` })
    await page.close()
  }
}
