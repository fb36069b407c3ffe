/**
 * A heat map of two parameters, by mouse and by keyboard: arrows move over its cells, Enter keeps the points of one.
 */
import { el, setText, showOptions } from '../parts/dom.ts'
import { colourOf } from '../parts/palette.ts'
import { type ColourScale, Inks, colourScale } from './colour-scale.ts'
import { type Area, Drawing, fitted } from './drawing.ts'
import { exactText, figureText } from '../../src/report/page/sweep/figure-text.ts'
import { type Aggregate, type HeatCells, type HeatSteps, heatCells, heatSteps } from './heat-cells.ts'
import type { Selection } from './selection.ts'

const [LEFT, BOTTOM, TOP] = [64, 34, 6]
const [MIN_CELL, MAX_CELL] = [5, 30]
const MAX_HEIGHT = 480

const AGGREGATES: readonly (readonly [Aggregate, string])[] = [
  ['best', 'the best of the others'],
  ['median', 'the median of the others'],
  ['worst', 'the worst of the others'],
]

export class HeatMap {
  readonly #selection: Selection
  readonly #drawing: Drawing
  readonly #x = el('select', { id: 'heat-x' }) as HTMLSelectElement
  readonly #y = el('select', { id: 'heat-y' }) as HTMLSelectElement
  readonly #figure = el('select', { id: 'heat-figure' }) as HTMLSelectElement
  readonly #aggregate = el('select', { id: 'heat-aggregate' }) as HTMLSelectElement
  readonly #reported = el('output', { id: 'heat-reported', 'aria-live': 'polite' })
  readonly #legend = el('p', { class: 'quiet legend' })
  #cells: HeatCells = []
  #scale: ColourScale = colourScale([], 'higher')
  #cursor = { column: 0, row: 0 }

  constructor(place: HTMLElement, selection: Selection) {
    this.#selection = selection
    const { params, figures } = selection.data
    const names = params.map(({ name }, index) => [String(index), name] as const)
    showOptions(this.#x, names)
    showOptions(this.#y, names)
    const steps = params.map(({ values }, index) => ({ index, count: values.length })).sort((a, b) => b.count - a.count)
    this.#x.value = String(steps[0]?.index ?? 0)
    this.#y.value = String(steps[1]?.index ?? 0)
    showOptions(
      this.#figure,
      figures.map(({ label }, index) => [String(index), label] as const),
    )
    showOptions(this.#aggregate, AGGREGATES)
    const frame = el('div', { class: 'drawn', id: 'heat' })
    place.append(this.#controls(params.length), frame, this.#legend, this.#reported)
    this.#drawing = new Drawing(
      frame,
      (width) => this.#height(width),
      (context, area) => this.#draw(context, area),
    )
    this.#addEvents()
    this.#startAtBest()
    selection.follow(() => this.#show())
  }

  #controls(params: number): HTMLElement {
    const controls = el('div', { class: 'controls' })
    const labelled = (text: string, control: HTMLElement): HTMLElement => el('label', {}, `${text} `, control)
    controls.append(labelled('colour', this.#figure), labelled('across', this.#x))
    if (params > 1) controls.append(labelled('up', this.#y))
    if (params > 2) controls.append(labelled('in each cell', this.#aggregate))
    for (const control of [this.#x, this.#y, this.#figure, this.#aggregate]) {
      control.addEventListener('change', () => {
        this.#separate(control)
        this.#startAtBest()
        this.#show()
      })
    }
    return controls
  }

  /** One parameter is not laid against itself: the other list goes on to the next. */
  #separate(changed: HTMLElement): void {
    const { length } = this.#selection.data.params
    if (length < 2 || this.#x.value !== this.#y.value) return
    const other = changed === this.#x ? this.#y : this.#x
    other.value = String((Number(other.value) + 1) % length)
  }

  get #axes(): { readonly x: number; readonly y: number | undefined } {
    return { x: Number(this.#x.value), y: this.#selection.data.params.length > 1 ? Number(this.#y.value) : undefined }
  }

  #steps(axis: number | undefined): HeatSteps {
    return heatSteps(this.#selection.data.params[axis ?? -1] ?? { values: [''] })
  }

  #cellOf(point: number): { readonly column: number; readonly row: number } {
    const { params } = this.#selection.data
    const { x, y } = this.#axes
    const step = (axis: number | undefined): number => this.#steps(axis).stepOf(params[axis ?? -1]?.column[point] ?? 0)
    return { column: step(x), row: step(y) }
  }

  #startAtBest(): void {
    const best = this.#selection.data.ranking[0]
    if (best !== undefined) this.#cursor = this.#cellOf(best)
  }

  #show(): void {
    const { data } = this.#selection
    const figure = data.figures[Number(this.#figure.value)]
    if (figure === undefined) return
    const { x, y } = this.#axes
    // Who has kept one cell still sees the others.
    const selected = this.#selection.selectedExcept([x, y].flatMap((axis) => data.params[axis ?? -1]?.name ?? []))
    this.#cells = heatCells(data, { x, y }, figure, this.#aggregate.value as Aggregate, selected)
    this.#scale = colourScale(
      this.#cells.flat().map(({ value }) => value),
      figure.better,
    )
    const { least, most, low, high } = this.#scale
    const better = figure.better === 'higher' ? 'higher' : 'lower'
    const text = (value: number): string => figureText(figure, value)
    const isCut = low > least || high < most
    const ends = isCut ? ` All cells beyond ${text(low)} and ${text(high)} have the colour of that end.` : ''
    setText(
      this.#legend,
      `${figure.label} from ${text(least)} to ${text(most)}; ${better} is better (teal).${ends} The frame marks the best point.`,
    )
    this.#drawing.canvas.setAttribute(
      'aria-label',
      `Heat map: ${figure.label}. Use the arrow keys to move over its cells, and Enter to select one.`,
    )
    this.#drawing.paint()
  }

  #height(width: number): number {
    return this.#cells.length * this.#rowHeight(width) + TOP + BOTTOM
  }

  #cellWidth(width: number): number {
    return (width - LEFT - 2) / Math.max(1, this.#cells[0]?.length ?? 1)
  }

  #rowHeight(width: number): number {
    const fitting = MAX_HEIGHT / Math.max(1, this.#cells.length)
    return Math.max(MIN_CELL, Math.min(MAX_CELL, fitting, this.#cellWidth(width)))
  }

  #draw(context: CanvasRenderingContext2D, { width, height }: Area): void {
    const inks = new Inks()
    const [cellWidth, rowHeight] = [this.#cellWidth(width), this.#rowHeight(width)]
    const rows = this.#cells.length
    const gap = rowHeight > 8 && cellWidth > 8 ? 1 : 0
    const frame = (column: number, row: number, colour: string, line: number): void => {
      context.strokeStyle = colour
      context.lineWidth = line
      context.strokeRect(LEFT + column * cellWidth, TOP + (rows - 1 - row) * rowHeight, cellWidth, rowHeight)
    }
    context.clearRect(0, 0, width, height)
    this.#cells.forEach((cells, row) => {
      cells.forEach(({ value }, column) => {
        if (value === null) return
        context.fillStyle = inks.at(this.#scale.place(value))
        const top = TOP + (rows - 1 - row) * rowHeight
        context.fillRect(LEFT + column * cellWidth, top, cellWidth - gap, rowHeight - gap)
      })
    })
    this.#drawAxes(context, { width, height })
    const { data, chosen } = this.#selection
    const at = (point: number | undefined, colour: string): void => {
      if (point === undefined) return
      const { column, row } = this.#cellOf(point)
      frame(column, row, colour, 2)
    }
    at(data.ranking[0], colourOf('--text'))
    at(chosen, colourOf('--accent'))
    if (document.activeElement === this.#drawing.canvas) {
      frame(this.#cursor.column, this.#cursor.row, colourOf('--accent'), 3)
    }
  }

  #drawAxes(context: CanvasRenderingContext2D, { width, height }: Area): void {
    const { data } = this.#selection
    const { x, y } = this.#axes
    const [cellWidth, rowHeight] = [this.#cellWidth(width), this.#rowHeight(width)]
    const rows = this.#cells.length
    context.fillStyle = colourOf('--quiet')
    context.textBaseline = 'middle'
    context.textAlign = 'right'
    const everyRow = Math.ceil(14 / rowHeight)
    const down = y === undefined ? undefined : data.params[y]
    const rowSteps = this.#steps(y)
    for (let row = 0; down !== undefined && row < rows; row += everyRow) {
      const text = fitted(context, rowSteps.textOf(row), LEFT - 10)
      context.fillText(text, LEFT - 6, TOP + (rows - 0.5 - row) * rowHeight)
    }
    context.textAlign = 'center'
    const across = data.params[x]
    const columnSteps = this.#steps(x)
    const texts = Array.from({ length: columnSteps.count }, (_, column) => columnSteps.textOf(column))
    const widest = Math.max(24, ...texts.map((text) => context.measureText(text).width + 8))
    const everyColumn = Math.ceil(Math.min(widest, 90) / cellWidth)
    texts.forEach((text, column) => {
      if (column % everyColumn > 0) return
      const room = Math.min(90, cellWidth * everyColumn)
      context.fillText(fitted(context, text, room), LEFT + (column + 0.5) * cellWidth, height - BOTTOM + 9)
    })
    context.fillStyle = colourOf('--text')
    context.fillText(across?.name ?? '', LEFT + (width - LEFT) / 2, height - 8)
    if (down === undefined) return
    context.textAlign = 'left'
    context.fillText(fitted(context, `↑ ${down.name}`, LEFT + 40), 0, height - 8)
  }

  #addEvents(): void {
    const { canvas } = this.#drawing
    canvas.tabIndex = 0
    canvas.setAttribute('role', 'application')
    for (const change of ['focus', 'blur'] as const) {
      canvas.addEventListener(change, () => {
        this.#drawing.paint()
        if (change === 'focus') this.#reportCell()
      })
    }
    const moveTo = (event: MouseEvent): boolean => {
      const { x, y } = this.#drawing.placeOf(event)
      const width = canvas.clientWidth
      const column = Math.floor((x - LEFT) / this.#cellWidth(width))
      const row = this.#cells.length - 1 - Math.floor((y - TOP) / this.#rowHeight(width))
      if (this.#cells[row]?.[column] === undefined) return false
      this.#cursor = { column, row }
      this.#reportCell()
      return true
    }
    canvas.addEventListener('pointermove', moveTo)
    canvas.addEventListener('click', (event) => {
      if (moveTo(event)) this.#narrow()
    })
    canvas.addEventListener('keydown', (event) => {
      const step = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, 1], ArrowDown: [0, -1] }[event.key]
      if (event.key === 'Enter') this.#narrow()
      else if (step === undefined) return
      else this.#move(step[0] ?? 0, step[1] ?? 0)
      event.preventDefault()
    })
  }

  #move(columns: number, rows: number): void {
    const [column, row] = [this.#cursor.column + columns, this.#cursor.row + rows]
    if (this.#cells[row]?.[column] === undefined) return
    this.#cursor = { column, row }
    this.#reportCell()
    this.#drawing.paint()
  }

  #reportCell(): void {
    const { data } = this.#selection
    const { x, y } = this.#axes
    const figure = data.figures[Number(this.#figure.value)]
    const { column, row } = this.#cursor
    const cell = this.#cells[row]?.[column]
    if (figure === undefined || cell === undefined) return
    const across = `${data.params[x]?.name ?? ''} ${this.#steps(x).textOf(column)}`
    const up = y === undefined ? '' : `, ${data.params[y]?.name ?? ''} ${this.#steps(y).textOf(row)}`
    const of = cell.count === 1 ? '' : ` (${this.#aggregate.value} of ${cell.count})`
    setText(this.#reported, `${across}${up}: ${figureText(figure, cell.value)}${cell.count === 0 ? ', not swept' : of}`)
    this.#reported.title = exactText(cell.value)
  }

  /** The points of the cell alone, in all views; those of all cells again when it was kept already. */
  #narrow(): void {
    const { params } = this.#selection.data
    const { x, y } = this.#axes
    const { column, row } = this.#cursor
    const [across, down] = [params[x]?.name ?? '', y === undefined ? undefined : params[y]?.name]
    const [columns, rows] = [this.#steps(x).rangeOf(column), this.#steps(y).rangeOf(row)]
    const isOnly = (name: string | undefined, { low, high }: typeof columns): boolean => {
      const range = name === undefined ? undefined : this.#selection.ranges.get(name)
      return name === undefined || (range?.low === low && range.high === high)
    }
    const isNarrowed = isOnly(across, columns) && isOnly(down, rows)
    const [best] = this.#cells[row]?.[column]?.points ?? []
    this.#selection.narrow({
      [across]: isNarrowed ? undefined : columns,
      ...(down !== undefined && { [down]: isNarrowed ? undefined : rows }),
    })
    this.#selection.choose(isNarrowed ? undefined : best)
  }
}
