/**
 * The window of an emulator in a browser: what a person does with a mouse and with the keys alone, and a server that
 * begins again.
 */
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import type { Browser, Page } from 'playwright-core'
import { startEmulator, type Emulator } from '../../src/server/emulator/emulator.ts'
import type { EmulatorOptions } from '../../src/server/emulator/emulator-options.ts'
import { drawnShare, hasBrowser, openBrowser, openPage, accessFaults, type WatchedPage } from './rig/browser.ts'

const OPTIONS: EmulatorOptions = { virtualClock: true, start: Date.UTC(2024, 2, 1) }

describe.skipIf(!hasBrowser)('the window of an emulator', () => {
  let browser: Browser
  let emulator: Emulator
  let opened: WatchedPage | undefined

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterEach(async () => {
    await opened?.page.close()
    opened = undefined
    await emulator.close()
  })
  afterAll(() => browser.close())

  const open = async (options: EmulatorOptions = OPTIONS): Promise<Page> => {
    emulator = await startEmulator(options)
    if (options.virtualClock === true) await emulator.advance(30 * 60_000)
    opened = await openPage(browser, emulator.windowUrl)
    return opened.page
  }

  const rowsOf = (page: Page, table: string) => page.locator(`#${table} tbody tr:not(:has(.empty))`)

  it.each(['/', '/docs'])('%s shows its style, and breaks no rule of its policy', async (path) => {
    emulator = await startEmulator(OPTIONS)
    opened = await openPage(browser, new URL(path, emulator.baseUrl).href)
    expect(await opened.page.evaluate('getComputedStyle(document.body).fontFamily')).toContain('system-ui')
    const added = `const style = document.createElement('style'); style.textContent = 'body{color:red}'; document.head.append(style)`
    expect(opened.troubles).toEqual([])
    await opened.page.evaluate(added)
    expect(opened.troubles.join()).toContain('Content Security Policy')
  })

  it('places, fills and cancels an order by mouse, as the service reports it', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    await page.locator('input[name=type][value=MARKET] + span').click()
    await page.locator('#qty').fill('0.001')
    await page.locator('#place').click()
    await page.locator('#order-message.good').waitFor()
    await rowsOf(page, 'fills').first().waitFor()
    await page.locator('input[name=type][value=LIMIT] + span').click()
    await page.locator('#bids tbody tr').last().click()
    const price = await page.locator('#price').inputValue()
    await page.locator('#place').click()
    await rowsOf(page, 'orders').first().waitFor()
    const key = await page.evaluate<string>(`sessionStorage.getItem('papertape key of user-1')`)
    const headers = { 'x-api-key': key }
    const reported = (await (await fetch(`${emulator.baseUrl}/orders/open`, { headers })).json()) as { price: string }[]
    expect(reported.map((order) => order.price)).toEqual([price])
    await page.locator('#orders button').click()
    await page.locator('#orders .empty').waitFor()
    const left = await fetch(`${emulator.baseUrl}/orders/open`, { headers })
    expect(await left.json()).toEqual([])
    expect(opened?.troubles).toEqual([])
  })

  it('shows that the market is paused, and why, until it is resumed', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    await emulator.pause('ETH_USD', 'elsewhere')
    await emulator.pause('BTC_USD', 'maintenance')
    await page.locator('#pause', { hasText: 'paused, orders are refused: maintenance' }).waitFor()
    await emulator.resume('BTC_USD')
    await page.locator('#pause:empty').waitFor({ state: 'attached' })
    expect(opened?.troubles).toEqual([])
  })

  it('places and cancels by the keys alone', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    await page.locator('#user').focus()
    // Side, type, price: a radio is chosen by an arrow.
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('30000.00')
    await page.keyboard.press('Tab')
    await page.keyboard.press('ControlOrMeta+a')
    await page.keyboard.type('0.02')
    await page.keyboard.press('Enter')
    await rowsOf(page, 'orders').first().waitFor()
    expect(await page.locator('#orders button').getAttribute('aria-label')).toMatch(
      /^Cancel buy of 0\.02 BTC \/ USD at 30.000\.00/,
    )
    for (let presses = 0; presses < 40; presses += 1) {
      await page.keyboard.press('Tab')
      if (await page.evaluate(`document.activeElement.closest('#orders') !== null`)) break
    }
    await page.keyboard.press('Enter')
    await page.locator('#orders .empty').waitFor()
  })

  it('shows live what happens elsewhere: a moved clock, another caller, a fault that is added and removed', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    expect(await drawnShare(page, '#chart')).toBeGreaterThan(0.005)
    const before = await page.locator('#now').textContent()
    await page.getByRole('button', { name: '+1 hour' }).click()
    await expect.poll(() => page.locator('#now').textContent()).not.toBe(before)
    await emulator.credit('user-1', 'BTC', '3')
    await expect.poll(() => page.locator('#positions').textContent()).toMatch(/BTC3/)
    await page.locator('#fault-kind').selectOption('engine-unavailable')
    await page.locator('#fault-route').selectOption('POST /orders')
    await page.getByRole('button', { name: 'Add fault' }).click()
    await rowsOf(page, 'faults').first().waitFor()
    await page.locator('#place').click()
    await page.locator('#order-message.bad').waitFor()
    expect(await page.locator('#order-message').textContent()).toMatch(
      /^The exchange is not available, and nothing was done/,
    )
    await page.locator('#faults .empty').waitFor()
  })

  it('asks before an order far from the market, and sends it only when confirmed', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    const best = Number((await page.locator('#price').inputValue()) || '0')
    await page.locator('#price').fill((best * 1.2).toFixed(2))
    await page.locator('#qty').fill('0.001')
    await page.locator('#place').click()
    await page.locator('#confirm').waitFor()
    expect(await page.locator('#confirm-text').textContent()).toMatch(/is (19|20)\.\d % above the best ask/)
    expect(await accessFaults(page)).toEqual([])
    // The button that does nothing has the focus.
    await page.keyboard.press('Enter')
    await page.locator('#order-message').filter({ hasText: 'not sent' }).waitFor()
    await page.locator('#place').click()
    await page.keyboard.press('Escape')
    await page.locator('#order-message').filter({ hasText: 'not sent' }).waitFor()
    expect(await rowsOf(page, 'fills').count()).toBe(0)
    await page.locator('#place').click()
    await page.locator('#confirm-yes').click()
    await page.locator('#order-message').filter({ hasText: 'is filled' }).waitFor()
    await rowsOf(page, 'fills').first().waitFor()
  })

  it('draws the depth of the book, and reads it at the pointer', async () => {
    const page = await open()
    await page.locator('#depth-words').filter({ hasText: 'BTC bid, ' }).waitFor()
    expect(await page.locator('.bids-area').getAttribute('d')).toMatch(/^M[\d.]+ \d+H/)
    const box = await page.locator('#depth svg').boundingBox()
    await page.mouse.move((box?.x ?? 0) + (box?.width ?? 0) * 0.9, (box?.y ?? 0) + 40)
    await expect.poll(() => page.locator('#depth-words').textContent()).toMatch(/BTC offered up to a price of /)
  })

  it('documents every call on a page that fits a phone', async () => {
    emulator = await startEmulator(OPTIONS)
    opened = await openPage(browser, emulator.windowUrl.replace('/window', '/docs'), { width: 390 })
    const { page } = opened
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(await accessFaults(page)).toEqual([])
  })

  it('goes on by itself when the server was started again, with keys of the new one', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    await page.locator('#price').fill('30000.00')
    await page.locator('#place').click()
    await rowsOf(page, 'orders').first().waitFor()
    const port = Number(new URL(emulator.baseUrl).port)
    await emulator.close()
    await page.locator('.state.lost').waitFor()
    emulator = await startEmulator({ ...OPTIONS, port, seed: 2 })
    await emulator.advance(60_000)
    await page.locator('.state.live').waitFor()
    await page.locator('#orders .empty').waitFor()
    await page.locator('#place').click()
    await page.locator('#order-message.good').waitFor()
    await rowsOf(page, 'orders').first().waitFor()
  })

  it('asks for the admin token where there is one, and shows nothing before', async () => {
    const page = await open({ ...OPTIONS, adminToken: 'secret' })
    await page.locator('#door-panel').waitFor()
    expect(await page.locator('#bids tbody tr').count()).toBe(0)
    await page.locator('#token').fill('wrong')
    await page.keyboard.press('Enter')
    await page.locator('#door-panel').waitFor()
    await page.locator('#token').fill('secret')
    await page.keyboard.press('Enter')
    await page.locator('#bids tbody tr').first().waitFor()
    expect(await page.locator('#door-panel').isVisible()).toBe(false)
  })

  it.each([
    [1280, false],
    [360, true],
  ])('%i px wide, dark %s: no fault of access, nothing sideways', async (width, dark) => {
    emulator = await startEmulator(OPTIONS)
    await emulator.advance(5 * 60_000)
    opened = await openPage(browser, emulator.windowUrl, { width, dark })
    const { page, troubles } = opened
    await page.locator('#bids tbody tr').first().waitFor()
    expect(await accessFaults(page)).toEqual([])
    expect(await page.evaluate('document.documentElement.scrollWidth - innerWidth')).toBeLessThanOrEqual(0)
    expect(troubles).toEqual([])
  })

  it('takes markup for the text that it is', async () => {
    const page = await open()
    await page.locator('#bids tbody tr').first().waitFor()
    await page.locator('#money input').fill('<img src=x onerror="document.title=1">')
    await page.getByRole('button', { name: 'Add', exact: true }).click()
    await page.locator('#money-message.bad').waitFor()
    expect(await page.locator('#money-message').textContent()).toContain('<img')
    expect(await page.locator('main img').count()).toBe(0)
  })
})
