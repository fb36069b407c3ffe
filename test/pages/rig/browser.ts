/**
 * The browser that tests of pages look with: Debian's chromium, or what CHROMIUM names. Without one a test says that it
 * skips; in CI it fails.
 *
 * A page of it knows no other host than the one it was opened on: whatever asks for another, or writes an error to the
 * console, is kept.
 */
import { existsSync, readFileSync } from 'node:fs'
import { chromium, type Browser, type Page } from 'playwright-core'

const PATH = process.env.CHROMIUM ?? '/usr/bin/chromium'

/** Whether tests of pages run. */
export const hasBrowser = existsSync(PATH) || process.env.CI === 'true'
if (!hasBrowser) console.warn(`no browser at ${PATH}: tests of pages are skipped`)

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: PATH })

export interface WatchedPage {
  readonly page: Page
  /** What should not have happened: errors of scripts and of the console, requests to another host. */
  readonly troubles: string[]
}

export interface PageSettings {
  readonly width?: number
  readonly height?: number
  readonly dark?: boolean
}

export async function openPage(browser: Browser, url: string, settings: PageSettings = {}): Promise<WatchedPage> {
  const { width = 1280, height = 900, dark = false } = settings
  const page = await browser.newPage({ viewport: { width, height }, colorScheme: dark ? 'dark' : 'light' })
  const troubles: string[] = []
  const { host } = new URL(url)
  page.on('pageerror', ({ message }) => troubles.push(message))
  page.on('console', (message) => {
    if (message.type() === 'error') troubles.push(message.text())
  })
  page.on('request', (request) => {
    const asked = new URL(request.url())
    if (asked.protocol !== 'data:' && asked.host !== host) troubles.push(`asked ${asked.host}`)
  })
  // For what hangs: CI runs other tests at the same time.
  page.setDefaultTimeout(60_000)
  await page.goto(url)
  return { page, troubles }
}

interface AxeResult {
  readonly violations: readonly {
    readonly id: string
    readonly impact: string | null
    readonly nodes: readonly { readonly html: string }[]
  }[]
}

/** Serious faults that axe-core finds, each with the first place that has it. */
export const seriousFaults = async (page: Page): Promise<readonly string[]> =>
  faultText((await violationsOf(page)).filter(({ impact }) => impact === 'serious' || impact === 'critical'))

/** Everything that axe-core finds, each with the first place that has it. */
export const accessFaults = async (page: Page): Promise<readonly string[]> => faultText(await violationsOf(page))

const faultText = (violations: AxeResult['violations']): readonly string[] =>
  violations.map(({ id, nodes }) => `${id}: ${nodes[0]?.html ?? ''}`)

async function violationsOf(page: Page): Promise<AxeResult['violations']> {
  // Not as a script of the page, which its policy forbids.
  await page.evaluate(readFileSync('node_modules/axe-core/axe.min.js', 'utf8'))
  // The same violations in a third of the time: of rules that pass, only one place is looked up.
  return (await page.evaluate<AxeResult>("axe.run({ resultTypes: ['violations'] })")).violations
}

/** Share of the pixels of an element that are not of its commonest colour: 0 for a canvas on which nothing is drawn. */
export async function drawnShare(page: Page, selector: string): Promise<number> {
  return page.evaluate<number>(`(${SHARE})(${JSON.stringify(selector)})`)
}

/** Runs in the page. */
const SHARE = `(where) => {
  const shares = Array.from(document.querySelectorAll(where + ' canvas'), (canvas) => {
    const { data } = canvas.getContext('2d').getImageData(0, 0, canvas.width, canvas.height)
    const counts = new Map()
    for (let at = 0; at + 3 < data.length; at += 4) {
      const colour = (data[at] << 16) | (data[at + 1] << 8) | data[at + 2]
      counts.set(colour, (counts.get(colour) ?? 0) + 1)
    }
    return 1 - Math.max(...counts.values()) / (data.length / 4)
  })
  return Math.max(0, ...shares)
}`
