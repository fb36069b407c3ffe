/**
 * The report of a run, or of several side by side, made of the JSON in the document.
 *
 * Invariants: it asks no one for anything, and whatever is shown as a figure came as a text. The verdict is painted
 * before the rest is unfolded.
 */
import type { PageData, PageRun } from '../../src/report/page/page-data.ts'
import type { PageHead } from '../../src/report/page/page-head.ts'
import { el } from '../parts/dom.ts'
import { given, givenHead } from '../parts/given.ts'
import { comparedEquity, comparedFigures, comparedPairs, comparedVerdicts } from './comparison.ts'
import { runView } from './run-view.ts'
import { section } from './section.ts'
import { showDefinitions } from './term.ts'
import { themeList } from './theme.ts'
import { verdictOf } from './verdict.ts'

const SECTIONS = [
  ['verdict', 'Verdict'],
  ['charts', 'Charts'],
  ['strategies', 'Strategies'],
  ['returns', 'Returns'],
  ['figures', 'Figures'],
  ['groups', 'Profit by'],
  ['trips', 'Round trips'],
  ['orders', 'Orders'],
  ['notes', 'Notes'],
  ['costs', 'Costs'],
  ['setup', 'Setup'],
] as const

/** Milliseconds after which a page that is not painted, as in a tab behind others, goes on. */
const PATIENCE_MS = 200

const head = givenHead() as PageHead
const main = el('main', { id: 'report' }, verdicts(head))
document.body.append(header(head), main, footer(head))
await painted()
show(given() as PageData, main)
showDefinitions()
openAllOnPaper()

function verdicts({ runs }: PageHead): HTMLElement {
  const [first, ...others] = runs
  if (first === undefined || others.length > 0) return comparedVerdicts(runs)
  return section('verdict', 'Verdict', [], verdictOf(first, false))
}

function painted(): Promise<void> {
  return new Promise((done) => {
    requestAnimationFrame(() => setTimeout(done))
    setTimeout(done, PATIENCE_MS)
  })
}

function show({ runs, pairs }: PageData, place: HTMLElement): void {
  const [first, ...others] = runs
  if (first === undefined) return
  if (others.length === 0) {
    place.append(...runView(first, true))
    return
  }
  const one = el('div', { class: 'one-run', id: 'one-run' })
  place.append(comparedEquity(runs), comparedPairs(pairs, first.name), comparedFigures(runs), chooser(runs, one), one)
}

/** Which of the runs the rest of the page is about. */
function chooser(runs: readonly PageRun[], place: HTMLElement): HTMLElement {
  // Each is made once, and stays as it was left.
  const views = new Map<PageRun, readonly HTMLElement[]>()
  const viewOf = (run: PageRun): readonly HTMLElement[] => {
    const view = views.get(run) ?? runView(run, false)
    views.set(run, view)
    return view
  }
  const [first] = runs
  if (first !== undefined) place.append(...viewOf(first))
  const buttons = runs.map(({ name }, index) => {
    const button = el('button', { type: 'button', 'aria-pressed': String(index === 0) }, name)
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
      const run = runs[index]
      if (run !== undefined) place.replaceChildren(...viewOf(run))
    })
    return button
  })
  return el(
    'div',
    { class: 'chooser', role: 'group', 'aria-label': 'Run shown below' },
    el('h2', {}, 'Details of one run'),
    ...buttons,
  )
}

function header({ title, runs }: PageHead): HTMLElement {
  const [first] = runs
  const periods = new Set(runs.map(({ period }) => period))
  const span = periods.size > 1 ? 'The runs cover different periods' : [...periods].join('')
  const optional = { notes: first?.hasNotes, groups: first?.hasGroups, strategies: first?.hasStrategies }
  const isThere = (id: string): boolean => !(id in optional) || optional[id as keyof typeof optional] === true
  const links = SECTIONS.filter(([id]) => isThere(id)).map(([id, text]) => el('a', { href: `#${id}` }, text))
  const name = el('div', { class: 'name' }, el('h1', {}, title), el('span', { class: 'quiet number' }, span))
  return el('header', {}, name, el('nav', { 'aria-label': 'Report sections' }, ...links, themeList()))
}

function footer({ version }: PageHead): HTMLElement {
  const charts = el('a', { href: 'https://www.tradingview.com/', rel: 'noreferrer' }, 'TradingView')
  return el(
    'footer',
    {},
    el('p', {}, `papertape ${version}. Times are in UTC.`),
    el('p', {}, 'Charts: ', charts, ' Lightweight Charts™, Copyright (c) 2025 TradingView, Inc., Apache License 2.0. '),
    el('p', {}, 'uPlot, Copyright (c) 2022 Leon Sorokin, MIT License.'),
  )
}

function openAllOnPaper(): void {
  const opened = new Set<HTMLDetailsElement>()
  addEventListener('beforeprint', () => {
    for (const each of document.querySelectorAll('details')) {
      if (each.open) continue
      each.open = true
      opened.add(each)
    }
  })
  addEventListener('afterprint', () => {
    for (const each of opened) each.open = false
    opened.clear()
  })
}
