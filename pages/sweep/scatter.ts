/**
 * Two objectives of all points against each other, those of the Pareto front joined.
 */
import { el } from '../parts/dom.ts'
import { colourOf } from '../parts/palette.ts'
import { type Area, Drawing, fitted } from './drawing.ts'
import { figureText } from '../../src/report/page/sweep/figure-text.ts'
import type { Selection } from './selection.ts'

const [LEFT, BOTTOM, TOP, RIGHT] = [64, 34, 14, 10]
const HEIGHT = 300

export class Scatter {
  readonly #selection: Selection

  constructor(place: HTMLElement, selection: Selection) {
    this.#selection = selection
    const frame = el('div', { class: 'drawn', id: 'front' })
    place.append(frame)
    const drawing = new Drawing(
      frame,
      () => HEIGHT,
      (context, area) => this.#draw(context, area),
    )
    const { figures, front, points } = selection.data
    drawing.canvas.setAttribute('role', 'img')
    const [x, y] = figures
    const label = `${y?.label ?? ''} over ${x?.label ?? ''} of ${points} points; ${front.length} are on the Pareto front`
    drawing.canvas.setAttribute('aria-label', label)
    selection.follow(() => drawing.paint())
  }

  #draw(context: CanvasRenderingContext2D, { width, height }: Area): void {
    const { data, selected, chosen } = this.#selection
    const [across, up] = data.figures
    if (across === undefined || up === undefined) return
    context.clearRect(0, 0, width, height)
    const x = scaleOf(across.column, LEFT + 4, width - RIGHT)
    const y = scaleOf(up.column, height - BOTTOM - 4, TOP)
    const dot = (point: number, size: number): void => {
      const [left, top] = [across.column[point] ?? null, up.column[point] ?? null]
      if (left === null || top === null) return
      context.beginPath()
      context.arc(x.place(left), y.place(top), size, 0, 2 * Math.PI)
      context.fill()
    }
    context.fillStyle = colourOf('--quiet')
    context.globalAlpha = Math.max(0.15, Math.min(0.7, 20 / Math.sqrt(Math.max(1, selected.length))))
    for (const point of selected) dot(point, 2)
    context.globalAlpha = 1
    context.fillStyle = colourOf('--up')
    context.strokeStyle = colourOf('--up')
    const places = data.front.map(
      (point) => [x.place(across.column[point] ?? 0), y.place(up.column[point] ?? 0)] as const,
    )
    context.beginPath()
    for (const [left, top] of places.toSorted(([a], [b]) => a - b)) context.lineTo(left, top)
    context.stroke()
    for (const point of data.front) dot(point, 4)
    context.fillStyle = colourOf('--accent')
    if (chosen !== undefined) dot(chosen, 5)
    context.fillStyle = colourOf('--quiet')
    context.textAlign = 'right'
    context.fillText(figureText(up, y.high), LEFT - 4, TOP + 8)
    context.fillText(figureText(up, y.low), LEFT - 4, height - BOTTOM - 4)
    context.fillText(figureText(across, x.high), width - RIGHT, height - BOTTOM + 12)
    context.textAlign = 'left'
    context.fillText(figureText(across, x.low), LEFT, height - BOTTOM + 12)
    context.fillStyle = colourOf('--text')
    context.fillText(fitted(context, `→ ${across.label}, ↑ ${up.label}`, width - 8), 4, height - 6)
  }
}

interface AxisScale {
  readonly low: number
  readonly high: number
  readonly place: (value: number) => number
}

function scaleOf(column: readonly (number | null)[], start: number, end: number): AxisScale {
  let [low, high] = [Infinity, -Infinity]
  for (const value of column) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  const width = high - low
  return {
    low,
    high,
    place: (value) => (width > 0 ? start + ((value - low) / width) * (end - start) : (start + end) / 2),
  }
}
