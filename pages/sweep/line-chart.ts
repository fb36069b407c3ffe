/**
 * Lines over time as a drawing of shapes.
 */
import { DAY_MS } from '../../src/domain/time.ts'
import type { Line } from '../../src/report/page/page-data.ts'
import { dayText, minuteText } from './moments.ts'
import { roundStep, ticksOf } from './round-ticks.ts'
import { shape } from './shape.ts'

const [HEIGHT, LEFT, BOTTOM, TOP] = [260, 52, 22, 8]

export interface NamedLine {
  readonly name: string
  readonly line: Line
  /** Colour in `palette.css`, and how much of it is seen. */
  readonly colour: string
  readonly opacity: number
}

/** Shapes between two times. */
export interface Stretch {
  readonly from: number
  readonly to: number
}

/**
 * @param label   what it shows, for who cannot see it
 * @param marked  stretches of time with a ground of their own
 * @param strong  index of a line that stands out
 */
export function lineChart(
  lines: readonly NamedLine[],
  { width, label, marked = [], strong }: ChartOptions,
): SVGElement {
  const { from, to, low, high } = boundsOf(lines)
  const x = (time: number): number => LEFT + ((time - from) / Math.max(1, to - from)) * (width - LEFT - 4)
  const y = (value: number): number => TOP + (1 - (value - low) / (high - low)) * (HEIGHT - TOP - BOTTOM)
  const size = { viewBox: `0 0 ${width} ${HEIGHT}`, width, height: HEIGHT }
  const element = shape('svg', { ...size, role: 'img', 'aria-label': label, class: 'lines' })
  for (const stretch of marked) {
    const [left, right] = [x(Math.max(from, stretch.from)), x(Math.min(to, stretch.to))]
    const ground = { x: left, y: TOP, width: Math.max(0, right - left), height: HEIGHT - TOP - BOTTOM, class: 'ground' }
    element.append(shape('rect', ground))
  }
  // In steps from 1, where every line begins.
  for (const tick of ticksOf(low - 1, high - 1, roundStep((high - low) / 5))) {
    const value = 1 + tick
    const rule = { x1: LEFT, x2: width, y1: y(value), y2: y(value), class: value === 1 ? 'base' : 'rule' }
    element.append(shape('line', rule))
    element.append(shape('text', { x: LEFT - 6, y: y(value) + 4, 'text-anchor': 'end' }, percentText(value - 1)))
  }
  const text = to - from < 3 * DAY_MS ? minuteText : dayText
  for (const [share, anchor] of TIMES.filter((_, index) => width > 480 || index !== 1)) {
    const time = from + (to - from) * share
    element.append(shape('text', { x: x(time), y: HEIGHT - 6, 'text-anchor': anchor }, text(time)))
  }
  lines.forEach(({ line, colour, opacity }, index) => {
    const path = shape('path', { d: pathOf(line, x, y), opacity })
    // Not as an attribute, which the policy of the page forbids.
    path.style.setProperty('stroke', `var(${colour})`)
    path.classList.toggle('strong', index === strong)
    element.append(path)
  })
  return element
}

export interface ChartOptions {
  /** Pixels. */
  readonly width: number
  readonly label: string
  readonly marked?: readonly Stretch[]
  readonly strong?: number | undefined
}

const TIMES = [
  [0, 'start'],
  [0.5, 'middle'],
  [1, 'end'],
] as const

interface Bounds {
  readonly from: number
  readonly to: number
  readonly low: number
  readonly high: number
}

function boundsOf(lines: readonly NamedLine[]): Bounds {
  let [from, to, low, high] = [Infinity, -Infinity, 1, 1]
  for (const { line } of lines) {
    from = Math.min(from, line.times[0] ?? Infinity)
    to = Math.max(to, line.times.at(-1) ?? -Infinity)
    for (const value of line.values) {
      low = Math.min(low, value ?? 1)
      high = Math.max(high, value ?? 1)
    }
  }
  const margin = high === low ? 0.01 : (high - low) * 0.04
  return { from, to, low: low - margin, high: high + margin }
}

function percentText(share: number): string {
  const size = Math.abs(share * 100)
  const digits = size < 1e-9 || size >= 10 ? 0 : size >= 1 ? 1 : 2
  return `${share > 1e-11 ? '+' : ''}${(share * 100).toFixed(digits)} %`
}

function pathOf({ times, values }: Line, x: (time: number) => number, y: (value: number) => number): string {
  let path = ''
  let isDrawn = false
  times.forEach((time, index) => {
    const value = values[index] ?? null
    if (value !== null) path += `${isDrawn ? 'L' : 'M'}${x(time).toFixed(1)} ${y(value).toFixed(1)}`
    isDrawn = value !== null
  })
  return path
}
