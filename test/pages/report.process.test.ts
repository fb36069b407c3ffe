/**
 * The page of a run as a person meets it: charts that move together, tables, stories, definitions; in the dark, on a
 * phone, on paper.
 */
import { readFileSync, writeFileSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Locator, Page } from 'playwright-core'
import type { PageData, PageRun } from '../../src/report/page/page-data.ts'
import type { RunReport } from '../../src/report/run/run-report.ts'
import { jsonRun } from '../cli/rig/cli-result.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import {
  drawnShare,
  hasBrowser,
  openBrowser,
  openPage,
  seriousFaults,
  type PageSettings,
  type WatchedPage,
} from './rig/browser.ts'
import { madeUpPage, madeUpRun } from './rig/made-up-report.ts'
import { writeReport } from './rig/report-document.ts'

const { cli } = cliFolder()
const CHARTS = '.chart'
const HOSTILE = `</script><img src=x onerror="console.error('markup')">`

let report: RunReport
beforeAll(async () => {
  const tape = new URL('../../data/btc_usd.csv.gz', import.meta.url).pathname
  report = await jsonRun(cli, 'backtest', 'grid', '--tape', `BTC_USD=${tape}`, '--no-bounds')
})

const spans = (page: Page): Promise<readonly string[]> =>
  page
    .locator(CHARTS)
    .evaluateAll((charts) => charts.map((chart) => `${chart.dataset.from ?? ''}-${chart.dataset.to ?? ''}`))

async function cellsOf(table: Locator, label: string): Promise<readonly string[]> {
  const labels = await table.locator('thead th').allInnerTexts()
  return table.locator(`tbody tr td:nth-child(${labels.indexOf(label) + 1})`).allInnerTexts()
}

const overflow = (page: Page): Promise<number> =>
  page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

describe.skipIf(!hasBrowser)('the page of a run', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  const open = async (data: PageData, settings: PageSettings = {}): Promise<WatchedPage> => {
    const opened = await openPage(browser, writeReport(data), settings)
    await opened.page.locator('#setup').waitFor()
    return opened
  }
  const openOne = (settings: PageSettings = {}): Promise<WatchedPage> =>
    open(madeUpPage(madeUpRun({ report })), settings)
  const close = async ({ page, troubles }: WatchedPage): Promise<void> => {
    expect(troubles).toEqual([])
    await page.close()
  }

  it('begins with the verdict, draws its charts, and asks no one for anything', async () => {
    const opened = await openOne()
    const { page } = opened
    expect(await page.locator('main section').first().getAttribute('id')).toBe('verdict')
    expect(await page.locator('.headline').innerText()).toContain('Gained 3.87 % in 30 days')
    expect(await page.locator('.doubts li').count()).toBe(2)
    for (const chart of ['#equity .chart >> nth=0', '#equity .chart >> nth=1', '#market .chart']) {
      await page.locator(chart).locator('canvas').first().waitFor()
    }
    for (const chart of ['#equity', '#market']) await expect.poll(() => drawnShare(page, chart)).toBeGreaterThan(0.003)
    expect(await page.evaluate(`getComputedStyle(document.querySelector('#tv-attr-logo')).position`)).toBe('absolute')
    expect(await seriousFaults(page)).toEqual([])
    await close(opened)
  })

  it('shows the verdict before the rest is unfolded', async () => {
    const url = writeReport(madeUpPage(madeUpRun({ report })))
    const html = readFileSync(new URL(url), 'utf8')
    writeFileSync(new URL(url), html.replace(/(<script id="data"[^>]*>)[^<]+/, '$1AAAA'))
    const { page, troubles } = await openPage(browser, url)
    await page.locator('#verdict .headline').waitFor()
    expect(await page.locator('h1').innerText()).toBe('grid on BTC_USD')
    await expect.poll(() => troubles.length).toBeGreaterThan(0)
    expect(await page.locator('#setup').count()).toBe(0)
    await page.close()
  })

  it('moves all charts to a round trip that is clicked, or picked by the keyboard, and back', async () => {
    const opened = await openOne()
    const { page } = opened
    const whole = await spans(page)
    expect(new Set(whole).size).toBe(1)
    const third = page.locator('#trips tbody tr').nth(2)
    await third.locator('td').nth(4).click()
    await expect.poll(async () => (await spans(page))[0]).not.toBe(whole[0])
    const [moved, ...others] = await spans(page)
    expect(others.every((span) => span === moved)).toBe(true)
    const [from = 0, to = 0] = (moved ?? '').split('-').map(Number)
    const opens = Date.parse(`${await third.locator('td').nth(2).innerText()}Z`)
    expect(opens).toBeGreaterThan(from)
    expect(opens).toBeLessThan(to)
    expect(to - from).toBeLessThan(4 * 3_600_000)
    await page.getByRole('button', { name: 'Show the whole run' }).click()
    expect(await spans(page)).toEqual(whole)
    await page.locator('#trips tbody tr').nth(9).getByRole('button', { name: 'chart: show it on the chart' }).focus()
    await page.keyboard.press('Enter')
    await expect.poll(async () => (await spans(page))[0]).not.toBe(whole[0])
    await close(opened)
  })

  it('moves all charts to the round trip of a dot, which is read under the pointer', async () => {
    const opened = await open(madeUpPage(madeUpRun({ report, trips: 4_000 })))
    const { page } = opened
    expect(await page.locator('#returns *').count()).toBeLessThan(1_000)
    const whole = await spans(page)
    const dots = page.locator('#returns .drawing').last()
    await dots.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }))
    const { x, y, width, height } = (await dots.boundingBox()) ?? { x: 0, y: 0, width: 0, height: 0 }
    for (let step = 0; step < 400 && !(await dots.getAttribute('class'))?.includes('on-dot'); step += 1) {
      await page.mouse.move(x + (width * (step % 20)) / 20, y + (height * Math.floor(step / 20)) / 20)
    }
    expect(await dots.locator('title').textContent()).toMatch(/^round trip \d+: M[AF]E -?[\d.]+ %, return -?[\d.]+ %$/)
    await page.mouse.down()
    await page.mouse.up()
    await expect.poll(() => spans(page)).not.toEqual(whole)
    await close(opened)
  })

  it('moves all charts by wheel, by drag and by keys on one of them', async () => {
    const opened = await openOne()
    const { page } = opened
    const changed = async (act: () => Promise<void>): Promise<void> => {
      const before = await spans(page)
      await act()
      await expect.poll(async () => (await spans(page))[0]).not.toBe(before[0])
      expect(new Set(await spans(page)).size).toBe(1)
    }
    for (const chart of ['#equity .chart >> nth=0', '#market .chart']) {
      const place = page.locator(chart)
      await place.scrollIntoViewIfNeeded()
      await place.hover({ position: { x: 300, y: 60 } })
      await changed(() => page.mouse.wheel(0, -300))
      await changed(async () => {
        await page.mouse.down()
        await page.mouse.move(500, 300, { steps: 4 })
        await page.mouse.up()
      })
      await place.focus()
      for (const key of ['+', 'ArrowRight', 'ArrowLeft', '-']) await changed(() => page.keyboard.press(key))
      await changed(() => place.dblclick({ position: { x: 200, y: 30 } }))
    }
    await close(opened)
  })

  it('draws candles of the interval that is chosen', async () => {
    const opened = await openOne()
    const { page } = opened
    const chart = page.locator('#market .chart')
    const own = await chart.getAttribute('data-interval')
    await page.getByRole('combobox', { name: 'Candle interval' }).selectOption('3600000')
    expect(await chart.getAttribute('data-interval')).toBe('3600000')
    await page.getByRole('combobox', { name: 'Candle interval' }).selectOption('')
    expect(await chart.getAttribute('data-interval')).toBe(own)
    await chart.focus()
    for (let count = 0; count < 9; count += 1) await page.keyboard.press('+')
    await expect.poll(() => chart.getAttribute('data-interval')).toBe('60000')
    await close(opened)
  })

  it('sorts, searches and turns the pages of a table over all its rows', async () => {
    const opened = await openOne()
    const { page } = opened
    const trips = page.locator('#trips')
    const numbers = async (): Promise<readonly number[]> =>
      (await cellsOf(trips, 'Profit')).map((text) => Number(text.trim()))
    expect(await trips.locator('.same').innerText()).toBe('Every row: Market BTC_USD')
    expect(await cellsOf(trips, 'Market')).toEqual([])
    await trips.getByRole('button', { name: 'Profit' }).click()
    const falling = await numbers()
    expect(falling).toEqual([...falling].sort((one, other) => other - one))
    expect(await trips.locator('th[aria-sort]').getAttribute('aria-sort')).toBe('descending')
    await trips.getByRole('button', { name: 'Profit' }).click()
    const rising = await numbers()
    expect(rising).toEqual([...rising].sort((one, other) => one - other))
    expect(rising[0]).toBeLessThan(Math.min(...falling))
    await trips.getByRole('combobox', { name: 'Side' }).selectOption('short')
    expect(new Set(await cellsOf(trips, 'Side'))).toEqual(new Set(['short']))
    await trips.getByRole('searchbox').fill('no such thing')
    await expect.poll(() => trips.locator('tbody').innerText()).toBe('No matching rows.')
    const orders = page.locator('#orders')
    await orders.getByRole('button', { name: 'Rows after' }).click()
    expect(await orders.locator('tbody tr').first().innerText()).toContain('order-25')
    await orders.getByRole('button', { name: 'Last rows' }).click()
    expect(await orders.locator('tbody tr').last().innerText()).toContain('order-159')
    await orders.getByRole('searchbox').fill('insufficient_balance')
    await expect.poll(() => orders.getByRole('status').innerText()).toBe('10 of 160 rows')
    await close(opened)
  })

  it('explains an order by mouse and by keyboard, or says what explains it', async () => {
    const opened = await openOne()
    const { page } = opened
    const dialog = page.getByRole('dialog')
    await page.locator('#orders tbody tr').first().locator('td').first().click()
    expect(await dialog.locator('pre').innerText()).toContain('rests behind 1.5')
    expect(await seriousFaults(page)).toEqual([])
    await page.keyboard.press('Escape')
    expect(await dialog.count()).toBe(0)
    const second = page.locator('#orders tbody tr').nth(1).getByRole('button')
    await second.focus()
    await page.keyboard.press('Enter')
    expect(await dialog.locator('code').innerText()).toBe('papertape why run order-1')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('why: explain order order-1')
    await close(opened)
  })

  it('shows a fill that the pointer finds among the candles, and its order on a click', async () => {
    const opened = await openOne()
    const { page } = opened
    const chart = page.locator('#market .chart')
    await page.locator('#trips tbody tr').first().locator('td').nth(4).click()
    await expect.poll(async () => (await chart.getAttribute('data-to')) ?? '').toMatch(/^17040[67]/)
    await chart.scrollIntoViewIfNeeded()
    const [from = 0, to = 0] = await Promise.all(
      ['data-from', 'data-to'].map(async (name) => Number(await chart.getAttribute(name))),
    )
    const { times = [], prices, qtys, orders } = madeUpRun({ report }).markets[0]?.fills ?? {}
    const at = times.findIndex((time) => time > from + (to - from) / 4)
    const width = await page
      .locator('#market .chart td:nth-child(2)')
      .first()
      .evaluate((cell) => cell.clientWidth)
    const x = (((times[at] ?? 0) - from) / (to - from)) * width
    const reading = page.locator('#market .reading')
    for (let y = 10; y < 330 && !/^[▲▼]/.test(await reading.innerText()); y += 4) {
      await chart.hover({ position: { x, y } })
    }
    expect(await page.locator('.reading').innerText()).toContain(`${qtys?.[at] ?? ''} at ${prices?.[at] ?? ''}`)
    await page.mouse.down()
    await page.mouse.up()
    expect(await page.getByRole('dialog').innerText()).toContain(`Order ${orders?.[at] ?? ''}`)
    await close(opened)
  })

  it('shows a round trip on the candles, and explains it with its orders in a panel beside them', async () => {
    const opened = await openOne()
    const { page } = opened
    const chart = page.locator('#market .chart')
    const second = page.locator('#trips tbody tr').nth(1)
    await second.locator('td').nth(4).click()
    await expect.poll(() => second.getAttribute('class')).toContain('here')
    await chart.evaluate((element) => element.scrollIntoView({ behavior: 'instant', block: 'center' }))
    const { x = 0, y = 0, width = 0 } = (await chart.boundingBox()) ?? {}
    const reading = page.locator('#market .reading')
    const find = async (): Promise<void> => {
      for (let right = 60; right < width - 90; right += 35) {
        for (let down = 12; down < 320; down += 8) {
          await page.mouse.move(x + right, y + down)
          if ((await reading.innerText()).startsWith('round trip')) return
        }
      }
    }
    await find()
    const [, row = '', side] =
      /^round trip (\d+), (long|short): .*; click to see why$/.exec(await reading.innerText()) ?? []
    await page.mouse.down()
    await page.mouse.up()
    const panel = page.getByRole('dialog')
    expect(await panel.getByRole('heading').first().innerText()).toBe(`Round trip ${row}`)
    expect(await panel.innerText()).toContain(side)
    expect(await page.locator('#trips tbody tr.here').getAttribute('data-row')).toBe(String(Number(row) - 1))
    expect(
      await panel
        .getByRole('group', { name: /of the round trip/ })
        .getByRole('button')
        .count(),
    ).toBeGreaterThan(0)
    expect(await panel.locator('code, pre').first().innerText()).toMatch(/papertape why run order-|0\.5 BTC_USD/)
    expect(await seriousFaults(page)).toEqual([])
    // The charts can be used meanwhile.
    const before = await spans(page)
    await chart.focus()
    await page.keyboard.press('+')
    await expect.poll(() => spans(page)).not.toEqual(before)
    await page.keyboard.press('Escape')
    expect(await panel.count()).toBe(0)
    const why = page.locator('#trips tbody tr').nth(3).getByRole('button', { name: 'why: explain its orders' })
    await why.focus()
    await page.keyboard.press('Enter')
    expect(await panel.getByRole('heading').first().innerText()).toBe('Round trip 4')
    await page.keyboard.press('Escape')
    expect(await page.evaluate('document.activeElement.ariaLabel')).toBe('why: explain its orders')
    await close(opened)
  })

  it('switches lines of the charts on and off, and draws equity and prices on the scale that is chosen', async () => {
    const opened = await openOne()
    const { page } = opened
    const drawn = (): Promise<string> =>
      page.evaluate(
        `document.querySelector('#equity canvas').toDataURL() + document.querySelector('#market').innerText`,
      )
    const cash = page.locator('#equity .legend').getByRole('button', { name: 'cash' })
    expect(await cash.getAttribute('aria-pressed')).toBe('false')
    const without = await drawn()
    await cash.click()
    expect(await cash.getAttribute('aria-pressed')).toBe('true')
    await expect.poll(drawn).not.toBe(without)
    await cash.focus()
    await page.keyboard.press('Space')
    await expect.poll(drawn).toBe(without)
    const share = (): Promise<number> => drawnShare(page, '#market .chart tr:first-child')
    const before = await share()
    await page.locator('#market .legend').getByRole('button', { name: 'average' }).click()
    await expect.poll(share).toBeLessThan(before)
    const scale = page.getByRole('combobox', { name: 'Scale of equity and prices' })
    const read = async (): Promise<number> => {
      const at = (): Promise<string> => page.locator('#equity .at').innerText()
      await page.mouse.move(2, 2)
      await expect.poll(at).toBe('')
      await page
        .locator('#equity .chart')
        .first()
        .hover({ position: { x: 500, y: 60 } })
      await expect.poll(at).not.toBe('')
      const text = await page.locator('#equity [data-name="equity"] .number').innerText()
      return Number(text.replaceAll(/[^\d.-]/g, ''))
    }
    const money = await read()
    const first = madeUpRun({ report }).account.equity.values[0] ?? 0
    for (const [name, expected] of [
      ['log', money],
      ['percent', (money / first - 1) * 100],
      ['index', (money / first) * 100],
    ] as const) {
      await scale.selectOption(name)
      await expect.poll(() => page.locator('#market .chart').getAttribute('data-scale')).toBe(name)
      // As many digits are shown as distinguish values of the chart.
      expect(Math.abs((await read()) - expected), name).toBeLessThan(Math.max(0.051, expected / 1_000))
      expect(await drawn()).not.toBe(without)
    }
    await scale.selectOption('linear')
    expect(await read()).toBe(money)
    await close(opened)
  })

  it('keeps the zoom, the scale and the theme: in its address, and in the browser', async () => {
    const opened = await openOne()
    const { page } = opened
    await page.locator('#trips tbody tr').nth(2).locator('td').nth(4).click()
    await page.getByRole('combobox', { name: 'Scale of equity and prices' }).selectOption('log')
    await expect.poll(() => page.url()).toMatch(/#from=\d+&to=\d+&scale=log$/)
    const [shown, url] = [await spans(page), page.url()]
    await page.goto('about:blank')
    await page.goto(url)
    await page.locator('#market canvas').first().waitFor()
    expect(await spans(page)).toEqual(shown)
    expect(await page.locator('#market .chart').getAttribute('data-scale')).toBe('log')
    await page.getByRole('button', { name: 'Show the whole run' }).click()
    await expect.poll(() => page.url()).toMatch(/#scale=log$/)
    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const [light, theme] = [await ground(), page.getByRole('combobox', { name: 'Theme' })]
    await theme.selectOption('dark')
    const dark = await ground()
    expect(dark).not.toBe(light)
    expect(await seriousFaults(page)).toEqual([])
    await page.reload()
    await page.locator('#market canvas').first().waitFor()
    expect(await ground()).toBe(dark)
    await theme.selectOption('light')
    await page.emulateMedia({ colorScheme: 'dark' })
    expect(await ground()).toBe(light)
    await theme.selectOption('auto')
    expect(await ground()).toBe(dark)
    await close(opened)
  })

  it('saves charts as a picture, and the rows that are found in a table as CSV', async () => {
    const opened = await openOne()
    const { page } = opened
    const saved = async (act: () => Promise<void>): Promise<{ readonly name: string; readonly bytes: Buffer }> => {
      const [download] = await Promise.all([page.waitForEvent('download'), act()])
      return { name: download.suggestedFilename(), bytes: readFileSync(await download.path()) }
    }
    for (const chart of ['equity', 'market', 'rolling']) {
      const picture = page.locator(`#${chart}`).getByRole('button', { name: 'PNG: save a picture of the chart' })
      const { name, bytes } = await saved(() => picture.click())
      expect(name).toBe(`made-up-${chart}.png`)
      expect(bytes.subarray(1, 4).toString()).toBe('PNG')
      expect(bytes.length).toBeGreaterThan(2_000)
    }
    const trips = page.locator('#trips')
    await trips.getByRole('combobox', { name: 'Side' }).selectOption('short')
    await trips.getByRole('button', { name: 'CSV: save Round trips' }).focus()
    const { name, bytes } = await saved(() => page.keyboard.press('Enter'))
    const [head, ...rows] = bytes.toString().trim().split('\r\n')
    expect([name, head]).toEqual(['round-trips.csv', 'Market,Side,Opened,Closed,Profit,Return,MAE,MFE,Entry,Exit'])
    expect(rows.length).toBe(27)
    expect(rows[0]).toMatch(/^BTC_USD,short,2024-01-01T00:00:00\.000Z,2024-01-01T00:30:00\.000Z,/)
    await close(opened)
  })

  it('breaks the result down: drawdowns, years beside months, groups of round trips, rolling statistics', async () => {
    const opened = await openOne()
    const { page } = opened
    const whole = await spans(page)
    const months = page.getByRole('table', { name: 'Return by month, UTC' })
    expect(await months.locator('thead th').allInnerTexts()).toEqual(expect.arrayContaining(['Jan', 'Dec', 'Year']))
    expect(await months.locator('.total').allInnerTexts()).toEqual(['+10.00 %', '', '+10.00 %', ''])
    expect(await months.locator('.benchmark th').allInnerTexts()).toEqual(['hold', 'hold'])
    const groups = page.locator('#groups')
    expect(await groups.locator('tbody').innerText()).toMatch(/long\s+12\.5\s+short\s+-3\.25/)
    await groups.getByRole('button', { name: 'Weekday' }).click()
    expect(await groups.locator('tbody').innerText()).toMatch(/^Monday\s+9\.25$/)
    await expect.poll(() => drawnShare(page, '#rolling')).toBeGreaterThan(0.003)
    await page
      .locator('#rolling .chart')
      .first()
      .hover({ position: { x: 400, y: 40 } })
    expect(await page.locator('#rolling [data-name="beta"] .number').innerText()).toMatch(/^-?\d/)
    const deepest = page.getByRole('table', { name: 'Worst drawdowns' }).locator('tbody tr').first()
    await deepest.getByRole('button', { name: 'chart: show it on the chart' }).click()
    await expect.poll(() => spans(page)).not.toEqual(whole)
    await close(opened)
  })

  it('says what a word means to the pointer and to the keyboard', async () => {
    const opened = await openOne()
    const { page } = opened
    const tip = page.getByRole('tooltip')
    const words = page.locator('#verdict .term').first()
    await words.focus()
    expect(await tip.innerText()).toMatch(
      /^Return in a sentence\.\s+Exact value: 0\.03874\s+In run\.json: statistics\.return$/,
    )
    await page.keyboard.press('Escape')
    expect(await tip.count()).toBe(0)
    await page.locator('#trips').getByRole('button', { name: 'Profit' }).hover()
    expect(await tip.innerText()).toBe('Profit, of one round trip.')
    expect(await words.getAttribute('aria-describedby')).not.toBeNull()
    await close(opened)
  })

  it('turns dark and light with the reader', async () => {
    const opened = await openOne({ dark: true })
    const { page } = opened
    const ground = (): Promise<string> => page.evaluate('getComputedStyle(document.body).backgroundColor')
    const canvas = (): Promise<readonly number[]> =>
      page.evaluate(
        `Array.from(document.querySelector('#market canvas').getContext('2d').getImageData(2, 2, 1, 1).data)`,
      )
    await expect.poll(async () => (await canvas())[0]).toBe(0x16)
    const dark = await ground()
    expect(await seriousFaults(page)).toEqual([])
    await page.emulateMedia({ colorScheme: 'light' })
    expect(await ground()).not.toBe(dark)
    await expect.poll(async () => (await canvas())[0]).toBe(0xff)
    await close(opened)
  })

  it('fits a phone, alone and beside others', async () => {
    const runs = ['one', 'a-name-that-is-much-longer-than-a-phone-is-wide', 'three', 'four'].map((name, index) =>
      madeUpRun({ report, name, seed: index + 1 }),
    )
    const headline = 'The strategy failed at 2024-01-05T12:30:00.000Z: the price was not a number'
    const failed = madeUpRun({ report })
    const broken = { ...failed, verdict: { ...failed.verdict, headline } }
    for (const data of [madeUpPage(broken), madeUpPage(...runs)]) {
      const opened = await open(data, { width: 360 })
      expect(await overflow(opened.page)).toBeLessThanOrEqual(0)
      expect(await seriousFaults(opened.page)).toEqual([])
      const moments = opened.page.locator('.headline .whole')
      expect(await moments.allInnerTexts()).toEqual(data.runs.length > 1 ? [] : ['2024-01-05T12:30:00.000Z'])
      expect(await moments.evaluateAll((all) => all.map((each) => each.getClientRects().length))).toEqual(data.runs.length > 1 ? [] : [1]) // prettier-ignore
      await close(opened)
    }
  })

  it('is light and whole on paper, and as it was afterwards', async () => {
    const opened = await openOne({ dark: true })
    const { page } = opened
    await page.evaluate(`dispatchEvent(new Event('beforeprint'))`)
    await page.emulateMedia({ media: 'print', colorScheme: 'dark' })
    expect(await page.locator('details[open]').count()).toBe(2)
    expect(await page.evaluate('getComputedStyle(document.documentElement).getPropertyValue("--ground").trim()')).toBe(
      '#f5f6f8',
    )
    expect(await page.locator('#trips .on-paper').innerText()).toBe(
      'Printed: the first 40 of 80 rows. The page has all of them.',
    )
    expect(await page.locator('#trips tbody tr').count()).toBe(40)
    expect(await page.locator('#market canvas.picture').isVisible()).toBe(true)
    expect(await drawnShare(page, '#market')).toBeGreaterThan(0.003)
    expect(await page.locator('nav').isVisible()).toBe(false)
    await page.emulateMedia({ media: 'screen', colorScheme: 'dark' })
    await page.evaluate(`dispatchEvent(new Event('afterprint'))`)
    expect(await page.locator('details[open]').count()).toBe(0)
    expect(await page.locator('#trips tbody tr').count()).toBe(25)
    expect(await page.locator('canvas.picture').count()).toBe(0)
    await close(opened)
  })

  it('lays runs side by side, reports how far each figure is from the first, and shows the one that is chosen', async () => {
    const first = madeUpRun({ report, name: 'first' })
    const better = withFigure(madeUpRun({ report, name: 'better', seed: 9 }), 'statistics.return', '+5.00 %', '0.05')
    const opened = await open(madeUpPage(first, better))
    const { page } = opened
    expect(await page.locator('#verdict .verdict h3').allInnerTexts()).toEqual(
      expect.arrayContaining(['first', 'better']),
    )
    await expect.poll(() => drawnShare(page, '#equities')).toBeGreaterThan(0.003)
    const row = page.locator('#figures tr', { hasText: 'Return' })
    expect(await row.locator('td').allInnerTexts()).toEqual(['+3.87 %', '+5.00 %\n+1.13 pp'])
    const before = await page.locator('#trips tbody').innerText()
    await page.getByRole('button', { name: 'better', exact: true }).click()
    expect(await page.locator('#trips tbody').innerText()).not.toBe(before)
    await expect.poll(() => drawnShare(page, '#market')).toBeGreaterThan(0.003)
    expect(await seriousFaults(page)).toEqual([])
    await page.getByRole('button', { name: 'first', exact: true }).click()
    expect(await page.locator('#trips tbody').innerText()).toBe(before)
    await close(opened)
  })

  it('shows everything that it is given as text', async () => {
    const opened = await open(hostile(madeUpRun({ report })))
    const { page } = opened
    expect(await page.locator('img').count()).toBe(0)
    expect(await page.locator('h1').innerText()).toBe(HOSTILE)
    expect(await page.locator('#orders tbody tr').first().innerText()).toContain(HOSTILE)
    expect(await page.locator('#notes tbody').innerText()).toContain('two')
    await page.locator('#orders tbody tr').first().getByRole('button').click()
    expect(await page.getByRole('dialog').innerText()).toContain('papertape why run __proto__')
    expect(await overflow(page)).toBeLessThanOrEqual(0)
    await close(opened)
  })

  it('shows a run in which nothing happened', async () => {
    const opened = await open(madeUpPage(empty(madeUpRun({ report, candles: 1, fills: 0, trips: 0 }))))
    const { page } = opened
    expect(await page.locator('#trips tbody').innerText()).toBe('None.')
    expect(await page.locator('#notes, nav [href="#notes"]').count()).toBe(0)
    expect(await page.locator('#returns').innerText()).toContain('too short')
    expect(await page.locator('#equity').innerText()).toContain('has no equity data')
    expect(await page.locator('#verdict').innerText()).toContain('No reasons for caution were found.')
    expect(await seriousFaults(page)).toEqual([])
    await close(opened)
  })
})

function withFigure(run: PageRun, path: string, text: string, exact: string): PageRun {
  const figures = run.figures.map((group) => ({
    ...group,
    figures: group.figures.map((figure) => (figure.path === path ? { ...figure, text, exact } : figure)),
  }))
  return { ...run, figures }
}

function hostile(run: PageRun): PageData {
  const rows = run.orders.rows.map((row) => ({ ...row, cells: row.cells.map(() => HOSTILE), explanation: '__proto__' }))
  const long = 'x'.repeat(4_000)
  const markets = run.markets.map((market) => ({
    ...market,
    symbol: HOSTILE,
    plots: market.plots.map((plot) => ({ ...plot, name: HOSTILE })),
  }))
  const verdict = { ...run.verdict, headline: `${HOSTILE} ${long}`, doubts: [{ text: HOSTILE, why: long }] }
  return {
    title: HOSTILE,
    pairs: { columns: [], rows: [] },
    runs: [
      {
        ...run,
        name: HOSTILE,
        verdict,
        markets,
        orders: { ...run.orders, rows },
        assumptions: [HOSTILE, long],
        command: `${HOSTILE} ${long}`,
      },
    ],
  }
}

function empty(run: PageRun): PageRun {
  const line = { times: [], values: [] }
  return {
    ...run,
    verdict: { ...run.verdict, doubts: [] },
    account: { ...run.account, equity: line, drawdown: line, buyAndHold: line, cash: null, exposure: null, falls: [] },
    rolling: null,
    drawdowns: { ...run.drawdowns, rows: [] },
    tripGroups: [],
    markets: run.markets.map((market) => ({ ...market, candles: null, plots: [], rests: [], position: line })),
    months: [],
    years: [],
    hours: [],
    returns: [],
    notes: { ...run.notes, rows: [] },
    explanations: {},
    explainCommand: null,
    command: null,
    assumptions: [],
  }
}
