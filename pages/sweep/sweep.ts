/**
 * The page of a sweep: its verdict, and views of its points that all follow one selection.
 */
import type { SweepPageData } from '../../src/report/page/sweep/sweep-page-data.ts'
import { byId, el, setClass, setText } from '../parts/dom.ts'
import { given } from '../parts/given.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import { showCrossValidation } from './cross-validation-view.ts'
import { HeatMap } from './heat-map.ts'
import { showCurves } from './curves-view.ts'
import { showMonteCarlo } from './monte-carlo-view.ts'
import { showNullTapes } from './null-tapes-view.ts'
import { ParallelView } from './parallel-view.ts'
import { PointsTable } from './points-table.ts'
import { Scatter } from './scatter.ts'
import { Selection } from './selection.ts'
import { figureList, showVerdict } from './verdict-view.ts'
import { showWalkForward } from './walk-forward-view.ts'

const TYPING_MS = 150
const OF_ROUNDS =
  'The round trips and periods of the best, resampled. Read the spread, not the middle: the best was selected on these results.'

const data = given() as SweepPageData
const main = el('main')
const heading = el('h1', {}, 'papertape ', el('span', { class: 'quiet' }, `sweep of ${data.title}`))
document.body.append(el('header', {}, heading), main)
const selection = new Selection(data)

function section(id: string, title: string, note = ''): HTMLElement {
  const heading = el('h2', { id: `${id}-title` }, title)
  const made = el('section', { id, class: 'panel', 'aria-labelledby': `${id}-title` }, heading)
  if (note !== '') made.append(el('p', { class: 'quiet' }, note))
  main.append(made)
  return made
}

showVerdict(section('verdict', 'Verdict'), data.verdict)
byId('verdict', HTMLElement).append(...data.facts.map((text) => el('p', { class: 'quiet' }, text)))
showTruth()
showBest()
showFilter()
if (data.params.length > 0) new HeatMap(section('heat-map', 'Heat map'), selection)
new ParallelView(
  section(
    'lines',
    'Every point as a line',
    'Drag along an axis to keep only the points that pass there. Click the axis to reset it.',
  ),
  selection,
)
if (data.objectives > 1) {
  const note = 'The points that no other point beats in every objective.'
  new Scatter(section('pareto', 'Pareto front', note), selection)
}
new PointsTable(section('table', 'Points'), selection)
const OF_CURVES =
  'As a multiple of the initial equity, on the whole tape. The best was selected on this tape, so this is no evidence.'
showCurves(section('curves', 'Equity of the best', OF_CURVES), selection)
showSettings()

/** The checks of the best that were requested. */
function showTruth(): void {
  const { nullTapes, walkForward, crossValidation, monteCarlo } = data
  const [objective] = data.figures
  if (nullTapes !== null && objective !== undefined) {
    const note = 'The same sweep on tapes with shuffled returns, where any result is luck.'
    showNullTapes(section('null-tapes', 'Shuffled tapes', note), nullTapes, objective)
  }
  if (walkForward !== null) {
    const place = section(
      'walk-forward',
      'Walk-forward',
      'The best point of each train window trades the test window that follows.',
    )
    place.append(figureList(walkForward.figures))
    showWalkForward(place, walkForward, data)
  }
  if (crossValidation !== null) {
    const note = 'Paths through the whole time. Each group of time is traded by the point selected on other groups.'
    showCrossValidation(section('cross-validation', 'Cross-validation', note), crossValidation, data)
  }
  if (monteCarlo !== null) showMonteCarlo(section('monte-carlo', 'Monte Carlo', OF_ROUNDS), monteCarlo)
}

/** The best with its neighbours, in the figures of the table. */
function showBest(): void {
  const [best] = data.ranking
  if (best === undefined) return
  const { neighbours } = data
  const place = section('best', 'The best and its neighbours', neighbours?.text ?? '')
  const points = [best, ...(neighbours?.points ?? [])]
  const heads = [...data.params.map(({ name }) => name), ...data.figures.map(({ label }) => label)]
  const rows = points.map((point, index) => {
    const params = data.params.map(({ values, column }) => {
      const value = column[point] ?? -1
      const isOther = value !== column[best]
      return el('td', isOther ? { class: 'other' } : {}, values[value] ?? '')
    })
    const figures = data.figures.map((figure) => {
      return el('td', { title: exactText(figure.column[point]) }, figureText(figure, figure.column[point]))
    })
    return el('tr', index === 0 ? { class: 'best' } : {}, ...params, ...figures)
  })
  const head = el('thead', {}, el('tr', {}, ...heads.map((text) => el('th', { scope: 'col' }, text))))
  const table = el('table', { id: 'neighbours' }, head, el('tbody', {}, ...rows))
  place.append(
    el('div', { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': 'The best and its neighbours' }, table),
  )
}

/** A condition on all views, and the ranges set in them, each with a button to remove it. */
function showFilter(): void {
  const names = [...data.params, ...data.figures].map(({ name }) => name)
  const place = section(
    'filter',
    'Filter',
    `All views below show only the matching points. Names: ${names.join(', ')}.`,
  )
  const [number] = data.params.filter(({ isNumeric }) => isNumeric)
  const ofParam = number === undefined ? '' : `${number.name} > ${number.values[0] ?? '0'} and `
  const example = `${ofParam}${data.figures[0]?.name ?? 'sharpe'} > 0`
  const field = el('input', {
    id: 'condition',
    type: 'text',
    placeholder: example,
    spellcheck: 'false',
    autocomplete: 'off',
  }) as HTMLInputElement
  const reported = el('output', { id: 'condition-reported', role: 'status' })
  const ranges = el('div', { class: 'names', id: 'ranges' })
  place.append(el('label', { class: 'condition' }, 'Condition ', field), reported, ranges)
  field.setAttribute('aria-describedby', 'condition-reported')
  const apply = (): void => {
    field.removeAttribute('aria-invalid')
    try {
      selection.filter(field.value)
    } catch (error) {
      field.setAttribute('aria-invalid', 'true')
      setClass(reported, 'bad')
      setText(reported, error instanceof Error ? error.message.replace(/^filter: /, '') : String(error))
    }
  }
  let timer: number | undefined
  // Debounced: with many points a condition takes a while.
  field.addEventListener('input', () => {
    clearTimeout(timer)
    timer = window.setTimeout(apply, TYPING_MS)
  })
  selection.follow(() => {
    if (!field.hasAttribute('aria-invalid')) {
      setClass(reported, 'quiet')
      setText(reported, `${selection.selected.length} of ${data.points} points`)
    }
    ranges.replaceChildren(...Array.from(selection.ranges.keys(), rangeButton))
  })
}

function rangeButton(name: string): HTMLElement {
  const { low = 0, high = 0 } = selection.ranges.get(name) ?? {}
  const param = data.params.find((each) => each.name === name)
  const figure = data.figures.find((each) => each.name === name)
  const text = (value: number): string =>
    figure === undefined ? (param?.values[value] ?? '') : figureText(figure, value)
  const reported = low === high ? `${name} ${text(low)}` : `${name} ${text(low)} to ${text(high)}`
  const button = el('button', { type: 'button', class: 'small', 'aria-label': `Remove ${reported}` }, `${reported} ×`)
  button.addEventListener('click', () => {
    selection.narrow({ [name]: undefined })
    byId('condition', HTMLInputElement).focus()
  })
  return button
}

function showSettings(): void {
  const text = JSON.stringify(data.report, undefined, 2)
  const details = el('details', {}, el('summary', {}, 'sweep.json'), el('pre', { tabindex: '0' }, text))
  section('settings', 'Settings of the sweep').append(details)
}
