/**
 * A walk-forward: what was chosen on which stretch, how it did there and afterwards, and the equity of all test windows
 * in one line.
 */
import { DAY_MS } from '../../src/domain/time.ts'
import type { PageWalkForward, PageWindow, SweepPageData } from '../../src/report/page/sweep/sweep-page-data.ts'
import { el } from '../parts/dom.ts'
import { figureText } from '../../src/report/page/sweep/figure-text.ts'
import { dayText, minuteText } from './moments.ts'
import { lineChart } from './line-chart.ts'
import { drawnIn, shape } from './shape.ts'

const ROW = 14

export function showWalkForward(place: HTMLElement, { windows, equity }: PageWalkForward, data: SweepPageData): void {
  if (equity.times.length > 1) {
    const label = 'Equity of all test windows in one line; every other window is shaded'
    const lines = [{ name: 'out of sample', line: equity, colour: '--accent', opacity: 1 }]
    const marked = windows
      .filter((_, index) => index % 2 === 1)
      .map(({ testFrom, testTo }) => ({ from: testFrom, to: testTo }))
    drawnIn(place, 'walk-forward-equity', (width) => lineChart(lines, { width, label, marked }))
  }
  if (windows.length === 0) return
  drawnIn(place, 'windows', (width) => windowBars(windows, width))
  place.append(windowsTable(windows, data))
}

/** A row a window: where was trained, where tested. */
function windowBars(windows: readonly PageWindow[], width: number): SVGElement {
  const from = Math.min(...windows.map(({ trainFrom }) => trainFrom))
  const to = Math.max(...windows.map(({ testTo }) => testTo))
  const x = (time: number): number => ((time - from) / Math.max(1, to - from)) * width
  const label = `${windows.length} windows from ${dayText(from)} to ${dayText(to)}: train, then test`
  const height = windows.length * ROW
  const drawing = shape('svg', { viewBox: `0 0 ${width} ${height}`, width, height, role: 'img', 'aria-label': label })
  windows.forEach(({ trainFrom, trainTo, testFrom, testTo }, index) => {
    const bar = (start: number, end: number, kind: string): SVGElement => {
      const size = { width: Math.max(1, x(end) - x(start)), height: ROW - 4 }
      return shape('rect', { x: x(start), y: index * ROW + 2, ...size, class: kind })
    }
    drawing.append(bar(trainFrom, trainTo, 'train'), bar(testFrom, testTo, 'test'))
  })
  return drawing
}

function windowsTable(windows: readonly PageWindow[], { params, figures }: SweepPageData): HTMLElement {
  const [objective = { form: 'ratio' as const, label: '' }] = figures
  const moment = windows.some(({ testFrom, testTo }) => testTo - testFrom < DAY_MS) ? minuteText : dayText
  const times = ['Train from', 'to', 'Test from', 'to']
  const heads = [...times, ...params.map(({ name }) => name), 'In sample', 'Out of sample']
  const rows = windows.map((window) => {
    const { trainFrom, trainTo, testFrom, testTo, inSample, outOfSample } = window
    const values = window.params ?? params.map(() => '–')
    const results = [inSample, outOfSample].map((value) => figureText(objective, value))
    const cells = [...[trainFrom, trainTo, testFrom, testTo].map(moment), ...values, ...results]
    return el('tr', {}, ...cells.map((text) => el('td', {}, text)))
  })
  const text = `${objective.label} of the selected point, in sample and out of sample`
  const head = el('thead', {}, el('tr', {}, ...heads.map((each) => el('th', { scope: 'col' }, each))))
  const table = el('table', {}, el('caption', { class: 'quiet' }, text), head, el('tbody', {}, ...rows))
  return el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': 'Windows' }, table)
}
