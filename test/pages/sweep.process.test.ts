/**
 * The page of a sweep in a browser, from a file: what it shows, by mouse and by keyboard, and that it asks no one for
 * anything.
 */
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Browser, Page } from 'playwright-core'
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest'
import { sweepDocument } from '../../src/report/page/sweep/sweep-page.ts'
import type { SweepFacts } from '../../src/report/page/sweep/sweep-page.ts'
import {
  MADE_UP_MONTE_CARLO,
  MADE_UP_TRUTH,
  madeUpCrossValidation,
  madeUpNullTapes,
  madeUpSweep,
  madeUpWalkForward,
} from '../report/page/sweep/rig/made-up-sweep.ts'
import {
  drawnShare,
  hasBrowser,
  openBrowser,
  openPage,
  seriousFaults,
  type PageSettings,
  type WatchedPage,
} from './rig/browser.ts'

const folder = mkdtempSync(join(tmpdir(), 'sweep-page-'))

describe.skipIf(!hasBrowser)('the page of a sweep', () => {
  let browser: Browser
  let opened: WatchedPage | undefined

  beforeAll(async () => {
    browser = await openBrowser()
  })
  afterEach(async () => {
    await opened?.page.close()
    opened = undefined
  })
  afterAll(() => browser.close())

  const open = async (facts: SweepFacts, settings: PageSettings = {}): Promise<Page> => {
    const file = join(folder, 'report.html')
    writeFileSync(file, sweepDocument(facts))
    opened = await openPage(browser, pathToFileURL(file).href, settings)
    await opened.page.locator('#points tbody tr').first().waitFor()
    return opened.page
  }
  const cells = (page: Page, column: number): Promise<string[]> =>
    page.locator(`#points tbody td:nth-child(${column})`).allTextContents()
  const sideways = (page: Page): Promise<number> =>
    page.evaluate<number>('document.documentElement.scrollWidth - innerWidth')

  it('says its verdict first, draws everything, and has no serious fault', async () => {
    const facts = madeUpSweep({ steps: { fast: 8, slow: 6, stop: 3 }, objectives: ['sharpe', 'maxDrawdown'] })
    const page = await open({ ...facts, truth: MADE_UP_TRUTH, walkForward: madeUpWalkForward(facts) })
    expect(await page.locator('main > section').first().getAttribute('id')).toBe('verdict')
    expect(await page.locator('.headline').textContent()).toMatch(
      /^There is no evidence that the best result is more than luck. The best of 144 points: sharpe ratio \d\.\d\d, at fast \d+, slow \d+, stop \d+\.$/,
    )
    expect(await page.locator('#verdict dl > div').first().getAttribute('title')).toContain(
      String(MADE_UP_TRUTH.deflatedSharpe),
    )
    for (const id of ['heat', 'parallel', 'front']) expect(await drawnShare(page, `#${id}`)).toBeGreaterThan(0.005)
    expect(await page.locator('#curves-drawn path').count()).toBe(10)
    expect(await page.locator('#windows rect.test').count()).toBe(facts.walkForward?.windows.length ?? 4)
    expect(await page.locator('#neighbours tbody tr').count()).toBeGreaterThan(2)
    expect(await seriousFaults(page)).toEqual([])
    expect(opened?.troubles).toEqual([])
  })

  it.each([
    [360, true],
    [360, false],
    [768, true],
  ])('has no sideways scroll at %i pixels, dark: %s', async (width, dark) => {
    const facts = madeUpSweep({ steps: { fast: 12, slow: 9, exit: 2 }, objectives: ['return', 'maxDrawdown'] })
    const held = { nullTapes: madeUpNullTapes(facts, 40), crossValidation: madeUpCrossValidation(facts) }
    const truth = { ...held, monteCarlo: MADE_UP_MONTE_CARLO, walkForward: madeUpWalkForward(facts) }
    const page = await open({ ...facts, ...truth }, { width, dark })
    expect(await sideways(page)).toBeLessThanOrEqual(0)
    expect(await seriousFaults(page)).toEqual([])
    await page.emulateMedia({ media: 'print' })
    expect(await page.locator('#points tbody tr').first().isVisible()).toBe(true)
    expect(await page.locator('#condition').isVisible()).toBe(false)
    expect(opened?.troubles).toEqual([])
  })

  it('names the framed best in the legend of the heat map, however far it is from the rest', async () => {
    const facts = madeUpSweep({ steps: { fast: 12, slow: 10 } })
    const [best] = facts.ranked
    const wild = { ...best?.statistics, sharpe: 37.25 }
    const outcomes = facts.outcomes.map((each) => (each === best ? { ...each, statistics: wild } : each))
    const ranked = facts.ranked.map((each) => outcomes[facts.outcomes.indexOf(each)] ?? each)
    const page = await open({ ...facts, outcomes, ranked } as SweepFacts)
    expect(await page.locator('.legend').first().textContent()).toMatch(
      /^Sharpe ratio from -?\d\.\d\d to 37\.25; higher is better \(teal\)\. All cells beyond .+ and \d\.\d\d have the colour of that end\./,
    )
  })

  it('shows what the best was held against, each part only where it was asked for', async () => {
    const facts = madeUpSweep({ steps: { fast: 8, slow: 6 } })
    const crossValidation = madeUpCrossValidation(facts)
    const held = { nullTapes: madeUpNullTapes(facts, 19), crossValidation, monteCarlo: MADE_UP_MONTE_CARLO }
    const page = await open({ ...facts, ...held })
    // One of nineteen has no best; each of the others is a block, with its number on hover.
    await page.locator('#null-bests rect').first().waitFor()
    expect(await page.locator('#null-bests rect').count()).toBe(18)
    expect(await page.locator('#null-bests rect.as-good title').first().textContent()).toMatch(/^\d\.\d{3,}$/)
    expect(await page.locator('#null-bests text.mark').textContent()).toMatch(/^recorded \d\.\d\d$/)
    expect(await page.locator('#null-tapes').textContent()).toContain('a p-value of (')
    expect(await page.locator('#paths rect.loss').count()).toBe(2)
    expect(await page.locator('#paths text.mark').allTextContents()).toEqual([
      'median 0.25',
      expect.stringMatching(/^the best, on the whole tape \d\.\d\d$/),
    ])
    expect(await page.locator('#paths svg').getAttribute('aria-label')).toBe(
      'Sharpe ratios of 5 paths, the median 0.25; 2 lose',
    )
    expect(await page.locator('#monte-carlo polygon').count()).toBe(5)
    expect(await page.locator('#monte-carlo tbody tr').count()).toBe(5)
    // What is drawn can be read without seeing it, and reached without a mouse.
    await page.locator('#null-tapes summary').press('Enter')
    const counted = await page.locator('#null-tapes tbody td:last-child').allTextContents()
    expect(counted.reduce((total, count) => total + Number(count), 0)).toBe(18)
    expect(await seriousFaults(page)).toEqual([])
    expect(opened?.troubles).toEqual([])
    await opened?.page.close()
    const plain = await open(facts)
    expect(await plain.locator('#null-tapes, #cross-validation, #monte-carlo, #walk-forward').count()).toBe(0)
  })

  it('draws the bests of many shuffled tapes as bars, whichever direction is better', async () => {
    const facts = madeUpSweep({ steps: { fast: 8, slow: 6 }, objectives: ['-profitFactor'] })
    const page = await open({ ...facts, nullTapes: madeUpNullTapes(facts, 2_000) }, { width: 360 })
    await page.locator('#null-bests rect').first().waitFor()
    const bars = await page.locator('#null-bests rect').count()
    expect(bars).toBeGreaterThan(10)
    expect(bars).toBeLessThan(62)
    expect(await page.locator('#null-bests rect title').first().textContent()).toMatch(
      /^\d\.\d\d to \d\.\d\d: \d+ tapes$/,
    )
    // Less is better: what is as good lies left of the mark.
    const edgesOf = (selector: string, side: 'left' | 'right'): Promise<readonly number[]> =>
      page.evaluate(
        `Array.from(document.querySelectorAll('#null-bests ${selector}'), (each) => each.getBoundingClientRect().${side})`,
      )
    const [mark = 0] = await edgesOf('line.mark', 'left')
    expect(Math.max(...(await edgesOf('rect.as-good', 'right')))).toBeLessThan(mark + 2)
    expect(Math.min(...(await edgesOf('rect.null', 'left')))).toBeGreaterThan(mark - 2)
    expect(opened?.troubles).toEqual([])
  })

  it('sorts by a click on a head, and the other way round by another', async () => {
    const facts = madeUpSweep({ steps: { fast: 20, slow: 20 } })
    const page = await open(facts)
    expect((await cells(page, 1))[0]).toContain('★')
    const head = page.locator('#points th', { hasText: 'Largest drawdown' })
    await head.locator('button').click()
    expect(await head.getAttribute('aria-sort')).toBe('ascending')
    const shares = (texts: readonly string[]): number[] => texts.map((text) => Number.parseFloat(text))
    const rising = shares(await cells(page, 6))
    expect(rising).toEqual(rising.toSorted((a, b) => a - b))
    await head.locator('button').press('Enter')
    const falling = shares(await cells(page, 6))
    expect(falling).toEqual(falling.toSorted((a, b) => b - a))
    expect(falling[0]).toBeGreaterThan(rising[0] ?? Infinity)
    // Those without one are at the end, whatever the direction.
    await page.locator('#points th button', { hasText: 'Sharpe' }).click()
    await page.locator('button[aria-label="Last page"]').click()
    expect((await cells(page, 4)).at(-1)).toBe('–')
    expect(await page.locator('#points-reported').textContent()).toBe('351 to 400 of 400')
  })

  it('shows in every cell what sweep.csv has', async () => {
    const facts = madeUpSweep({ steps: { fast: 5, slow: 5 } })
    const page = await open(facts)
    await page.locator('#points th button', { hasText: '#' }).click()
    const exact = await page
      .locator('#points tbody td:nth-child(4)')
      .evaluateAll((found) => found.map((cell) => (cell as unknown as { title: string }).title))
    const swept = facts.outcomes.map(({ statistics }) => statistics?.sharpe ?? null)
    expect(exact).toEqual(swept.map((value) => (value === null ? 'undefined, or too little data' : String(value))))
    expect(await cells(page, 2)).toEqual(facts.outcomes.map(({ params }) => params.fast))
  })

  it('filters by a condition of --where, and says what is wrong with one', async () => {
    const facts = madeUpSweep({ steps: { fast: 10, slow: 10 } })
    const page = await open(facts)
    const field = page.locator('#condition')
    await field.fill('fast < slow and maxDrawdown < 0.1')
    const wanted = facts.outcomes.filter(
      ({ params, statistics }) =>
        Number(params.fast) < Number(params.slow) && statistics !== null && statistics.maxDrawdown < 0.1,
    )
    await page.locator('#condition-reported', { hasText: `${wanted.length} of 100 points` }).waitFor()
    expect(await page.locator('#points tbody tr').count()).toBe(Math.min(50, wanted.length))
    await field.fill('fast < slwo')
    await page.locator('#condition-reported.bad').waitFor()
    expect(await field.getAttribute('aria-invalid')).toBe('true')
    expect(await page.locator('#condition-reported').textContent()).toContain("no parameter 'slwo'")
    await field.fill('fast > 1000')
    await page.locator('#condition-reported', { hasText: '0 of 100 points' }).waitFor()
    expect(await page.locator('#points-reported').textContent()).toBe('No point, 100 in total')
    await field.fill('')
    await page.locator('#condition-reported', { hasText: '100 of 100 points' }).waitFor()
    expect(opened?.troubles).toEqual([])
  })

  it('keeps a cell of the heat map by keyboard, in every view, and all again', async () => {
    const page = await open(madeUpSweep({ steps: { fast: 6, slow: 5, stop: 2 } }))
    await page.locator('#heat canvas').focus()
    for (const key of ['ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowLeft', 'ArrowDown', 'ArrowDown']) {
      await page.keyboard.press(key)
    }
    for (let step = 0; step < 5; step += 1) await page.keyboard.press('ArrowDown')
    expect(await page.locator('#heat-reported').textContent()).toMatch(/^fast 5, slow 5: .* \(best of 2\)$/)
    await page.keyboard.press('Enter')
    await page.locator('#condition-reported', { hasText: '2 of 60 points' }).waitFor()
    expect(await page.locator('#ranges button').allTextContents()).toEqual(['fast 5 ×', 'slow 5 ×'])
    expect(new Set(await cells(page, 2))).toEqual(new Set(['5']))
    await page.locator('#ranges button').first().press('Enter')
    await page.locator('#condition-reported', { hasText: '12 of 60 points' }).waitFor()
    await page.locator('#ranges button').first().click()
    await page.locator('#condition-reported', { hasText: '60 of 60 points' }).waitFor()
    expect(await page.evaluate('document.activeElement.id')).toBe('condition')
  })

  it('changes with the parameters and figures that are chosen for the heat map', async () => {
    const page = await open(madeUpSweep({ steps: { fast: 6, slow: 5, stop: 3 } }))
    const picture = (): Promise<string> => page.evaluate<string>("document.querySelector('#heat canvas').toDataURL()")
    const pictures = new Set([await picture()])
    for (const [list, value] of [
      ['heat-figure', '2'],
      ['heat-aggregate', 'median'],
      ['heat-aggregate', 'worst'],
      ['heat-y', '2'],
    ] as const) {
      await page.locator(`#${list}`).selectOption(value)
      pictures.add(await picture())
    }
    expect(pictures.size).toBe(5)
    // A parameter is never laid against itself.
    await page.locator('#heat-x').selectOption('2')
    expect(await page.locator('#heat-y').inputValue()).not.toBe('2')
  })

  it('keeps the lines that pass where an axis was dragged over', async () => {
    const page = await open(madeUpSweep({ steps: { fast: 6, slow: 5 } }))
    const canvas = page.locator('#parallel canvas')
    await canvas.scrollIntoViewIfNeeded()
    const box = await canvas.boundingBox()
    if (box === null) throw new Error('the lines are not drawn')
    await page.mouse.move(box.x + 34, box.y + 20)
    await page.mouse.down()
    await page.mouse.move(box.x + 34, box.y + 120, { steps: 4 })
    await page.mouse.up()
    const [range = ''] = await page.locator('#ranges button').allTextContents()
    expect(range).toMatch(/^fast 20 to 30 ×$/)
    await page.locator('#condition-reported', { hasText: '15 of 30 points' }).waitFor()
    await page.mouse.click(box.x + 34, box.y + 60)
    await page.locator('#condition-reported', { hasText: '30 of 30 points' }).waitFor()
  })

  it('shows one chosen point everywhere', async () => {
    const page = await open(madeUpSweep({ steps: { fast: 6, slow: 5 } }))
    const before = await page.evaluate<string>("document.querySelector('#parallel canvas').toDataURL()")
    await page.locator('#curves button').nth(2).click()
    expect(await page.locator('#curves-drawn path').nth(2).getAttribute('class')).toBe('strong')
    expect(await page.locator('#points tr.chosen').count()).toBe(1)
    expect(await page.evaluate("document.querySelector('#parallel canvas').toDataURL()")).not.toBe(before)
    await page.locator('#points tr.chosen button').click()
    expect(await page.locator('#points tr.chosen').count()).toBe(0)
    expect(await page.locator('path.strong').count()).toBe(0)
  })

  it.each([
    ['one parameter', { steps: { fast: 7 } }],
    ['one point', { steps: { fast: 1 } }],
    ['no parameter', { steps: {} }],
    ['seven parameters', { steps: { a: 2, b: 2, c: 2, d: 2, e: 2, f: 2, g: 2 } }],
  ])('holds for a sweep of %s', async (_, made) => {
    const page = await open(madeUpSweep(made), { width: 360 })
    expect(await sideways(page)).toBeLessThanOrEqual(0)
    expect(await seriousFaults(page)).toEqual([])
    expect(opened?.troubles).toEqual([])
  })

  it('shows a sweep of errors alone, and names that are markup, as what they are', async () => {
    const facts = madeUpSweep({ steps: { '<b>fast</b>': 5 } })
    const failed = facts.outcomes.map((outcome) => ({
      ...outcome,
      statistics: null,
      periods: null,
      error: '</script><img src=x onerror=alert(1)>',
    }))
    const page = await open({ ...facts, outcomes: failed, ranked: [], front: [] })
    expect(await page.locator('#points td.text').first().textContent()).toContain('</script><img')
    expect(await page.locator('img, b').count()).toBe(0)
    expect(await page.locator('#curves').textContent()).toContain('No point has an equity curve.')
    expect(opened?.troubles).toEqual([])
  })

  it('lays values together where there are more than can be distinguished, as a draw from a wide grid has', async () => {
    const facts = madeUpSweep({ steps: { fast: 500 } })
    const wide = Array.from({ length: 5_000 }, (_, step) => String(step))
    const drawn = facts.outcomes.map((outcome, index) => ({
      ...outcome,
      params: { fast: String(index * 9), slow: String((index * 7_919) % 5_000) },
    }))
    const ranked = [...drawn].sort((a, b) => (b.statistics?.sharpe ?? -9) - (a.statistics?.sharpe ?? -9))
    const page = await open({ ...facts, params: { fast: wide, slow: wide }, outcomes: drawn, ranked, front: [] })
    expect(await drawnShare(page, '#heat')).toBeGreaterThan(0.02)
    await page.locator('#heat canvas').focus()
    expect(await page.locator('#heat-reported').textContent()).toMatch(/^fast \d+ to \d+, slow \d+ to \d+: -?\d/)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#points tbody tr').count()).toBe(1)
    expect(await page.locator('#ranges button').first().textContent()).toMatch(/^fast \d+ to \d+ ×$/)
    await page.keyboard.press('Enter')
    await expect.poll(() => page.locator('#points tbody tr').count()).toBe(50)
    expect(opened?.troubles).toEqual([])
  })

  it('of 10 000 points is below 5 MB, and is there to be used', async () => {
    const swept = madeUpSweep({ steps: { fast: 50, slow: 50, stop: 4 } })
    const facts = { ...swept, nullTapes: madeUpNullTapes(swept, 10_000), monteCarlo: MADE_UP_MONTE_CARLO }
    expect(Buffer.byteLength(sweepDocument(facts))).toBeLessThan(5_000_000)
    const page = await open(facts)
    expect(await page.locator('#points-reported').textContent()).toBe('1 to 50 of 10,000')
    await page.locator('#condition').fill('fast < slow')
    await page.locator('#condition-reported', { hasText: '4900 of 10000 points' }).waitFor()
    expect(opened?.troubles).toEqual([])
  })
})
