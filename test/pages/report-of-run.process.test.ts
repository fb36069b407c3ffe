/**
 * The page that a real run leaves: each number on it is that of `run.json` and of the files beside it; and a comparison
 * of two.
 */
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { areTapesThere, REAL_TAPES } from '../real-data/rig/real-tapes.ts'
import {
  accessFaults,
  drawnShare,
  hasBrowser,
  openBrowser,
  openPage,
  seriousFaults,
  type WatchedPage,
} from './rig/browser.ts'

const BUNDLED = new URL('../../data/btc_usd.csv.gz', import.meta.url).pathname
/** Some minutes of a real market. */
const RECORDED = REAL_TAPES.find(({ name }) => name === 'BTC')?.file ?? ''
if (!areTapesThere) console.warn(`no tape at ${RECORDED}: the page of a run on it is skipped`)

const { cli, folder } = cliFolder()
const fileUrl = (name: string): string => pathToFileURL(join(folder, name)).href
const jsonOf = (run: string): unknown => JSON.parse(readFileSync(join(folder, run, 'run.json'), 'utf8'))

interface ShownFigure {
  readonly path: string
  readonly text: string
  readonly exact: string
}

const figuresOn = (page: Page): Promise<readonly ShownFigure[]> =>
  page.evaluate(`Array.from(document.querySelectorAll('[data-exact]'), (each) => ({
    path: each.dataset.figure, text: each.textContent, exact: each.dataset.exact }))`)

/** A value of a report by its path. */
function valueAt(report: unknown, path: string): unknown {
  return path.split('.').reduce<unknown>((value, name) => {
    if (Array.isArray(value) && name === 'length') return value.length
    return typeof value === 'object' && value !== null
      ? Object.entries(value).find(([key]) => key === name)?.[1]
      : undefined
  }, report)
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, min: 60_000, h: 3_600_000, d: 86_400_000 }

/**
 * Whether a text is what a reader may be reported of a number: rounded by at most half of its last digit, or cut there.
 */
function saysOf(text: string, value: number): boolean {
  if (/^\d{4}-\d\d-\d\dT/.test(text)) return Date.parse(text) === value
  const [, number = '', rest = '', unit = ''] =
    /^([+-]?[\d,]+(\.\d+)?)\s?(%|bps|[A-Z]+)?$/.exec(text.replace('…', '')) ?? []
  if (number !== '') {
    const digits = Math.max(0, rest.length - 1)
    const scaled = unit === '%' ? value * 100 : unit === 'bps' ? value * 10_000 : value
    const off = Math.abs(scaled - Number(number.replaceAll(',', '')))
    return off <= (text.includes('…') ? 1 : 0.5) * 10 ** -digits * (1 + 1e-9)
  }
  const parts = Array.from(
    text.matchAll(/([\d.]+) (ms|s|min|h|d)\b/g),
    ([, count, name = '']) => Number(count) * (UNITS[name] ?? Number.NaN),
  )
  return parts.length > 0 && Math.abs(parts.reduce((sum, part) => sum + part, 0) - value) <= 1
}

function says(text: string, value: unknown): boolean {
  if (value === null) return text === '–'
  if (Array.isArray(value)) return text.split(' to ').every((each, index) => says(each, value[index]))
  return (typeof value === 'number' || typeof value === 'string') && saysOf(text, Number(value))
}

/** Rows of a file of the run, by the names of its header; for cells without quotes. */
function csvRows(run: string, name: string): readonly Readonly<Record<string, string>>[] {
  const [header = '', ...lines] = readFileSync(join(folder, run, name), 'utf8')
    .trim()
    .split('\n')
  const names = header.split(',')
  return lines.map((line) => Object.fromEntries(line.split(',').map((cell, column) => [names[column] ?? '', cell])))
}

/** Of the periods of a run, from its files. */
function returnsOf(run: string): readonly number[] {
  const equities = [
    valueAt(jsonOf(run), 'initialEquity'),
    ...csvRows(run, 'periods.csv').map(({ equity }) => equity),
  ].map(Number)
  return equities.slice(1).map((value, index) => value / (equities[index] ?? 1) - 1)
}

const average = (values: readonly number[]): number => values.reduce((sum, value) => sum + value, 0) / values.length

function pearson(one: readonly number[], other: readonly number[]): number {
  const products = one.map((value, index) => value * (other[index] ?? 0))
  const spread = (values: readonly number[]): number =>
    Math.sqrt(average(values.map((value) => value ** 2)) - average(values) ** 2)
  return (average(products) - average(one) * average(other)) / (spread(one) * spread(other))
}

async function expectFigures(page: Page, run: string): Promise<void> {
  const report = jsonOf(run)
  const shown = await figuresOn(page)
  expect(shown.length).toBeGreaterThan(40)
  for (const { path, text, exact } of shown) {
    const value = valueAt(report, path)
    expect({ path, exact }).toEqual({ path, exact: typeof value === 'string' ? value : JSON.stringify(value) })
    expect({ path, text, value, isSo: says(text, value) }).toEqual({ path, text, value, isSo: true })
  }
}

describe.skipIf(!hasBrowser)('the page of a real run', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
    for (const [name, levels] of [
      ['one', '10'],
      ['two', '5'],
    ] as const) {
      const run = await cli(
        'backtest',
        'grid',
        '--tape',
        `BTC_USD=${BUNDLED}`,
        '--param',
        `levels=${levels}`,
        '--out',
        name,
      )
      expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 })
    }
  })
  afterAll(() => browser.close())

  const open = async (file: string): Promise<WatchedPage> => {
    const opened = await openPage(browser, fileUrl(file))
    await opened.page.locator('#setup').waitFor()
    return opened
  }
  const close = async ({ page, troubles }: WatchedPage): Promise<void> => {
    expect(troubles).toEqual([])
    await page.close()
  }

  it('has every figure as run.json has it, and its tables as the files have them', async () => {
    const opened = await open('one/report.html')
    const { page } = opened
    await page.setViewportSize({ width: 1440, height: 900 })
    await expectFigures(page, 'one')
    const plain = (texts: readonly string[]): readonly string[] => texts.map((text) => text.trim().replace(/^\+/, ''))
    const column = async (table: string, label: string): Promise<readonly string[]> => {
      const labels = await page.locator(`${table} thead th`).allInnerTexts()
      const index = labels.findIndex((text) => text.trim() === label) + 1
      return plain(await page.locator(`${table} tbody td:nth-child(${index})`).allInnerTexts())
    }
    const trips = csvRows('one', 'trades.csv')
    // A number that is cut has two decimals, as the tick of the tape, and the rest on hover.
    const cut = trips.map(({ profit = '' }) => profit.replace(/(\.\d\d)\d+$/, '$1…'))
    expect(cut.some((text) => text.endsWith('…'))).toBe(true)
    expect(await column('#trips', 'Profit')).toEqual(cut)
    const titles = await page.evaluate<readonly string[]>(
      `Array.from(document.querySelectorAll('#trips td.toned:has(.cut)'), (cell) => cell.title)`,
    )
    const exact = trips.map(({ profit = '' }) => profit).filter((profit) => /\.\d{3}/.test(profit))
    expect(titles.map((title) => title.replace(/^Exact value: \+?/, ''))).toEqual(exact)
    expect(await column('#trips', 'Quantity')).toEqual(trips.map(({ qty }) => qty))
    const orders = csvRows('one', 'orders.csv')
    expect(await page.locator('#orders [role=status]').innerText()).toBe(`${orders.length} rows`)
    // Tags make a column more than a narrow page has room for; that table scrolls in its own box.
    for (const [width, wide] of [
      [1024, ['Round trips, table']],
      [1440, []],
    ] as const) {
      await page.setViewportSize({ width, height: 900 })
      const cutTables = await page.evaluate(
        `Array.from(document.querySelectorAll('.scroll')).filter((each) => each.scrollWidth > each.clientWidth)
          .map((each) => each.getAttribute('aria-label'))`,
      )
      expect(cutTables).toEqual(wide)
      expect(await page.evaluate('document.documentElement.scrollWidth')).toBe(width)
    }
    expect(await column('#orders', 'Price')).toEqual(orders.slice(0, 25).map(({ price }) => price))
    expect(await page.locator('#setup').innerText()).toContain(String(valueAt(jsonOf('one'), 'digest')))
    for (const chart of ['#equity', '#market']) await expect.poll(() => drawnShare(page, chart)).toBeGreaterThan(0.003)
    expect(await seriousFaults(page)).toEqual([])
    await close(opened)
  })

  it('explains each of its orders', async () => {
    const opened = await open('one/report.html')
    const { page } = opened
    await page.locator('#orders tbody tr').nth(3).getByRole('button', { name: /^why/ }).click()
    const [, , , order] = csvRows('one', 'orders.csv')
    const reported = await page.getByRole('dialog').locator('pre').innerText()
    expect(reported).toContain(order?.price)
    await close(opened)
  })

  it('lays two runs side by side, each with its own figures', async () => {
    const made = await cli('report', 'one', 'two', '--out', 'both.html')
    expect(made).toMatchObject({ code: 0, stderr: '' })
    const opened = await open('both.html')
    const { page } = opened
    const runs = ['one', 'two'].map(jsonOf)
    const cells = await page.evaluate<readonly { path: string; text: string; run: string }[]>(
      `Array.from(document.querySelectorAll('#figures [data-run]'), (each) => ({
        path: each.dataset.figure, text: each.textContent, run: each.dataset.run }))`,
    )
    expect(cells.length).toBeGreaterThan(80)
    for (const { path, text, run } of cells) {
      const value = valueAt(runs[Number(run)], path)
      expect({ path, run, text, isSo: says(text, value) }).toEqual({ path, run, text, isSo: true })
    }
    await expect.poll(() => drawnShare(page, '#equities')).toBeGreaterThan(0.003)
    const drawdowns = page.getByRole('img', { name: 'Drawdown of 2 runs over time' })
    const at = page.locator('#equities .legend li').last()
    await drawdowns.hover({ position: { x: 400, y: 60 } })
    await expect.poll(() => at.innerText()).toMatch(/[\d,.]+, -?[\d.]+ %$/)
    const [same, periods, correlation, difference, interval] = await page.locator('#pairs tbody td').allInnerTexts()
    const [base, other] = ['one', 'two'].map(returnsOf)
    expect([same, periods]).toEqual(['two', String(base?.length)])
    expect(Number(correlation)).toBeCloseTo(pearson(base ?? [], other ?? []), 2)
    const mean = average((other ?? []).map((value, index) => value - (base?.[index] ?? 0))) * 10_000
    expect(Number(difference?.replace(' bps', ''))).toBeCloseTo(mean, 1)
    const [low = 0, high = 0] = Array.from(interval?.matchAll(/[+-]?[\d.]+/g) ?? [], ([text]) => Number(text))
    expect([low < mean, mean < high]).toEqual([true, true])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await accessFaults(page)).toEqual([])
    await close(opened)
  })

  it('compares a run with another one, or with one of its markets', async () => {
    for (const [benchmark, name] of [
      ['two', 'two'],
      ['BTC_USD', 'hold BTC_USD'],
    ] as const) {
      const made = await cli('report', 'one', '--benchmark', benchmark, '--out', 'compared.html')
      expect(made).toMatchObject({ code: 0, stderr: '' })
      const opened = await open('compared.html')
      const { page } = opened
      await page
        .locator('#equity .chart')
        .first()
        .hover({ position: { x: 600, y: 100 } })
      const legend = page.locator(`#equity .legend li[data-name="${name}"]`)
      await expect.poll(() => legend.innerText()).toMatch(/\d,\d{3}/)
      expect(await page.getByRole('img', { name: `Equity over time, compared with ${name}` }).count()).toBe(1)
      await close(opened)
    }
    // A folder of that name is no run: the market counts.
    mkdirSync(join(folder, 'BTC_USD'))
    expect(await cli('report', 'one', '--benchmark', 'BTC_USD', '--out', 'compared.html')).toMatchObject({ code: 0 })
    const several = await cli('report', 'one', 'two', '--benchmark', 'BTC_USD', '--out', 'compared.html')
    expect(several).toMatchObject({ code: 2 })
    expect(several.stderr).toContain('--benchmark: several runs are compared with each other: pass one run')
    const refused = await cli('report', 'one', '--benchmark', 'DOGE_USD', '--out', 'compared.html')
    expect(refused).toMatchObject({ code: 2 })
    expect(refused.stderr).toContain("--benchmark: expected a market of the run (BTC_USD) or a run, got 'DOGE_USD'")
  })

  it('names files as they were given, and each of several runs with its own dates', async () => {
    const tape = 'tapes/btc_usd.csv.gz'
    mkdirSync(join(folder, 'tapes'))
    copyFileSync(BUNDLED, join(folder, tape))
    const flags = ['--tape', `BTC_USD=${tape}`, '--to', '2024-01-05', '--no-bounds', '--out', 'days']
    expect(await cli('backtest', 'grid', ...flags)).toMatchObject({ code: 0 })
    const alone = await open('days/report.html')
    const setup = (await alone.page.locator('#setup').textContent()) ?? ''
    expect(setup).toContain(`--tape BTC_USD=${tape} `)
    expect(setup).toContain(`"path": "${tape}"`)
    expect(setup).not.toContain(folder)
    await close(alone)
    expect(await cli('report', 'one', 'days', '--out', 'periods.html')).toMatchObject({ code: 0, stderr: '' })
    const opened = await open('periods.html')
    const { page } = opened
    expect(await page.locator('header .name .number').innerText()).toBe('The runs cover different periods')
    expect(await page.locator('.verdict > p.number').allInnerTexts()).toEqual([
      '2024-01-01 to 2024-01-30 UTC',
      '2024-01-01 to 2024-01-05 UTC',
    ])
    // A figure per year of the short run is left out; the other has it.
    const sharpe = page.locator('#figures [data-figure="statistics.sharpe"]')
    expect((await sharpe.allInnerTexts()).map((text) => text === '–')).toEqual([false, true])
    expect(await seriousFaults(page)).toEqual([])
    await close(opened)
  })

  it.skipIf(!areTapesThere)('is drawn of a recorded market', async () => {
    const params = ['interval=1s', 'fast=5', 'slow=20'].flatMap((param) => ['--param', param])
    const run = await cli('backtest', 'sma-cross', '--tape', `BTC_USD=${RECORDED}`, ...params, '--out', 'recorded')
    expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 })
    const opened = await open('recorded/report.html')
    const { page } = opened
    await expectFigures(page, 'recorded')
    for (const chart of ['#equity', '#market']) await expect.poll(() => drawnShare(page, chart)).toBeGreaterThan(0.003)
    const before = await page.locator('#market .chart').getAttribute('data-from')
    await page.locator('#trips tbody tr').nth(5).locator('td').first().click()
    await expect.poll(() => page.locator('#market .chart').getAttribute('data-from')).not.toBe(before)
    expect(await seriousFaults(page)).toEqual([])
    await close(opened)
  })
})
