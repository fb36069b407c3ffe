/**
 * A cross-validation: the Sharpe ratio of each path that no one has chosen on, sorted, beside that of the best where it
 * was chosen.
 */
import type { PageCrossValidation, SweepPageData } from '../../src/report/page/sweep/sweep-page-data.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import { el } from '../parts/dom.ts'
import { type NumberAxis, numberAxis } from './number-axis.ts'
import { foldedTable, plainTable } from './plain-table.ts'
import { drawnIn, picture, shape, titled } from './shape.ts'
import { figureList } from './verdict-view.ts'

const [ROW, TOP, BOTTOM] = [18, 34, 22]
/** Digits of the number of a path. */
const TEXT = 56
const [RATIO, SHARE] = [{ form: 'ratio' }, { form: 'share' }] as const

export function showCrossValidation(place: HTMLElement, data: PageCrossValidation, page: SweepPageData): void {
  const { paths, choices } = data
  place.append(el('p', {}, data.text), figureList(data.figures))
  drawnIn(place, 'paths', (width) => pathBars(data, width))
  const rows = paths.map(({ sharpe, return: made }) => [
    [figureText(RATIO, sharpe), exactText(sharpe)] as const,
    [figureText(SHARE, made), exactText(made)] as const,
  ])
  const caption = 'Paths, the lowest Sharpe ratio first'
  place.append(foldedTable('As a table', { caption, heads: ['Sharpe ratio', 'Return'], rows }))
  if (choices.length === 0) return
  const chosen = choices.map(({ params, folds }) => [...params, String(folds)])
  const heads = [...page.params.map(({ name }) => name), 'Choices']
  place.append(plainTable({ caption: 'Points selected most often', heads, rows: chosen }))
}

/** A row a path, from the line of zero. */
function pathBars({ paths, medianSharpe, chosenSharpe }: PageCrossValidation, width: number): SVGElement {
  const marks = [medianSharpe, chosenSharpe].filter((value) => value !== null)
  const values = [0, ...marks, ...paths.flatMap(({ sharpe }) => sharpe ?? [])]
  const axis = numberAxis({ values, left: 2, right: width - TEXT, form: 'ratio' })
  const bottom = TOP + paths.length * ROW
  const bars = paths.flatMap(({ sharpe, return: made }, index) => {
    const y = TOP + index * ROW
    const [left = 0, right = 0] = [axis.x(0), axis.x(sharpe ?? 0)].toSorted((a, b) => a - b)
    const kind = (sharpe ?? 0) < 0 ? 'loss' : 'gain'
    const bar = shape('rect', { x: left, y: y + 3, width: Math.max(1, right - left), height: ROW - 6, class: kind })
    const text = { x: width - 2, y: y + 13, 'text-anchor': 'end' }
    return [
      titled(bar, `Sharpe ratio ${figureText(RATIO, sharpe)}, return ${figureText(SHARE, made)}`),
      shape('text', text, figureText(RATIO, sharpe)),
    ]
  })
  const lost = paths.filter((path) => path.return < 0).length
  const label = `Sharpe ratios of ${paths.length} paths, the median ${figureText(RATIO, medianSharpe)}; ${lost} lose`
  return picture(
    width,
    bottom + BOTTOM,
    label,
    ...axis.drawn(TOP, bottom),
    ...bars,
    ...lineAt(axis, medianSharpe, 'median', 24, bottom, width),
    ...lineAt(axis, chosenSharpe, 'the best, on the whole tape', 10, bottom, width),
  )
}

function lineAt(
  { x }: NumberAxis,
  value: number | null,
  name: string,
  top: number,
  bottom: number,
  width: number,
): readonly SVGElement[] {
  if (value === null) return []
  const place = x(value)
  const anchor = place > width / 2 ? 'end' : 'start'
  const text = { x: place + (anchor === 'end' ? -6 : 6), y: top + 3, 'text-anchor': anchor, class: 'mark' }
  return [
    shape('line', { x1: place, x2: place, y1: top - 6, y2: bottom, class: name === 'median' ? 'mark dashed' : 'mark' }),
    shape('text', text, `${name} ${figureText(RATIO, value)}`),
  ]
}
