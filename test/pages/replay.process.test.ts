/**
 * The window of a finished run: by slider, event and fill, forward and backward to the same balances; and who is
 * refused.
 */
import { appendFileSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { connect } from 'node:net'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { type ReplayedFiles, readReplayedFiles } from '../../src/run/replayed-files.ts'
import type { QueuedOrder } from '../../src/report/replay/replayed-trades.ts'
import { journalLines } from '../../src/runtime/journal/journal-reader.ts'
import type { PageServer } from '../../src/server/window/page-server.ts'
import { serveReplay } from '../../src/server/window/replay-window.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { accessFaults, drawnShare, hasBrowser, openBrowser, openPage } from './rig/browser.ts'

const { cli, folder } = cliFolder()
let server: PageServer
let files: ReplayedFiles

beforeAll(async () => {
  const tape = new URL('../../data/btc_usd.csv.gz', import.meta.url).pathname
  const run = await cli('backtest', 'grid', '--tape', `BTC_USD=${tape}`, '--no-bounds', '--out', 'run')
  expect({ code: run.code, stderr: run.stderr }).toMatchObject({ code: 0 })
  files = readReplayedFiles(join(folder, 'run'))
  await files.recording.read(join(folder, 'run'), files.run.markets, new AbortController().signal)
  server = await serveReplay(files, { port: 0, name: 'run', version: '1' })
})
afterAll(() => server.close())

const textOf = (page: Page, id: string): Promise<string | null> => page.locator(`#${id}`).textContent()

/** The questions that a page asks while it plays, from now on. */
function stepsOf(page: Page): readonly string[] {
  const asked: string[] = []
  page.on('request', (request) => {
    if (request.url().includes('/moment?time=')) asked.push(request.url())
  })
  return asked
}

describe.skipIf(!hasBrowser)('the window of a finished run', () => {
  let browser: Browser
  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterAll(() => browser.close())

  it('goes on to a fill and back again, by buttons, keys and slider, to the same balances and orders', async () => {
    const { page, troubles } = await openPage(browser, server.url)
    await page.locator('#balances td').first().waitFor()
    const look = async (): Promise<readonly (string | null)[]> => [
      await textOf(page, 'balances'),
      await textOf(page, 'orders'),
      await textOf(page, 'fills'),
      await textOf(page, 'place'),
    ]
    const after = async (act: () => Promise<void>): Promise<readonly (string | null)[]> => {
      const before = await textOf(page, 'place')
      await act()
      await expect.poll(() => textOf(page, 'place')).not.toBe(before)
      return look()
    }
    const click = (id: string) => () => page.locator(`#${id}`).click()
    const press = (key: string) => () => page.keyboard.press(key)
    // The keys work from the first moment: nothing was clicked.
    const forward: (readonly (string | null)[])[] = [await look()]
    forward.push(await after(press('Shift+ArrowRight')))
    expect(forward[1]?.[2]).toBe('1 fill')
    forward.push(await after(click('stop-after')), await after(press('ArrowRight')))
    await page.locator('#at').focus()
    forward.push(await after(press('ArrowRight')))
    const atEnd = await after(click('last'))
    expect(atEnd[2]).toBe('2564 fills')
    expect(await page.locator('#on').isDisabled()).toBe(true)
    expect(await after(click('first'))).toEqual(forward[0])
    for (const [index, id] of ['stop-after', 'stop-after', 'on', 'on'].entries()) {
      expect(await after(click(id))).toEqual(forward[index + 1])
    }
    expect(await after(press('ArrowLeft'))).toEqual(forward[3])
    expect(await after(click('back'))).toEqual(forward[2])
    expect(await after(press('Shift+ArrowLeft'))).toEqual(forward[1])
    expect(await drawnShare(page, '#chart')).toBeGreaterThan(0.003)
    expect(await drawnShare(page, '#market-chart')).toBeGreaterThan(0.003)
    expect(await accessFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    await page.close()
  })

  it('plays and pauses with the space bar, faster with +, and its address leads to the same moment', async () => {
    const { page, troubles } = await openPage(browser, server.url, { dark: true })
    await page.locator('#balances td').first().waitFor()
    const speed = await page.locator('#speed').inputValue()
    await page.keyboard.press('+')
    expect(Number(await page.locator('#speed').inputValue())).toBeGreaterThan(Number(speed))
    await page.keyboard.press(' ')
    await expect.poll(() => textOf(page, 'play')).toBe('Pause')
    await expect.poll(async () => parseInt((await textOf(page, 'fills')) ?? '', 10)).toBeGreaterThan(20)
    // With a click the button has the focus no longer: space pauses once.
    await page.locator('#play').click()
    expect(await textOf(page, 'play')).toBe('Play')
    await page.keyboard.press('ArrowRight')
    await expect.poll(() => textOf(page, 'place')).toMatch(/^event \d+ of 15458$/)
    const place = (await textOf(page, 'place')) ?? ''
    await expect.poll(() => page.url()).toContain(`#at=${Number(/\d+/.exec(place)?.[0]) - 1}`)
    const linked = await openPage(browser, page.url())
    await expect.poll(() => textOf(linked.page, 'place')).toBe(place)
    expect(await textOf(linked.page, 'market-words')).toBe(await textOf(page, 'market-words'))
    expect([...troubles, ...linked.troubles]).toEqual([])
    await Promise.all([page.close(), linked.page.close()])
  })

  it('shows the place of an own order in its queue, and own fills among the recorded trades', async () => {
    const { page, troubles } = await openPage(browser, `${server.url}#at=5`)
    const own = page.locator('#book tr.own')
    await own.first().waitFor()
    expect(await own.first().locator('td').allTextContents()).toEqual(['41,992.84', '', '0.0105', '0.00512'])
    expect(await page.locator('#trades td').filter({ hasText: 'bought' }).count()).toBe(0)
    await page.keyboard.press('Shift+ArrowRight')
    await page.locator('#trades tr.own').filter({ hasText: 'bought' }).waitFor()
    await page.keyboard.press('ArrowRight')
    const filled = page.locator('#book tr.own').filter({ hasText: '41,992.84' }).locator('td')
    await expect.poll(() => filled.allTextContents()).toEqual(['41,992.84', '', '0.00151', '0'])
    expect(await page.locator('#trades tr:not(.own) td').filter({ hasText: '41,977.79' }).count()).toBe(1)
    expect(troubles).toEqual([])
    await page.close()
  })

  it('gives the date of what happened on another day, and cuts no table', async () => {
    const { page } = await openPage(browser, `${server.url}#at=400`)
    for (const width of [1440, 1280, 1024]) {
      await page.setViewportSize({ width, height: 900 })
      await page.locator('#trades td').first().waitFor()
      const cut = `Array.from(document.querySelectorAll('.scroll')).filter((each) => each.scrollWidth > each.clientWidth).length`
      await expect.poll(() => page.evaluate(cut)).toBe(0)
    }
    const times = page.locator('#events td:first-child')
    expect(await times.first().innerText()).toMatch(/^\d\d:\d\d:\d\d\.\d{3}$/)
    const event = Array.from({ length: files.run.length }, (_, at) => files.run.moment(at).time)
    const dayOf = (time = 0): string => new Date(time).toISOString().slice(0, 10)
    const next = event.findIndex((time, at) => at > 20 && dayOf(time) !== dayOf(event[at - 1]))
    await page.goto(`${server.url}#at=${next}`)
    await expect.poll(() => times.first().innerText()).toMatch(new RegExp(`^${dayOf(event[next - 1])} `))
    await page.close()
  })

  it('goes on by each key that was pressed on a slow connection, with one question at a time', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('#balances td').first().waitFor()
    let [open, most] = [0, 0]
    await page.route('**/moment*', async (route) => {
      open += 1
      most = Math.max(most, open)
      await page.waitForTimeout(200)
      await route.continue()
      open -= 1
    })
    for (let pressed = 0; pressed < 8; pressed += 1) await page.keyboard.press('ArrowRight')
    await page.locator('#place').filter({ hasText: 'event 9 of 15458' }).waitFor()
    for (let pressed = 0; pressed < 3; pressed += 1) await page.keyboard.press('Shift+ArrowRight')
    await page.locator('#fills').filter({ hasText: '3 fills' }).waitFor()
    expect(most).toBe(1)
    await page.close()
  })

  it('plays once after a pause that is over before the next step', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('#balances td').first().waitFor()
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(60_000)
    const asked = stepsOf(page)
    const settle = (): Promise<unknown> => page.evaluate("fetch('/length').then((answer) => answer.text())")
    await page.keyboard.press(' ')
    await page.clock.runFor(40)
    for (let pressed = 0; pressed < 2; pressed += 1) await page.keyboard.press(' ')
    await page.clock.runFor(40)
    await settle()
    const answered = page.waitForResponse('**/moment?time=*')
    await page.clock.runFor(40)
    await answered
    await settle()
    expect(asked).toHaveLength(1)
    await page.close()
  })

  it('plays from the moment that was asked for last', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('#balances td').first().waitFor()
    const asked = stepsOf(page)
    let isSlow = true
    await page.route('**/moment*', async (route) => {
      while (isSlow) await page.waitForTimeout(20)
      await route.continue()
    })
    await page.clock.install({ time: 0 })
    await page.clock.pauseAt(60_000)
    await page.locator('#last').click()
    await page.keyboard.press(' ')
    await page.clock.runFor(100)
    const answered = page.waitForResponse('**/moment?at=*')
    isSlow = false
    await answered
    await page.evaluate("fetch('/length').then((answer) => answer.text())")
    expect(await textOf(page, 'place')).toBe('event 15458 of 15458')
    expect(asked).toEqual([])
    await page.close()
  })

  it('keeps the moment that was asked for last when another length of candles is chosen meanwhile', async () => {
    const { page } = await openPage(browser, server.url)
    await page.locator('#balances td').first().waitFor()
    let isSlow = true
    await page.route('**/moment*', async (route) => {
      while (isSlow) await page.waitForTimeout(20)
      await route.continue()
    })
    for (let pressed = 0; pressed < 4; pressed += 1) await page.keyboard.press('ArrowRight')
    await page.locator('#length').selectOption({ index: 1 })
    isSlow = false
    await page.locator('#place').filter({ hasText: 'event 5 of 15458' }).waitFor()
    await page.close()
  })

  it('says why a recording is not shown', async () => {
    const missing = readReplayedFiles(join(folder, 'run'))
    const { signal } = new AbortController()
    await missing.recording.read(join(folder, 'nowhere'), missing.run.markets, signal)
    const other = await serveReplay(missing, { port: 0, name: 'run', version: '1' })
    const { page } = await openPage(browser, other.url)
    await page.locator('#trades-words').filter({ hasText: 'the recording is not shown: ' }).waitFor()
    await page.close()
    await other.close()
  })

  it('goes on once its server is there again, and follows a run that grows', async () => {
    const whole = readFileSync(join(folder, 'run', 'journal.jsonl'), 'utf8').split('\n')
    const part = join(folder, 'part')
    mkdirSync(part)
    // Half a line is still to be written.
    writeFileSync(join(part, 'journal.jsonl'), `${whole.slice(0, 20).join('\n')}\n${whole[20]?.slice(0, 9) ?? ''}`)
    const files = readReplayedFiles(part)
    let growing = await serveReplay(files, { port: 0, name: 'part', version: '1' })
    const { page } = await openPage(browser, growing.url)
    await page.locator('#place').filter({ hasText: 'event 1 of 20' }).waitFor()
    await page.locator('#last').click()
    await page.locator('#place').filter({ hasText: 'event 20 of 20' }).waitFor()
    appendFileSync(join(part, 'journal.jsonl'), `${whole[20]?.slice(9) ?? ''}\n${whole.slice(21, 30).join('\n')}\n`)
    await page.locator('#place').filter({ hasText: 'event 30 of 30' }).waitFor()
    await growing.close()
    await page.locator('.state.lost').waitFor()
    growing = await serveReplay(files, { port: Number(new URL(growing.url).port), name: 'part', version: '1' })
    await page.locator('.state.live').waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.locator('#place').filter({ hasText: 'event 29 of 30' }).waitFor()
    // No event after an invalid line is shown as if it came next.
    appendFileSync(join(part, 'journal.jsonl'), `{"t":"x"}\n${whole.slice(30, 40).join('\n')}\n`)
    const message = page.locator('#message').filter({ hasText: 'part/journal.jsonl:31' })
    await message.waitFor()
    await page.keyboard.press('ArrowLeft')
    await page.locator('#place').filter({ hasText: 'event 28 of 30' }).waitFor()
    await message.waitFor()
    await page.close()
    await growing.close()
  })

  it('waits for the first event of a run', async () => {
    const begun = join(folder, 'begun')
    mkdirSync(begun)
    writeFileSync(join(begun, 'journal.jsonl'), '')
    const empty = await serveReplay(readReplayedFiles(begun), { port: 0, name: 'begun', version: '1' })
    const { page, troubles } = await openPage(browser, empty.url)
    await page.locator('#message').filter({ hasText: 'the run has no events yet' }).waitFor()
    const whole = readFileSync(join(folder, 'run', 'journal.jsonl'), 'utf8').split('\n')
    appendFileSync(join(begun, 'journal.jsonl'), `${whole.slice(0, 5).join('\n')}\n`)
    await page.locator('#place').filter({ hasText: 'event 1 of 5' }).waitFor()
    expect(await textOf(page, 'market-words')).toBe('no candles in this run')
    expect(troubles).toEqual([])
    await page.close()
    await empty.close()
  })

  it('fits a phone in the dark', async () => {
    const { page, troubles } = await openPage(browser, server.url, { width: 360, dark: true })
    await page.locator('#balances td').first().waitFor()
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await accessFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    await page.close()
  })
})

describe('the recorded trades', () => {
  it('leave of each queue what the run found when its order left the book', () => {
    const trades = files.recording.tradesOf('BTC_USD')
    const begun = new Map<string, QueuedOrder>()
    let [compared, waiting] = [0, 0]
    for (const line of journalLines(join(folder, 'run', 'journal.jsonl'))) {
      if (line.type === 'rested') {
        begun.set(line.orderId, {
          id: line.orderId,
          since: line.t,
          ahead: lots(line.crowdAhead),
          isBuy: true,
          price: 0,
        })
      }
      const known = 'order' in line ? begun.get(line.order.id) : undefined
      if (known !== undefined && 'order' in line) {
        const price = Math.round(Number(line.order.price) * 100)
        begun.set(known.id, { ...known, isBuy: line.order.side === 'BUY', price })
      }
      const order = line.type === 'left' ? begun.get(line.orderId) : undefined
      if (line.type !== 'left' || order === undefined) continue
      const ahead = line.status === 'FILLED' ? 0 : lots(line.crowdAhead ?? '0')
      expect(trades?.ahead(order, line.t)).toBe(ahead)
      compared += 1
      if (ahead > 0) waiting += 1
    }
    expect([compared, waiting > 0]).toEqual([870, true])
  })
})

const lots = (qty: string): number => Math.round(Number(qty) * 1e5)

describe('the server of a page', () => {
  /** First line of an answer to lines as they are. */
  const ask = (...lines: readonly string[]): Promise<string> =>
    new Promise((resolve, reject) => {
      const socket = connect(Number(new URL(server.url).port), '127.0.0.1', () => {
        socket.write(`${lines.join('\r\n')}\r\n\r\n`)
      })
      socket.once('data', (data) => {
        resolve(data.toString().split('\r\n')[0] ?? '')
        socket.destroy()
      })
      socket.once('error', reject)
    })

  it.each([
    ['a name of the web that leads here', ['GET /moment?at=0 HTTP/1.1', 'host: evil.example'], 403],
    ['no name', ['GET /moment?at=0 HTTP/1.0'], 403],
    ['a page of the web', ['GET /moment?at=0 HTTP/1.1', 'host: localhost', 'origin: https://evil.example'], 403],
    [
      'a line for a page of the web',
      [
        'GET /line HTTP/1.1',
        'host: localhost',
        'origin: https://evil.example',
        'connection: upgrade',
        'upgrade: websocket',
      ],
      403,
    ],
    ['another file', ['GET /window/../../package.json HTTP/1.1', 'host: localhost'], 404],
    ['another method', ['DELETE /moment HTTP/1.1', 'host: localhost'], 404],
    ['no number', ['GET /moment?at=-1 HTTP/1.1', 'host: localhost'], 400],
    ['this machine', ['GET /moment?at=0 HTTP/1.1', 'host: localhost'], 200],
  ])('answers %s', async (_, lines, status) => {
    expect(await ask(...lines)).toContain(` ${status} `)
  })
})
