/**
 * Runs side by side: what came of each, their equity and drawdown on the same axes, whether their returns differ by
 * more than luck, and every figure with how far it is from that of the first.
 */
import type { FigureGroup, PageFigure, PageRun, PageTable } from '../../src/report/page/page-data.ts'
import type { HeadRun } from '../../src/report/page/page-head.ts'
import { el } from '../parts/dom.ts'
import { DataTable } from './data-table.ts'
import { differenceOf } from './difference.ts'
import { figureTerm, toneClass } from './figures.ts'
import { lineChart } from './line-chart.ts'
import { extentOf, percentReaderOf, readerOf } from './numbers.ts'
import { PLOT_COLOURS } from './market-chart.ts'
import { legend, section } from './section.ts'
import { TimeRange } from './time-range.ts'
import { verdictOf } from './verdict.ts'

export function comparedVerdicts(runs: readonly HeadRun[]): HTMLElement {
  return section(
    'verdict',
    'Verdicts',
    [],
    el('div', { class: 'verdicts' }, ...runs.map((run) => verdictOf(run, true))),
  )
}

/** Money if all began with the same, else the growth of 1. */
export function comparedEquity(runs: readonly PageRun[]): HTMLElement {
  const firsts = runs.map(({ account }) => account.equity.values.find((value) => value !== null) ?? 0)
  const assets = new Set(runs.map(({ account }) => account.quoteAsset))
  const isMoney = assets.size === 1 && new Set(firsts).size === 1
  const lines = runs.map(({ name, account }, index) => {
    const first = firsts[index] ?? 0
    const { times, values } = account.equity
    const shown = isMoney ? values : values.map((value) => (value === null || first === 0 ? null : value / first - 1))
    return { name, line: { times, values: shown }, ...drawing(index) }
  })
  const falls = runs.map(({ name, account }, index) => ({ name, line: account.drawdown, ...drawing(index) }))
  const times = runs.flatMap(({ account }) => [account.equity.times[0] ?? 0, account.equity.times.at(-1) ?? 0])
  const [from, to] = extentOf(times)
  const names = legend(lines.map(({ name, colour, dash }) => ({ name, colour, isDashed: dash !== undefined })))
  const [place, below] = [el('div'), el('div')]
  const title = isMoney ? `Equity, ${[...assets].join()}` : 'Return'
  const element = section('equities', `${title} of all runs`, [names.element], place, below)
  queueMicrotask(() => {
    const range = new TimeRange({ from, to })
    const texts: (readonly string[])[] = []
    const show = (chart: number, shown: readonly string[]): void => {
      texts[chart] = shown
      names.show(runs.map((_, run) => texts.flatMap((each) => (each[run] === '' ? [] : (each[run] ?? []))).join(', ')))
    }
    lineChart(place, {
      lines,
      range,
      height: 280,
      label: `${title} of ${runs.length} runs over time`,
      hasTimes: false,
      readerOf: isMoney ? readerOf : percentReaderOf,
      onCursor: (_, shown) => show(0, shown),
    })
    lineChart(below, {
      lines: falls,
      range,
      height: 140,
      label: `Drawdown of ${runs.length} runs over time`,
      hasTimes: true,
      readerOf: percentReaderOf,
      onCursor: (_, shown) => show(1, shown),
    })
  })
  return element
}

/** Whether the runs differ by more than luck. */
export function comparedPairs(pairs: PageTable, first: string): HTMLElement {
  const beside = el('span', { class: 'quiet' }, `returns of the same periods, compared with ${first}`)
  return section('pairs', 'Returns side by side', [beside], new DataTable(pairs, 'Returns side by side').element)
}

/** Beyond the colours there are, and for readers who cannot distinguish them: dashes. */
function drawing(index: number): { readonly colour: string; readonly dash?: readonly number[] } {
  const colour = PLOT_COLOURS[index % PLOT_COLOURS.length] ?? '--accent'
  const dash = [undefined, [7, 4], [2, 3], [10, 3, 2, 3]][index % 4]
  return dash === undefined ? { colour } : { colour, dash }
}

export function comparedFigures(runs: readonly PageRun[]): HTMLElement {
  const names = runs.map(({ name }) => el('th', { scope: 'col', class: 'numbers' }, name))
  const head = el('thead', {}, el('tr', {}, el('th', { scope: 'col' }, 'Figure'), ...names))
  const bodies = groupsOf(runs).map(({ title, paths }) => {
    const columns = String(runs.length + 1)
    const heading = el('tr', {}, el('th', { scope: 'rowgroup', colspan: columns, class: 'group-title' }, title))
    return el('tbody', {}, heading, ...paths.map((path) => figureRow(path, runs)))
  })
  const table = el('table', { class: 'compared' }, head, ...bodies)
  table.style.setProperty('--least', `${200 + runs.length * 130}px`)
  const scroll = el(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Figures of all runs, table' },
    table,
  )
  return section(
    'figures',
    'Figures',
    [el('span', { class: 'quiet' }, `with the difference from ${runs[0]?.name ?? ''}`)],
    scroll,
  )
}

const everyFigure = ({ figures }: PageRun): readonly PageFigure[] => figures.flatMap((group) => group.figures)

/** Every figure that one of them has, in the order of the first that has it. */
function groupsOf(runs: readonly PageRun[]): readonly { readonly title: string; readonly paths: readonly string[] }[] {
  const groups = new Map<string, Set<string>>()
  for (const { title, figures } of runs.flatMap((run): readonly FigureGroup[] => run.figures)) {
    const paths = groups.get(title) ?? new Set()
    groups.set(title, paths)
    for (const { path } of figures) paths.add(path)
  }
  return Array.from(groups, ([title, paths]) => ({ title, paths: [...paths] }))
}

function figureRow(path: string, runs: readonly PageRun[]): HTMLElement {
  const figures = runs.map((run) => everyFigure(run).find((figure) => figure.path === path))
  const first = figures[0]
  const known = figures.find((figure) => figure !== undefined)
  const cells = figures.map((figure, index) => {
    if (figure === undefined) return el('td', { class: 'numbers' }, '–')
    const difference = index === 0 || first === undefined ? undefined : differenceOf(figure, first)
    const shown = el(
      'span',
      { class: toneClass(figure.tone), 'data-figure': path, 'data-run': String(index) },
      figure.text,
    )
    const beside =
      difference === undefined || difference === '' ? [] : [el('span', { class: 'difference' }, difference)]
    return el('td', { class: 'numbers' }, shown, ...beside)
  })
  return el('tr', {}, el('th', { scope: 'row' }, known === undefined ? path : figureTerm(known)), ...cells)
}
