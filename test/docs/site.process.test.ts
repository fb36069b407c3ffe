/**
 * The documentation as pages: built whole, searched in a browser from its files, and refused with a link that leads
 * nowhere.
 */
import { execFile } from 'node:child_process'
import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { SiteLinks } from '../../scripts/site/links.mjs'
import { renderMarkdown } from '../../scripts/site/markdown.mjs'
import { hasBrowser, openBrowser, openPage, seriousFaults } from '../pages/rig/browser.ts'
import { temporaryFiles } from '../store/rig/temporary-files.ts'

const PROJECT = fileURLToPath(new URL('../../', import.meta.url))
const { folder } = temporaryFiles()
const site = join(folder, 'with a space')
const build = (directory: string): Promise<{ readonly stdout: string }> =>
  promisify(execFile)(process.execPath, ['scripts/site.mjs', directory], { cwd: PROJECT })
const urlOf = (page: string): string => pathToFileURL(join(site, page)).href

describe('the site', () => {
  let stdout: string
  beforeAll(async () => {
    mkdirSync(site)
    for (const old of ['search-index.js', 'stale.html']) writeFileSync(join(site, old), '')
    stdout = (await build(site)).stdout
  })
  const pages = (): readonly string[] =>
    readdirSync(site, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.html'))

  it('has every guide, decision and example, and the reference of each export of the package', () => {
    const all = pages()
    expect(stdout).toContain(`${all.length} pages`)
    const guides = readdirSync(join(PROJECT, 'docs')).filter((file) => /^(?!README).*\.md$/.test(file))
    expect(all).toEqual(expect.arrayContaining(guides.map((file) => file.replace(/md$/, 'html'))))
    const { exports }: { exports: object } = JSON.parse(readFileSync(join(PROJECT, 'package.json'), 'utf8'))
    const names = Object.keys(exports).filter((path) => !path.endsWith('.json'))
    const reference = names.map((path) => `reference/${path === '.' ? 'papertape' : path.slice(2)}.html`)
    expect(all).toEqual(expect.arrayContaining(reference))
    expect(all).toContain('decisions/001-requests-take-a-callback.html')
    expect(all).toContain('examples/15-run-in-a-notebook.ipynb.html')
  })

  it('says of a name in the reference what its docstring says', () => {
    const text = readFileSync(join(site, 'reference/papertape.html'), 'utf8')
    expect(text).toContain('Recorded order book of a market.')
    expect(text).toContain('id="defineStrategy"'.toLowerCase())
  })

  it('no document names a file that is not there', () => {
    for (const page of pages()) {
      const text = readFileSync(join(site, page), 'utf8')
      const targets = [...text.matchAll(/ (?:href|src)="(?!https?:|data:|#|mailto:)([^"#]+)/g)].map(
        ([, path = '']) => path,
      )
      const missing = targets.filter((path) => !existsSync(new URL(path, urlOf(page))))
      expect([page, missing]).toEqual([page, []])
    }
  })

  it('shows code in colours, and as it was written', () => {
    const { html } = renderMarkdown(
      "```ts\nconst a = b < 1 && '<c>' // d\n```\n\n```text\nconst a < b\n```\n\n`a --flag-name`",
      String,
    )
    expect(html).toContain('<span class="hljs-keyword">const</span> a = b &lt; ')
    expect(html).toContain('<span class="hljs-comment">// d</span>')
    expect(html).toContain('<code data-language="text">const a &lt; b</code>')
    expect(html).toContain('<code>a <span class="flag">--flag-name</span></code>')
  })

  it('is built over what it was', () => {
    expect(existsSync(join(site, 'stale.html'))).toBe(false)
  })

  describe.skipIf(!hasBrowser)('in a browser, from its files', () => {
    let browser: Browser
    beforeAll(async () => {
      browser = await openBrowser()
    })
    afterAll(() => browser.close())
    const overflow = (page: Page): Promise<number> =>
      page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

    it('no page has an error, or is wider than a phone', async () => {
      const { page, troubles } = await openPage(browser, urlOf('index.html'), { width: 400, dark: true })
      for (const name of pages()) {
        await page.goto(urlOf(name))
        expect([name, await overflow(page), troubles]).toEqual([name, 0, []])
      }
      await page.close()
    })

    it('finds a word, and leads to its heading', async () => {
      const { page, troubles } = await openPage(browser, urlOf('decisions/index.html'))
      await page.keyboard.press('/')
      await page.keyboard.type('conditional orders a')
      await page.locator('#results a').first().waitFor()
      expect(await page.locator('#results a').first().innerText()).toContain('Conditional orders')
      await page.keyboard.press('ArrowDown')
      await page.keyboard.press('Enter')
      await page.waitForURL(/live\.html#conditional-orders-after-a-restart$/)
      await page.locator('#search').fill('zzzz')
      expect(await page.locator('#results').innerText()).toBe('nothing found')
      await page.keyboard.press('Escape')
      expect(await page.locator('#results').isVisible()).toBe(false)
      expect(troubles).toEqual([])
      await page.close()
    })

    it.each`
      name                 | dark
      ${'liquidity.html'}  | ${true}
      ${'liquidity.html'}  | ${false}
      ${'strategies.html'} | ${true}
      ${'strategies.html'} | ${false}
    `('$name reads well for everybody, dark $dark', async ({ name, dark }: { name: string; dark: boolean }) => {
      const { page } = await openPage(browser, urlOf(name), { dark })
      expect(await seriousFaults(page)).toEqual([])
      await page.close()
    })

    it('shows its pages on a phone when they are asked for', async () => {
      const { page } = await openPage(browser, urlOf('live.html'), { width: 400 })
      expect(await page.locator('#pages').isVisible()).toBe(false)
      await page.locator('#menu').click()
      await page.locator('#pages').getByText('Sweeps', { exact: true }).click()
      expect(await page.locator('h1').innerText()).toBe('Sweeps')
      await page.close()
    })
  })
})

it('a directory that holds something else is left alone', async () => {
  const other = join(folder, 'other')
  mkdirSync(other)
  writeFileSync(join(other, 'letter.txt'), 'dear')
  await expect(build(other)).rejects.toMatchObject({ code: 2, stderr: expect.stringContaining('found something else') })
  expect(readFileSync(join(other, 'letter.txt'), 'utf8')).toBe('dear')
})

describe('a link', () => {
  const PAGES = [
    { source: 'docs/a.md', url: 'a.html' },
    { source: 'docs/deep/b.md', url: 'deep/b.html' },
  ]
  /** Where a link of docs/deep/b.md leads, and what is said of it. */
  function follow(href: string): readonly [string, readonly string[]] {
    const links = new SiteLinks(PAGES)
    const [, page = { source: '', url: '' }] = PAGES
    const leads = links.resolve(page, href, false)
    return [leads, links.faults(new Map([['a.html', new Set(['here'])]]))]
  }

  it.each`
    href                   | leads                  | fault                                                         | why
    ${'../a.md'}           | ${'../a.html'}         | ${undefined}                                                  | ${'a page'}
    ${'../a.md#here'}      | ${'../a.html#here'}    | ${undefined}                                                  | ${'a heading of a page'}
    ${'https://a.example'} | ${'https://a.example'} | ${undefined}                                                  | ${'elsewhere, which nobody asks'}
    ${'../a.md#gone'}      | ${'../a.html#gone'}    | ${'docs/deep/b.md: ../a.md#gone: a.html has no such heading'} | ${'a heading that is not there'}
    ${'../c.md'}           | ${'../c.md'}           | ${'docs/deep/b.md: ../c.md: there is no page of docs/c.md'}   | ${'a page that is not there'}
    ${'#gone'}             | ${'#gone'}             | ${'docs/deep/b.md: #gone: deep/b.html has no such heading'}   | ${'a heading of its own'}
  `('$why: $href', ({ href, leads, fault }) => {
    expect(follow(href)).toEqual([leads, fault === undefined ? [] : [fault]])
  })

  it('headings have the anchors of GitHub, the second of a name with a number', () => {
    const { headings } = renderMarkdown('# A `b` C?\n\n## Same\n\n## Same\n', (href) => href)
    expect(headings.map(({ id }) => id)).toEqual(['a-b-c', 'same', 'same-1'])
  })
})
