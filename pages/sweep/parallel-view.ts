/**
 * Parallel coordinates: a line a point through its parameters and figures. Dragging along an axis keeps the lines that
 * pass there.
 *
 * The same can be had by keyboard in the field of the filter, which every range is reported beside.
 */
import type { SweptFigure, SweptParam } from '../../src/report/page/sweep/sweep-page-data.ts'
import { el } from '../parts/dom.ts'
import { colourOf } from '../parts/palette.ts'
import { Inks, colourScale } from './colour-scale.ts'
import { type Area, Drawing, fitted } from './drawing.ts'
import { figureText } from '../../src/report/page/sweep/figure-text.ts'
import type { Selection } from './selection.ts'

const [TOP, BOTTOM, SIDE] = [26, 20, 34]
const HEIGHT = 300
const MIN_GAP = 74
const MAX_FIGURES = 5
/** Lines of one shade are drawn at once. */
const SHADES = 24
/** A drag that is shorter is a click, which takes the range away. */
const MIN_DRAG = 4

interface Axis {
  readonly name: string
  readonly label: string
  readonly column: readonly (number | null)[]
  readonly low: number
  readonly high: number
  readonly lowText: string
  readonly highText: string
  /** Values that a range is widened to: the steps of a parameter. */
  readonly isStepped: boolean
}

export class ParallelView {
  readonly #selection: Selection
  readonly #axes: readonly Axis[]
  readonly #drawing: Drawing
  #drag: { readonly axis: number; readonly from: number; to: number } | undefined

  constructor(place: HTMLElement, selection: Selection) {
    this.#selection = selection
    const { params, figures } = selection.data
    this.#axes = [...params.map(paramAxis), ...figures.slice(0, MAX_FIGURES).map(figureAxis)]
    const frame = el('div', { class: 'drawn', id: 'parallel' })
    frame.style.minWidth = `${this.#axes.length * MIN_GAP}px`
    const scroller = el(
      'div',
      { class: 'scroller', tabindex: '0', role: 'group', 'aria-label': 'Parallel coordinates' },
      frame,
    )
    place.append(scroller)
    this.#drawing = new Drawing(
      frame,
      () => HEIGHT,
      (context, area) => this.#draw(context, area),
    )
    this.#drawing.canvas.setAttribute('role', 'img')
    this.#addDrag()
    selection.follow(() => {
      const [objective] = figures
      const { length } = selection.selected
      const text = `Parallel coordinates of ${length} of ${selection.data.points} points, coloured by ${objective?.label ?? ''}`
      this.#drawing.canvas.setAttribute('aria-label', text)
      this.#drawing.paint()
    })
  }

  #left(axis: number, width: number): number {
    const gaps = Math.max(1, this.#axes.length - 1)
    return this.#axes.length === 1 ? width / 2 : SIDE + (axis * (width - 2 * SIDE)) / gaps
  }

  #top({ low, high }: Axis, value: number): number {
    const share = high === low ? 0.5 : (value - low) / (high - low)
    return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)
  }

  #value({ low, high }: Axis, top: number): number {
    const share = (HEIGHT - BOTTOM - top) / (HEIGHT - TOP - BOTTOM)
    return low + Math.max(0, Math.min(1, share)) * (high - low)
  }

  #draw(context: CanvasRenderingContext2D, area: Area): void {
    context.clearRect(0, 0, area.width, area.height)
    this.#drawLines(context, area.width)
    this.#drawAxes(context, area.width)
  }

  #drawLines(context: CanvasRenderingContext2D, width: number): void {
    const { data, selected, chosen } = this.#selection
    const [objective] = data.figures
    if (objective === undefined) return
    const scale = colourScale(objective.column, objective.better)
    const inks = new Inks()
    const shades = Array.from({ length: 2 * SHADES + 1 }, (): number[] => [])
    for (const point of selected) {
      const value = objective.column[point] ?? null
      if (value !== null) shades[Math.round(scale.place(value) * SHADES) + SHADES]?.push(point)
    }
    context.lineWidth = 1
    context.globalAlpha = Math.max(0.08, Math.min(0.9, 40 / Math.sqrt(Math.max(1, selected.length)) / 10 + 0.05))
    shades.forEach((points, shade) => {
      if (points.length === 0) return
      context.strokeStyle = inks.at((shade - SHADES) / SHADES)
      this.#stroke(context, points, width)
    })
    context.globalAlpha = 1
    const [best] = data.ranking
    for (const [point, colour] of [
      [best, colourOf('--text')],
      [chosen, colourOf('--accent')],
    ] as const) {
      if (point === undefined) continue
      context.lineWidth = 2
      context.strokeStyle = colour
      this.#stroke(context, [point], width)
    }
  }

  #stroke(context: CanvasRenderingContext2D, points: readonly number[], width: number): void {
    context.beginPath()
    for (const point of points) {
      let isDrawn = false
      this.#axes.forEach((axis, index) => {
        const value = axis.column[point] ?? null
        // A point that lacks a figure has a line up to there.
        if (value === null) isDrawn = false
        else if (isDrawn) context.lineTo(this.#left(index, width), this.#top(axis, value))
        else context.moveTo(this.#left(index, width), this.#top(axis, value))
        if (value !== null) isDrawn = true
      })
    }
    context.stroke()
  }

  #drawAxes(context: CanvasRenderingContext2D, width: number): void {
    const gap = this.#axes.length < 2 ? width : (width - 2 * SIDE) / (this.#axes.length - 1)
    context.textAlign = 'center'
    context.textBaseline = 'alphabetic'
    this.#axes.forEach((axis, index) => {
      const left = this.#left(index, width)
      const room = Math.min(gap - 4, 2 * SIDE + 40)
      context.fillStyle = colourOf('--line')
      context.fillRect(left - 0.5, TOP, 1, HEIGHT - TOP - BOTTOM)
      context.fillStyle = colourOf('--text')
      context.fillText(fitted(context, axis.label, room), left, 10)
      context.fillStyle = colourOf('--quiet')
      context.fillText(fitted(context, axis.highText, room), left, TOP - 4)
      context.fillText(fitted(context, axis.lowText, room), left, HEIGHT - 6)
      const range = this.#drag?.axis === index ? this.#dragged(axis) : this.#selection.ranges.get(axis.name)
      if (range === undefined) return
      const [top, bottom] = [this.#top(axis, range.high), this.#top(axis, range.low)]
      context.strokeStyle = colourOf('--accent')
      context.lineWidth = 2
      context.strokeRect(left - 6, top - 3, 12, bottom - top + 6)
    })
  }

  #dragged(axis: Axis): { readonly low: number; readonly high: number } {
    const [one, other] = [this.#value(axis, this.#drag?.from ?? 0), this.#value(axis, this.#drag?.to ?? 0)]
    const [low, high] = [Math.min(one, other), Math.max(one, other)]
    return axis.isStepped ? { low: Math.ceil(low - 0.5), high: Math.floor(high + 0.5) } : { low, high }
  }

  #addDrag(): void {
    const { canvas } = this.#drawing
    canvas.addEventListener('pointerdown', (event) => {
      if (event.button !== 0) return
      const { x, y } = this.#drawing.placeOf(event)
      const lefts = this.#axes.map((_, index) => Math.abs(this.#left(index, canvas.clientWidth) - x))
      const axis = lefts.indexOf(Math.min(...lefts))
      if ((lefts[axis] ?? Infinity) > 24) return
      this.#drag = { axis, from: y, to: y }
      canvas.setPointerCapture(event.pointerId)
    })
    canvas.addEventListener('pointermove', (event) => {
      if (this.#drag === undefined) return
      this.#drag.to = this.#drawing.placeOf(event).y
      this.#drawing.paint()
    })
    canvas.addEventListener('pointercancel', () => {
      this.#drag = undefined
      this.#drawing.paint()
    })
    canvas.addEventListener('pointerup', () => {
      const drag = this.#drag
      const axis = this.#axes[drag?.axis ?? -1]
      if (drag === undefined || axis === undefined) return
      const range = Math.abs(drag.to - drag.from) < MIN_DRAG ? undefined : this.#dragged(axis)
      this.#drag = undefined
      this.#selection.narrow({ [axis.name]: range })
    })
  }
}

const paramAxis = ({ name, values, column }: SweptParam): Axis => ({
  ...{ name, label: name, column, isStepped: true },
  ...{ low: 0, high: values.length - 1 },
  ...{ lowText: values[0] ?? '', highText: values.length === 1 ? '' : (values.at(-1) ?? '') },
})

function figureAxis(figure: SweptFigure): Axis {
  let [low, high] = [Infinity, -Infinity]
  for (const value of figure.column) {
    if (value === null) continue
    low = Math.min(low, value)
    high = Math.max(high, value)
  }
  if (low > high) [low, high] = [0, 0]
  const { name, label, column } = figure
  return {
    ...{ name, label, column, isStepped: false, low, high },
    ...{ lowText: figureText(figure, low), highText: figureText(figure, high) },
  }
}
