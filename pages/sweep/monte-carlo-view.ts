/**
 * The best with its round trips and periods resampled: the spread of each figure over the rounds, and the actual run.
 */
import type { PageMonteCarlo, PageSpread, PageSpreads } from '../../src/report/page/sweep/sweep-page-data.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import { el } from '../parts/dom.ts'
import { type NumberAxis, numberAxis } from './number-axis.ts'
import { plainTable } from './plain-table.ts'
import { drawnIn, picture, shape, titled } from './shape.ts'
import { figureList } from './verdict-view.ts'

const [ROW, TOP, BOTTOM, SIDE] = [44, 4, 22, 8]
/** Name of a row, and the middle of its span. */
const [NAME, MIDDLE] = [13, 29]
const LEGEND =
  'The line spans 90 % of the rounds, the box the middle 50 %, and the stroke is the median. The diamond is the actual run.'

export function showMonteCarlo(place: HTMLElement, { text, figures, groups }: PageMonteCarlo): void {
  place.append(el('p', {}, text), figureList(figures))
  if (groups.length === 0) return
  place.append(el('p', { class: 'quiet legend' }, LEGEND))
  groups.forEach((group, index) => {
    place.append(el('h3', {}, group.title))
    drawnIn(place, `spreads-${index}`, (width) => spans(group, width))
    place.append(spreadsTable(group))
  })
}

/** A row a figure, all on one axis. */
function spans({ title, form, spreads }: PageSpreads, width: number): SVGElement {
  const values = spreads.flatMap(({ quantiles, actual }) => [...quantiles, ...(actual === null ? [] : [actual])])
  const axis = numberAxis({ values: [0, ...values], left: SIDE, right: width - SIDE, form })
  const bottom = TOP + spreads.length * ROW
  const rows = spreads.flatMap((spread, index) => spanOf(spread, axis, TOP + index * ROW, form))
  const label = `${title}: ${spreads.map((spread) => spanText(spread, form)).join('; ')}`
  return picture(width, bottom + BOTTOM, label, ...axis.drawn(TOP, bottom), ...rows)
}

function spanOf(spread: PageSpread, { x }: NumberAxis, top: number, form: PageSpreads['form']): readonly SVGElement[] {
  const [low = 0, lower = 0, median = 0, upper = 0, high = 0] = spread.quantiles.map(x)
  const y = top + MIDDLE
  const end = (place: number): SVGElement =>
    shape('line', { x1: place, x2: place, y1: y - 5, y2: y + 5, class: 'span' })
  const box = { x: lower, y: y - 7, width: Math.max(1, upper - lower), height: 14, class: 'half' }
  const whole = { x: low - SIDE, y: top + 2, width: high - low + 2 * SIDE, height: ROW - 4, class: 'unseen-shape' }
  const actual = spread.actual === null ? [] : [diamond(x(spread.actual), y)]
  return [
    shape('text', { x: SIDE, y: top + NAME, class: 'strong' }, spread.label),
    shape('line', { x1: low, x2: high, y1: y, y2: y, class: 'span' }),
    ...[end(low), end(high)],
    shape('rect', box),
    shape('line', { x1: median, x2: median, y1: y - 10, y2: y + 10, class: 'median' }),
    ...actual,
    titled(shape('rect', whole), spanText(spread, form)),
  ]
}

const diamond = (x: number, y: number): SVGElement =>
  shape('polygon', { points: `${x - 6},${y} ${x},${y - 6} ${x + 6},${y} ${x},${y + 6}`, class: 'actual' })

function spanText({ label, quantiles, actual }: PageSpread, form: PageSpreads['form']): string {
  const [low, , median, , high] = quantiles.map((value) => figureText({ form }, value))
  const own = actual === null ? '' : `, actual run ${figureText({ form }, actual)}`
  return `${label} from ${low ?? ''} to ${high ?? ''}, median ${median ?? ''}${own}`
}

function spreadsTable({ title, form, spreads }: PageSpreads): HTMLElement {
  const rows = spreads.map(({ label, definition, quantiles, actual }) => [
    [label, definition] as const,
    ...[...quantiles, actual].map((value) => [figureText({ form }, value), exactText(value)] as const),
  ])
  const heads = ['', '5 %', '25 %', 'Median', '75 %', '95 %', 'Actual run']
  return plainTable({ caption: `${title}: rounds below`, heads, rows, isNamed: true })
}
