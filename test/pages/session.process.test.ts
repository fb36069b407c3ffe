/**
 * The window of a session, live and on paper, each in a process of its own: how it stands, an operator's words, and who
 * is refused.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { livings } from '../cli/rig/living.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { keyOf } from '../server/rig/emulator-caller.ts'
import { accessFaults, drawnShare, hasBrowser, openBrowser, openPage, type WatchedPage } from './rig/browser.ts'

const { folder, write } = cliFolder()
const start = livings()

/** Bids once far below, which rests; buys once, and plots what it sees. */
const RESTS = `
  import { defineStrategy } from 'papertape'
  import { concat, ignoreElements, of, tap } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'rests',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, buyLimit, buyMarket, plot, trades }) =>
      concat(
        of(buyLimit(symbol, '1.00', '0.01', { tag: 'low' }), buyMarket(symbol, '0.02')),
        trades(symbol).pipe(tap(({ price }) => plot('seen', price.toFixed())), ignoreElements()),
      ),
  })`

describe.skipIf(!hasBrowser)('the window of a session', () => {
  let browser: Browser
  let emulator: Emulator
  let opened: WatchedPage | undefined

  beforeAll(async () => {
    write(RESTS, 'rests.ts')
    browser = await openBrowser()
  })
  beforeEach(async () => {
    emulator = await startEmulator({})
  })
  afterEach(async () => {
    await opened?.page.close()
    opened = undefined
    await emulator.close()
  })
  afterAll(() => browser.close())

  let runs = 0
  const run = async (command: 'live' | 'paper') => {
    runs += 1
    const state = command === 'live' ? ['--state', join(folder, `state-${runs}`)] : []
    const out = ['--out', join(folder, `${command}-${runs}`)]
    const flags = ['--url', emulator.baseUrl, '--symbol', 'BTC_USD', '--window', '0', ...out]
    const options = { cwd: folder, env: { PAPERTAPE_API_KEY: keyOf(emulator) } }
    const living = start(['rests.ts', ...flags, ...state], options, command)
    await expect.poll(() => living.stderr).toMatch(/window http\S+/)
    return { living, url: /window (\S+)/.exec(living.stderr)?.[1] ?? '' }
  }

  it('shows a live session, and halts and resumes it as an operator does, after a question', async () => {
    const { living, url } = await run('live')
    opened = await openPage(browser, url)
    const { page, troubles } = opened
    await page.locator('#orders tbody td:nth-child(6)').filter({ hasText: 'low' }).waitFor()
    await expect.poll(() => page.locator('#equity').textContent()).toMatch(/^100.000(\.\d+)? USD$/)
    expect(await page.locator('#connection').textContent()).toBe('connected, stream open')
    expect(await page.evaluate('location.href')).toBe(url.replace(/#.*/, ''))
    await page.locator('#halt').focus()
    await page.keyboard.press('Enter')
    await page.locator('#confirm').waitFor()
    expect(await accessFaults(page)).toEqual([])
    // Cancel has the focus.
    await page.keyboard.press('Enter')
    await page.locator('#command-message').filter({ hasText: 'nothing was changed' }).waitFor()
    expect(await page.locator('#session-state').textContent()).toBe('ACTIVE')
    await page.locator('#halt').focus()
    await page.keyboard.press('Enter')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Enter')
    await page.locator('#session-state').filter({ hasText: 'HALTED' }).waitFor()
    await page.locator('#command-message').filter({ hasText: 'all sessions are HALTED' }).waitFor()
    await page.locator('#events').filter({ hasText: 'The session only cancels: by an operator.' }).waitFor()
    await page.locator('#resume').click()
    await page.locator('#confirm-yes').click()
    await page.locator('#session-state').filter({ hasText: 'ACTIVE' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    await refusesForeign(url)
    expect(await living.stop()).toBe(0)
    await page.locator('.state.lost').waitFor()
  })

  it('draws the market with the fills, orders and plots of the session, and flattens it after showing the plan', async () => {
    const { living, url } = await run('live')
    opened = await openPage(browser, url, { dark: true })
    const { page, troubles } = opened
    await page.locator('#market-words').filter({ hasText: 'BTC / USD' }).waitFor()
    await page
      .locator('#events')
      .filter({ hasText: /Bought 0\.0\d+ BTC at [\d.,]+ USD\./ })
      .waitFor()
    await page.locator('#positions').filter({ hasText: 'BTC' }).waitFor()
    await page.locator('#waits').filter({ hasText: 'a fill of its open order' }).waitFor()
    await expect.poll(() => page.locator('#open-profit').textContent()).toMatch(/^[+-]?\d+(\.\d+)? USD$/)
    await expect.poll(() => drawnShare(page, '#market-chart')).toBeGreaterThan(0.002)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    await page.locator('#flatten').click()
    await page
      .locator('#confirm-text')
      .filter({ hasText: /cancel order \d+[\s\S]*sell 0\.0\d+ BTC at market/ })
      .waitFor()
    await page.locator('#confirm-yes').click()
    await page.locator('#positions').filter({ hasText: 'flat' }).waitFor()
    await page.locator('#orders').filter({ hasText: 'no open orders' }).waitFor()
    await page.locator('#session-state').filter({ hasText: 'HALTED' }).waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    expect(await living.stop()).toBe(0)
  })

  it('only shows a page without the token the session, and takes the token typed in', async () => {
    const { living, url } = await run('live')
    const [address = '', token = ''] = url.split('#token=')
    opened = await openPage(browser, address, { width: 390 })
    const { page } = opened
    await page.locator('#orders tbody tr.buy').first().waitFor()
    expect(await page.locator('#halt').isVisible()).toBe(false)
    await page.locator('#token').fill('wrong')
    await page.keyboard.press('Enter')
    await page.locator('#halt').click()
    await page.locator('#confirm-yes').click()
    await page.locator('#command-message').filter({ hasText: 'the token of this window is missing or wrong' }).waitFor()
    await page.locator('#token').fill(token)
    await page.keyboard.press('Enter')
    await page.locator('#halt').click()
    await page.locator('#confirm-yes').click()
    await page.locator('#session-state').filter({ hasText: 'HALTED' }).waitFor()
    expect(await living.stop()).toBe(0)
  })

  it('shows a session on paper, which heeds no operator', async () => {
    const { living, url } = await run('paper')
    opened = await openPage(browser, url, { width: 360, dark: true })
    const { page, troubles } = opened
    await expect.poll(() => page.locator('#equity').textContent()).toMatch(/^10.000(\.\d+)? USD$/)
    await page.locator('#orders tbody tr.buy').first().waitFor()
    expect(await page.locator('#words-panel').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await accessFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    expect(await living.stop()).toBe(0)
  })
})

/** What a page from elsewhere would send, and a name of the web that leads to this machine. */
async function refusesForeign(windowUrl: string): Promise<void> {
  const [url = '', token = ''] = windowUrl.split('#token=')
  const post = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}command`, { method: 'POST', headers, body: '{"kind":"halt"}' })).status
  const json = { 'content-type': 'application/json', authorization: `Bearer ${token}` }
  expect(await post({ 'content-type': 'application/json' })).toBe(401)
  expect(await post({ ...json, authorization: `Bearer ${token}x` })).toBe(401)
  expect((await fetch(`${url}command?kind=halt`, { headers: json })).status).toBe(404)
  expect(await post({ ...json, origin: 'https://evil.example' })).toBe(403)
  expect(await post({ ...json, origin: 'null' })).toBe(403)
  expect(await post({ ...json, origin: 'http://localhost:3000' })).toBe(403)
  // As a form is sent, where a browser would name no origin.
  expect(await post({ ...json, 'content-type': 'text/plain' })).toBe(400)
  expect((await fetch(`${url}../package.json`)).status).toBe(404)
}
