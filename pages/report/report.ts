/**
 * The report of a run, or of several side by side, made of the JSON in the document.
 *
 * Invariant: it asks nobody for anything, and whatever is shown as a figure came as a text.
 */
import type { PageData, PageRun } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { given } from '../parts/given.ts'
import { comparedEquity, comparedFigures, comparedVerdicts } from './comparison.ts'
import { runView } from './run-view.ts'
import { section } from './section.ts'
import { showDefinitions } from './term.ts'
import { periodOf, verdictOf } from './verdict.ts'

const SECTIONS = [
  ['verdict', 'Verdict'],
  ['charts', 'Charts'],
  ['returns', 'Returns'],
  ['figures', 'Figures'],
  ['trips', 'Round trips'],
  ['orders', 'Orders'],
  ['notes', 'Notes'],
  ['costs', 'Costs'],
  ['setup', 'Setup'],
] as const

const data = given() as PageData
const main = el('main', { id: 'report' })
document.body.append(header(data), main, footer(data))
show(data, main)
showDefinitions()
openAllOnPaper()

function show({ runs }: PageData, place: HTMLElement): void {
  const [first, ...others] = runs
  if (first === undefined) return
  if (others.length === 0) {
    place.append(section('verdict', 'Verdict', [], verdictOf(first, false)), ...runView(first, true))
    return
  }
  const one = el('div', { class: 'one-run', id: 'one-run' })
  place.append(comparedVerdicts(runs), comparedEquity(runs), comparedFigures(runs), chooser(runs, one), one)
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

function header({ title, runs }: PageData): HTMLElement {
  const [first] = runs
  const periods = new Set(runs.map(periodOf))
  const span = periods.size > 1 ? 'The runs cover different periods' : [...periods].join('')
  const isThere = (id: string): boolean => id !== 'notes' || (first?.notes.rows.length ?? 0) > 0
  const links = SECTIONS.filter(([id]) => isThere(id)).map(([id, text]) => el('a', { href: `#${id}` }, text))
  const name = el('div', { class: 'name' }, el('h1', {}, title), el('span', { class: 'quiet number' }, span))
  return el('header', {}, name, el('nav', { 'aria-label': 'Report sections' }, ...links))
}

function footer({ runs }: PageData): HTMLElement {
  const charts = el('a', { href: 'https://www.tradingview.com/', rel: 'noreferrer' }, 'TradingView')
  return el(
    'footer',
    {},
    el('p', {}, `papertape ${runs[0]?.report.version ?? ''}. Times are in UTC.`),
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
