/**
 * The window of a session, live and on paper, each in a process of its own: how it stands, an operator's words, and who is refused.
 */
import { join } from 'node:path'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Browser } from 'playwright-core'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import { livings } from '../cli/rig/living.ts'
import { cliFolder } from '../cli/rig/run-cli.ts'
import { keyOf } from '../server/rig/emulator-caller.ts'
import { hasBrowser, openBrowser, openPage, seriousFaults, type WatchedPage } from './rig/browser.ts'

const { folder, write } = cliFolder()
const start = livings()

/** Bids once far below, which rests. */
const RESTS = `
  import { defineStrategy } from 'papertape'
  import { concat, NEVER, of } from 'rxjs'
  import { z } from 'zod'
  export default defineStrategy({
    name: 'rests',
    params: z.object({ symbol: z.string() }),
    run: ({ params: { symbol }, buyLimit }) => concat(of(buyLimit(symbol, '1.00', '0.01', { tag: 'low' })), NEVER),
  })`

describe.skipIf(!hasBrowser)('the window of a session', () => {
  let browser: Browser
  let emulator: Emulator
  let opened: WatchedPage | undefined

  beforeAll(async () => {
    write(RESTS, 'rests.ts')
    ;[browser, emulator] = await Promise.all([openBrowser(), startEmulator({})])
  })
  afterEach(async () => {
    await opened?.page.close()
    opened = undefined
  })
  afterAll(async () => {
    await browser.close()
    await emulator.close()
  })

  const run = async (command: 'live' | 'paper') => {
    const state = command === 'live' ? ['--state', join(folder, 'state')] : []
    const flags = ['--url', emulator.baseUrl, '--symbol', 'BTC_USD', '--window', '0', '--out', join(folder, command)]
    const options = { cwd: folder, env: { PAPERTAPE_API_KEY: keyOf(emulator) } }
    const living = start(['rests.ts', ...flags, ...state], options, command)
    await expect.poll(() => living.stderr).toMatch(/window http\S+/)
    return { living, url: /window (\S+)/.exec(living.stderr)?.[1] ?? '' }
  }

  it('shows a live session, and halts and resumes it as an operator does', async () => {
    const { living, url } = await run('live')
    opened = await openPage(browser, url)
    const { page, troubles } = opened
    await page.locator('#orders tbody td:nth-child(6)').filter({ hasText: 'low' }).waitFor()
    await expect.poll(() => page.locator('#equity').textContent()).toMatch(/^100.000(\.\d+)? USD$/)
    expect(await page.locator('#connection').textContent()).toBe('connected, stream open')
    await page.locator('#halt').focus()
    await page.keyboard.press('Enter')
    await page.locator('#session-state').filter({ hasText: 'HALTED' }).waitFor()
    expect(await page.locator('#command-message').textContent()).toBe('all sessions are HALTED')
    await page.locator('#resume').click()
    await page.locator('#session-state').filter({ hasText: 'ACTIVE' }).waitFor()
    expect(await seriousFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    await refusesStrangers(url)
    expect(await living.stop()).toBe(0)
    await page.locator('.state.lost').waitFor()
  })

  it('shows a session on paper, which heeds no operator', async () => {
    const { living, url } = await run('paper')
    opened = await openPage(browser, url, { width: 360, dark: true })
    const { page, troubles } = opened
    await expect.poll(() => page.locator('#equity').textContent()).toMatch(/^10.000(\.\d+)? USD$/)
    await page.locator('#orders tbody tr.buy').waitFor()
    expect(await page.locator('#words-panel').isVisible()).toBe(false)
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await seriousFaults(page)).toEqual([])
    expect(troubles).toEqual([])
    expect(await living.stop()).toBe(0)
  })
})

/** What a page from elsewhere would send, and a name of the web that leads to this machine. */
async function refusesStrangers(url: string): Promise<void> {
  const post = async (headers: Record<string, string>): Promise<number> =>
    (await fetch(`${url}command`, { method: 'POST', headers, body: '{"kind":"halt"}' })).status
  const json = { 'content-type': 'application/json' }
  expect(await post({ ...json, origin: 'https://evil.example' })).toBe(403)
  expect(await post({ ...json, origin: 'null' })).toBe(403)
  expect(await post({ ...json, origin: 'http://localhost:3000' })).toBe(403)
  // As a form is sent, where a browser would name no origin.
  expect(await post({ 'content-type': 'text/plain' })).toBe(400)
  expect((await fetch(`${url}../package.json`)).status).toBe(404)
}
