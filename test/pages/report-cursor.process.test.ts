/**
 * The cursor on the charts of a real run, in a browser: whatever chart the mouse is on, every line of the page is read
 * at its moment, and is what the files of the run have there.
 */
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { hasBrowser, openBrowser, openPage } from './rig/browser.ts'

const BUNDLED = new URL('../../data/btc_usd.csv.gz', import.meta.url).pathname
const [BUNDLED_HOUR, BUNDLED_BOOK] = ['hour', 'book'].map((name) => BUNDLED.replace('.csv.gz', `_${name}.csv.gz`))
const PLACES = 40

const { cli, folder } = cliFolder()

interface FileRow {
  readonly time: number
  readonly [column: string]: string | number
}

/** Rows of a file of the run. */
function rowsOf(file: string, run = 'run'): readonly FileRow[] {
  const [head = '', ...lines] = readFileSync(join(folder, run, file), 'utf8')
    .trim()
    .split('\n')
  const names = head.split(',')
  return lines.map((line) => {
    const cells = line.split(',')
    const row = Object.fromEntries(names.map((name, index) => [name, cells[index] ?? '']))
    return { ...row, time: Number(row.time_ms ?? row.time) }
  })
}

const lastAt = (rows: readonly FileRow[], moment: number): FileRow | undefined =>
  rows.findLast(({ time }) => time <= moment)

/** Name and value of each line of a legend. */
async function legendOf(page: Page, section: string): Promise<ReadonlyMap<string, string>> {
  const items = await page
    .locator(`${section} .legend li`)
    .evaluateAll((all) => all.map((each) => [each.dataset.name ?? '', each.lastChild?.textContent ?? '']))
  return new Map(items.map(([name = '', value = '']) => [name, value]))
}

describe.skipIf(!hasBrowser)('the cursor on the charts of a run', () => {
  let browser: Browser
  beforeAll(async () => {
    const tape = ['--tape', `BTC_USD=${BUNDLED}`]
    await cli('backtest', 'donchian-breakout', ...tape, '--taker-fee', '5', '--out', 'run')
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it.each([
    ['#equity .chart >> nth=0', 120],
    ['#equity .chart >> nth=1', 60],
    ['#market .chart', 390],
  ])('%s at %i pixels from its top: reads every line of the page, as the files have it', async (chart, y) => {
    const { page, troubles } = await openPage(browser, pathToFileURL(join(folder, 'run/report.html')).href)
    const [equities, fills] = [rowsOf('equity.csv'), rowsOf('fills.csv')]
    const uppers = rowsOf('plots.csv').filter(({ name }) => name === 'upper')
    const peaks = equities.map((_, index) =>
      equities.slice(0, index + 1).reduce((most, { equity }) => Math.max(most, Number(equity)), 0),
    )
    await page.locator('#market canvas').first().waitFor()
    const place = page.locator(chart)
    await place.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }))
    const { x: left, y: top, width } = (await place.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    for (let index = 0; index < PLACES; index += 1) {
      const before = await page.locator('#equity .at').innerText()
      await page.mouse.move(left + 6 + ((width - 100) * index) / PLACES, top + y)
      await expect.poll(() => page.locator('#equity .at').innerText()).not.toBe(before)
      const at = await page.locator('#equity .at').innerText()
      const moment = Date.parse(`${at.replace(' ', 'T')}Z`)
      const [account, market] = [await legendOf(page, '#equity'), await legendOf(page, '#market')]
      const equity = Number(lastAt(equities, moment)?.equity)
      const peak = peaks[equities.findLastIndex(({ time }) => time <= moment)] ?? Number.NaN
      const held = fills.reduce(
        (sum, { time, side, qty }) => (time > moment ? sum : sum + (side === 'BUY' ? 1 : -1) * Number(qty)),
        0,
      )
      const plotted = lastAt(uppers, moment)?.value
      expect(Number(account.get('equity')?.replaceAll(',', '')), at).toBeCloseTo(equity, 0)
      expect(Number.parseFloat(account.get('drawdown') ?? ''), at).toBeCloseTo((equity / peak - 1) * 100, 0)
      expect(account.get('buy and hold'), at).toMatch(/^\d/)
      expect(Number(market.get('position')), at).toBeCloseTo(held, 9)
      expect(market.get('upper'), at).toBe(plotted === undefined ? '' : String(Number(Number(plotted).toPrecision(9))))
      expect(await page.locator('#market .reading').innerText(), at).toMatch(/^\d{4}-|^[▲▼]|^round trip/)
    }
    await page.mouse.move(2, 2)
    await expect.poll(() => page.locator('#equity .at').innerText()).toBe('')
    expect([...(await legendOf(page, '#equity')).values()].join('')).toBe('')
    expect(troubles).toEqual([])
    await page.close()
  })

  it('reads the recorded book, as the file has it, and switches it off', async () => {
    const recorded = ['--tape', `BTC_USD=${BUNDLED_HOUR}`, '--depth', `BTC_USD=${BUNDLED_BOOK}`]
    await cli('backtest', 'sma-cross', ...recorded, '--no-bounds', '--out', 'booked')
    const { page, troubles } = await openPage(browser, pathToFileURL(join(folder, 'booked/report.html')).href)
    const levels = rowsOf('depth.csv', 'booked')
    await page.locator('#market canvas').first().waitFor()
    const chart = page.locator('#market .chart')
    await chart.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }))
    const { x: left = 0, y: top = 0, width = 0 } = (await chart.boundingBox()) ?? {}
    const reading = page.locator('#market .reading').last()
    let found = 0
    for (let index = 0; index < 80; index += 1) {
      await page.mouse.move(left + 20 + ((width - 120) * index) / 80, top + 30 + ((index * 53) % 230))
      const [, time = '', qty, side, price] =
        /^book at (.*): (.*) to (buy|sell) at (.*)$/.exec(await reading.innerText()) ?? []
      if (time === '') continue
      found += 1
      const moment = Date.parse(`${(await page.locator('#equity .at').innerText()).replace(' ', 'T')}Z`)
      const last = lastAt(levels, moment)?.time ?? 0
      expect(Date.parse(`${time.replace(' ', 'T')}Z`)).toBe(last - (last % 1_000))
      const rows = levels.filter((row) => row.time === last).map((row) => [row.qty, row.side, row.price])
      expect(rows).toContainEqual([qty, side === 'buy' ? 'bid' : 'ask', price])
    }
    expect(found).toBeGreaterThan(2)
    // Once it is painted.
    const picture = (): Promise<string> =>
      chart.evaluate(async (element) => {
        for (let frame = 0; frame < 3; frame += 1) await new Promise((done) => requestAnimationFrame(done))
        return Array.from(element.querySelectorAll('canvas'), (each) => each.toDataURL()).join(' ')
      })
    const book = page.getByRole('button', { name: /^recorded book/ })
    await book.hover()
    const on = await picture()
    await book.click()
    expect(await picture()).not.toBe(on)
    await book.click()
    expect(await picture()).toBe(on)
    expect(troubles).toEqual([])
    await page.close()
  })
})
