/**
 * The page of a run of more candles than candles.csv has, in a browser: a click on a round trip shows its own candles,
 * with all fills.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { hasBrowser, openBrowser, openPage } from './rig/browser.ts'

const [START, MINUTE, CANDLES] = [Date.UTC(2024, 0, 1), 60_000, 60_000]

const { write, cli, folder } = cliFolder()

/** Minutes of a price that goes up and down within hours, and further within days. */
function tape(): string {
  const priceAt = (minute: number): number =>
    Math.round(10_000 + 400 * Math.sin(minute / 60) + 900 * Math.sin(minute / 1_500)) / 100
  const rows = Array.from({ length: CANDLES }, (_, minute) => {
    const [open, close] = [priceAt(minute), priceAt(minute + 1)]
    const [high, low] = [Math.max(open, close) + (minute % 7) / 100, Math.min(open, close) - (minute % 5) / 100]
    return [
      START + minute * MINUTE,
      ...[open, high, low, close].map((price) => price.toFixed(2)),
      1 + (minute % 9),
    ].join()
  })
  return `time,open,high,low,close,volume\n${rows.join('\n')}\n`
}

const csv = (name: string): readonly (readonly string[])[] =>
  readFileSync(join(folder, 'run', name), 'utf8')
    .trim()
    .split('\n')
    .slice(1)
    .map((line) => line.split(','))

describe.skipIf(!hasBrowser)('the page of a long run', () => {
  let browser: Browser
  beforeAll(async () => {
    write(tape(), 'tape.csv')
    const params = ['interval=1m', 'fast=20', 'slow=60'].flatMap((param) => ['--param', param])
    const { code, stderr } = await cli('backtest', 'sma-cross', '--tape', 'A_USD=tape.csv', ...params, '--out', 'run')
    expect({ code, stderr }).toMatchObject({ code: 0 })
    // So many fills have no page until then.
    expect(await cli('report', 'run')).toMatchObject({ code: 0 })
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it('shows the candles of the tape around a round trip that is clicked, and the fills that are there', async () => {
    const { page, troubles } = await openPage(browser, pathToFileURL(join(folder, 'run/report.html')).href)
    const chart = page.locator('#market .chart')
    await page.locator('#market canvas').first().waitFor()
    // A week of minutes, folded.
    expect(Number(await chart.getAttribute('data-interval'))).toBeGreaterThan(30 * MINUTE)
    expect(await chart.getAttribute('data-fills')).toBe(String(csv('fills.csv').length))
    await page.locator('#trips tbody tr').nth(3).locator('td').nth(4).click()
    await expect.poll(async () => Number(await chart.getAttribute('data-interval'))).toBeLessThanOrEqual(5 * MINUTE)
    await page.getByLabel('Candle interval').selectOption(String(MINUTE))
    const [from = 0, to = 0] = await Promise.all(
      ['data-from', 'data-to'].map(async (name) => Number(await chart.getAttribute(name))),
    )
    expect(to - from).toBeLessThan(400 * MINUTE)
    const inside = csv('fills.csv').filter(([, time]) => Number(time) >= from && Number(time) <= to)
    expect(inside.length).toBeGreaterThan(1)
    await expect.poll(() => chart.getAttribute('data-fills')).toBe(String(inside.length))
    const minutes = readFileSync(join(folder, 'tape.csv'), 'utf8').split('\n').slice(1)
    await chart.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }))
    const { x, y, width } = (await chart.boundingBox()) ?? { x: 0, y: 0, width: 0 }
    for (let place = 1; place < 20; place += 1) {
      await page.mouse.move(x + (place * (width - 100)) / 20, y + 20)
      await expect.poll(() => page.locator('#market .reading').innerText()).toMatch(/^\d{4}-/)
      const [, time = '', open, high, low, close] =
        /^(\S+ \S+)\s+O (\S+)\s+H (\S+)\s+L (\S+)\s+C (\S+)$/.exec(
          await page.locator('#market .reading').innerText(),
        ) ?? []
      const row = minutes[(Date.parse(`${time.replace(' ', 'T')}Z`) - START) / MINUTE] ?? ''
      expect([open, high, low, close], time).toEqual(row.split(',').slice(1, 5))
    }
    await page.mouse.move(2, 2)
    await chart.focus()
    for (let press = 0; press < 25; press += 1) await page.keyboard.press('+')
    // Two candles, in every chart.
    const ranges = await page
      .locator('.chart')
      .evaluateAll((all) => all.map(({ dataset }) => `${dataset.from ?? ''} ${dataset.to ?? ''}`))
    expect(new Set(ranges).size).toBe(1)
    const [left = 0, right = 0] = ranges[0]?.split(' ').map(Number) ?? []
    expect(right - left).toBe(2 * MINUTE)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('is made again of its files, which are verified, and not of a file that was changed', async () => {
    expect((await cli('verify', 'run')).code).toBe(0)
    const page = readFileSync(join(folder, 'run/report.html'), 'utf8')
    expect((await cli('report', 'run')).code).toBe(0)
    expect(readFileSync(join(folder, 'run/report.html'), 'utf8')).toBe(page)
    const fills = readFileSync(join(folder, 'run/fills.csv'), 'utf8')
    writeFileSync(join(folder, 'run/fills.csv'), fills.replace('SELL', 'BUY'))
    expect((await cli('report', 'run')).stderr).toContain('fills.csv: was changed after the run')
    const changed = await openPage(browser, pathToFileURL(join(folder, 'run/report.html')).href)
    expect(await changed.page.locator('.doubts li').first().innerText()).toBe(
      'Files of this run are not as the run wrote them. fills.csv: was changed after the run.',
    )
    await changed.page.close()
    writeFileSync(join(folder, 'run/fills.csv'), fills)
    const blocks = readFileSync(join(folder, 'run/candle-blocks.csv'), 'utf8')
    writeFileSync(join(folder, 'run/candle-blocks.csv'), blocks.replace(/[A-Za-z]{4}\n/, '<"/>\n'))
    const { code, stderr } = await cli('report', 'run')
    expect(code).toBe(2)
    expect(stderr).toContain('candle-blocks.csv')
    expect(stderr).not.toContain('    at ')
  })
})
