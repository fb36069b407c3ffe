/**
 * The bests on shuffled tapes as a histogram, and where the best on the recorded one lies among them. Of few tapes each
 * is a block of its own.
 */
import type { PageNullTapes, SweptFigure } from '../../src/report/page/sweep/sweep-page-data.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import { el } from '../parts/dom.ts'
import { bestBins, type BestBin } from './best-bins.ts'
import { numberAxis } from './number-axis.ts'
import { foldedTable } from './plain-table.ts'
import { drawnIn, picture, shape, titled } from './shape.ts'
import { figureList } from './verdict-view.ts'

const [TOP, PLOT, BOTTOM] = [20, 120, 22]
/** Blocks are at most so high; lower than the least they are one bar. */
const [MIN_BLOCK, MAX_BLOCK] = [4, 16]
/** From here on a bar has room for a line between it and the next. */
const GAP = 1

const LEGEND = 'Shuffled tapes by the result of the best on each.'
const AS_GOOD = ' The line is the recorded tape; tapes that do as well are vermilion.'

export function showNullTapes(place: HTMLElement, data: PageNullTapes, objective: SweptFigure): void {
  place.append(el('p', {}, data.text), figureList(data.figures))
  if (data.bests.length === 0) return
  const bins = bestBins(data.bests, data.recorded, objective.better)
  place.append(el('p', { class: 'quiet legend' }, `${LEGEND}${data.recorded === null ? '' : AS_GOOD}`))
  drawnIn(place, 'null-bests', (width) => histogram(data, objective, bins, width))
  const rows = bins.map(({ from, to, bests }) => [
    ...[from, to].map((value) => figureText(objective, value)),
    String(bests.length),
  ])
  const caption = `${objective.label} of the best on shuffled tapes`
  place.append(foldedTable('As a table', { caption, heads: ['From', 'to', 'Tapes'], rows }))
}

function histogram(
  { bests, recorded }: PageNullTapes,
  objective: SweptFigure,
  bins: readonly BestBin[],
  width: number,
): SVGElement {
  const values = [...bests, ...bins.flatMap(({ from, to }) => [from, to]), ...(recorded === null ? [] : [recorded])]
  const axis = numberAxis({ values, left: 2, right: width - 2, form: objective.form })
  const tallest = Math.max(...bins.map((bin) => bin.bests.length))
  const block = Math.min(MAX_BLOCK, PLOT / tallest)
  const bottom = TOP + PLOT
  const bars = bins.flatMap((bin) => {
    const [left = 0, right = 0] = [axis.x(bin.from), axis.x(bin.to)].toSorted((a, b) => a - b)
    const size = { x: left + GAP / 2, width: Math.max(1, right - left - GAP), class: bin.isAsGood ? 'as-good' : 'null' }
    if (block >= MIN_BLOCK) {
      return bin.bests.map((best, index) => {
        const drawn = shape('rect', { ...size, y: bottom - (index + 1) * block, height: block - GAP })
        return titled(drawn, exactText(best))
      })
    }
    const height = bin.bests.length * block
    const reported = `${figureText(objective, bin.from)} to ${figureText(objective, bin.to)}: ${bin.bests.length} tapes`
    return [titled(shape('rect', { ...size, y: bottom - height, height }), reported)]
  })
  const mark = recorded === null ? [] : markOf(axis.x(recorded), width, `recorded ${figureText(objective, recorded)}`)
  const like = bins.filter(({ isAsGood }) => isAsGood).reduce((count, bin) => count + bin.bests.length, 0)
  const label = `Bests on ${bests.length} shuffled tapes by ${objective.label}; ${like} of them are as good as the recorded tape`
  return picture(width, bottom + BOTTOM, label, ...axis.drawn(TOP, bottom), ...bars, ...mark)
}

/** A line over the whole height, named on the side that has room. */
function markOf(x: number, width: number, text: string): readonly SVGElement[] {
  const anchor = x > width / 2 ? 'end' : 'start'
  return [
    shape('line', { x1: x, x2: x, y1: 4, y2: TOP + PLOT, class: 'mark' }),
    shape('text', { x: x + (anchor === 'end' ? -6 : 6), y: 13, 'text-anchor': anchor, class: 'mark' }, text),
  ]
}
