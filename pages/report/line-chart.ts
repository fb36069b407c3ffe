/**
 * Lines over time, in the colours of the page, on the stretch of time that all charts of the page show.
 *
 * Known limit: the axis of values has doubles, rounded for reading; what may be quoted stands in the tables.
 */
import uPlot from 'uplot'
import { DAY_MS, MINUTE_MS, YEAR_MS } from '../../src/domain/time.ts'
import type { Line } from '../../src/report/page/page-data.ts'
import { colourOf, paintAlways } from '../parts/palette.ts'
import { firstFrom, lastAt } from './candle-bars.ts'
import { fitAlways } from './fit.ts'
import { addGestures } from './gestures.ts'
import { extentOf, labelWidth } from './numbers.ts'
import type { Span, TimeRange } from './time-range.ts'
import { isRelative, scaled, scaledReader, ValueScale } from './value-scale.ts'

export interface DrawnLine {
  readonly name: string
  readonly line: Line
  /** Name in `palette.css` or `report.css`. */
  readonly colour: string
  /** Pixels on and off; a whole line without. */
  readonly dash?: readonly number[]
  /** The space between the line and 0 is filled. */
  readonly isFilled?: boolean
  /** The line is drawn only once it is switched on. */
  readonly isOff?: boolean
}

export interface LineChartSetup {
  readonly lines: readonly DrawnLine[]
  readonly height: number
  /** Text for a screen reader. */
  readonly label: string
  readonly range: TimeRange
  /** Default: even. */
  readonly scale?: ValueScale
  /** Stretches of time that are shaded. */
  readonly shaded?: readonly Span[]
  readonly hasTimes: boolean
  /** Makes the text of values, of the axis and of what the cursor is at, by the width that they are spread over. */
  readonly readerOf: (width: number) => (value: number) => string
  /**
   * Called with what each line is at, written, at the cursor of any chart of the range; with no texts where it has
   * left.
   */
  readonly onCursor: (moment: number | undefined, texts: readonly string[]) => void
}

/** Pixels that the axis of values takes, in every chart, so that their times are one above the other. */
export const AXIS_WIDTH = 78

/** Pixels from an edge within which there is no room for a label. */
const EDGE = 22
const MONTH_MS = 28 * DAY_MS
const DAY = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' })
const MONTH = new Intl.DateTimeFormat('en-GB', { month: 'short', year: 'numeric', timeZone: 'UTC' })
// eslint-disable-next-line @typescript-eslint/no-unsafe-enum-assignment -- a constant of its types alone, which no bundler can read
const RIGHT: uPlot.Axis.Side = 1

export interface LineChart {
  readonly canvas: () => HTMLCanvasElement
  /** Draws a line or leaves it out, by its place among the lines. */
  readonly toggle: (index: number, isOn: boolean) => void
}

export function lineChart(place: HTMLElement, setup: LineChartSetup): LineChart {
  const { range, label, lines, onCursor, scale = new ValueScale() } = setup
  const drawing: Drawing = { lines: lines.map(({ line }) => line), readerOf: setup.readerOf, hidden: hiddenOf(lines) }
  place.classList.add('chart')
  for (const [name, value] of [
    ['role', 'img'],
    ['aria-label', label],
    ['tabindex', '0'],
  ] as const) {
    place.setAttribute(name, value)
  }
  let isOwn = false
  const chart = new uPlot(optionsOf(place, setup, drawing, pointTo), joined(drawing.lines), place)
  addGestures(place, range, () => ({ left: 0, width: chart.over.clientWidth }))
  fitAlways(place, (width) => chart.setSize({ width, height: setup.height }))
  const show = ({ from, to }: Span): void => {
    place.dataset.from = String(Math.round(from))
    place.dataset.to = String(Math.round(to))
    if (isRelative(scale.name)) {
      drawing.lines = lines.map(({ line }) => scaled(line, scale.name, from))
      chart.setData(joined(drawing.lines), false)
    }
    chart.setScale('x', { min: from, max: to })
  }
  range.follow(show)
  scale.follow((name) => {
    drawing.lines = lines.map(({ line }) => scaled(line, name, range.span.from))
    drawing.readerOf = scaledReader(name, setup.readerOf)
    place.dataset.scale = name
    chart.setData(joined(drawing.lines), false)
    show(range.span)
  })
  range.followCursor((moment) => {
    const left = moment === undefined ? -1 : chart.valToPos(moment, 'x')
    if (!isOwn) chart.setCursor({ left, top: left < 0 ? -1 : 0 }, false)
    const values = moment === undefined ? [] : drawing.lines.map((line) => lastAt(line, moment))
    const [least, most] = extentOf(drawing.lines.flatMap((line) => extentOf(line.values)))
    const textOf = drawing.readerOf((most - least) / 10)
    onCursor(
      moment,
      values.map((value) => (value === undefined ? '' : textOf(value))),
    )
  })
  paintAlways(() => chart.redraw(false, true))
  return {
    canvas: () => chart.ctx.canvas,
    toggle: (index, isOn) => {
      if (isOn) drawing.hidden.delete(index)
      else drawing.hidden.add(index)
      chart.setSeries(index + 1, { show: isOn })
    },
  }

  function pointTo(moment: number | undefined): void {
    isOwn = true
    range.point(moment)
    isOwn = false
  }
}

/** Present content of the chart. */
interface Drawing {
  lines: readonly Line[]
  readerOf: LineChartSetup['readerOf']
  readonly hidden: Set<number>
}

const hiddenOf = (lines: readonly DrawnLine[]): Set<number> =>
  new Set(lines.flatMap(({ isOff = false }, index) => (isOff ? [index] : [])))

function optionsOf(
  place: HTMLElement,
  setup: LineChartSetup,
  drawing: Drawing,
  pointTo: (moment: number | undefined) => void,
): uPlot.Options {
  const { height, hasTimes, shaded = [] } = setup
  const axis = { stroke: () => colourOf('--quiet'), font: `11px ${getComputedStyle(document.body).fontFamily}` }
  const grid = { stroke: () => colourOf('--line'), width: 1 }
  return {
    width: place.clientWidth,
    height,
    ms: 1,
    tzDate: (ms) => uPlot.tzDate(new Date(ms), 'Etc/UTC'),
    padding: [10, 0, hasTimes ? 0 : 8, 0],
    legend: { show: false },
    cursor: { drag: { x: false, y: false }, points: { size: 6 }, y: false, dataIdx: lastIndex },
    scales: {
      x: { time: true, range: (_, min, max) => [min, max] },
      y: { range: (chart, low, high) => valueRange(...withEdges(drawing, chart, low, high)) },
    },
    axes: [
      {
        ...axis,
        show: hasTimes,
        size: 26,
        gap: 4,
        space: 90,
        grid: { show: false },
        ticks: { show: false },
        values: (chart, splits, _, __, step) => timeTexts(chart, splits, step),
      },
      {
        ...axis,
        side: RIGHT,
        size: AXIS_WIDTH,
        gap: 8,
        grid,
        ticks: { show: false },
        // By the distance of two labels, or those of a narrow range would be equal.
        values: (_, splits, __, ___, step) => splits.map(drawing.readerOf(labelWidth(step))),
      },
    ],
    series: [{}, ...setup.lines.map(seriesOf)],
    hooks: {
      drawClear: [(chart) => shade(chart, shaded)],
      setCursor: [
        (chart) => {
          const { left = -1 } = chart.cursor
          pointTo(left < 0 ? undefined : chart.posToVal(left, 'x'))
        },
      ],
    },
  }

  function seriesOf({ name, colour, dash, isFilled = false, isOff = false }: DrawnLine): uPlot.Series {
    return {
      show: !isOff,
      label: name,
      stroke: () => colourOf(colour),
      width: 1.6,
      spanGaps: true,
      points: { show: false },
      ...(dash === undefined ? {} : { dash: [...dash] }),
      ...(isFilled ? { fill: () => `${colourOf(colour)}26` } : {}),
    }
  }
}

/** Stretches behind all lines. */
function shade(chart: uPlot, shaded: readonly Span[]): void {
  const { ctx, bbox } = chart
  ctx.save()
  ctx.fillStyle = `${colourOf('--down')}16`
  for (const { from, to } of shaded) {
    const [left, right] = [chart.valToPos(from, 'x', true), chart.valToPos(to, 'x', true)]
    const [start, end] = [Math.max(bbox.left, left), Math.min(bbox.left + bbox.width, right)]
    if (end > start) ctx.fillRect(start, bbox.top, end - start, bbox.height)
  }
  ctx.restore()
}

/** The point of a line at or before the cursor, where its dot is: lines of other times have gaps between theirs. */
function lastIndex(chart: uPlot, line: number, _: number, moment: number): number {
  const values = chart.data[line]
  let at = firstFrom(chart.data[0], moment + 1) - 1
  while (at > 0 && (values?.[at] ?? null) === null) at -= 1
  return Math.max(0, at)
}

/** Also what each line is at where the range begins and ends: it may have no point between. */
function withEdges(
  { lines, hidden }: Drawing,
  { scales }: uPlot,
  low: number | null,
  high: number | null,
): readonly [number | null, number | null] {
  const { min, max } = scales.x ?? {}
  const edges = lines.flatMap((line, index) =>
    hidden.has(index) ? [] : [min, max].map((edge) => (typeof edge === 'number' ? lastAt(line, edge) : undefined)),
  )
  const values = [low, high, ...edges].filter((value) => value !== null && value !== undefined)
  return values.length === 0 ? [null, null] : [Math.min(...values), Math.max(...values)]
}

/** Room around what is drawn; a line that never moves lies in the middle of a hundredth of itself. */
function valueRange(low: number | null, high: number | null): uPlot.Range.MinMax {
  if (low === null || high === null) return [low, high]
  if (low !== high) return uPlot.rangeNum(low, high, 0.1, true)
  const room = low === 0 ? 0.01 : Math.abs(low) / 100
  return [low - room, low + room]
}

/** All on the times of all. */
function joined(lines: readonly Line[]): uPlot.AlignedData {
  const tables = lines.map(({ times, values }): uPlot.AlignedData => [[...times], [...values]])
  const [only] = tables
  return tables.length === 1 && only !== undefined ? only : uPlot.join(tables)
}

/** Part of a time that differs from its neighbours; none where the edge of the chart would cut it off. */
function timeTexts(chart: uPlot, splits: readonly number[], step: number): string[] {
  let day = ''
  return splits.map((time) => {
    const x = chart.valToPos(time, 'x')
    if (x < EDGE || x > chart.bbox.width / devicePixelRatio - EDGE / 2) return ''
    const text = timeText(time, step, day)
    day = dayText(time)
    return text
  })
}

function timeText(time: number, step: number, dayBefore: string): string {
  const date = new Date(time)
  if (step >= YEAR_MS) return String(date.getUTCFullYear())
  if (step >= MONTH_MS) return MONTH.format(date)
  const day = dayText(time)
  if (step >= DAY_MS || (dayBefore !== '' && day !== dayBefore)) return day
  const clock = date.toISOString()
  return step >= MINUTE_MS ? clock.slice(11, 16) : step >= 1_000 ? clock.slice(11, 19) : clock.slice(14, 23)
}

const dayText = (time: number): string => DAY.format(time)
