/**
 * The spread of returns: the count of those that fell in each bin, and of round trips the farthest each went for and
 * against its owner.
 *
 * Known limit: of more dots than can be distinguished some thousands are drawn, those at the edges among them.
 */
import { el } from '../parts/dom.ts'
import { fitAlways } from './fit.ts'
import { countText, extentOf, percentReaderOf } from './numbers.ts'

const HEIGHT = 190
const [TOP, BOTTOM, LEFT, RIGHT] = [12, 24, 8, 8]
/** Pixels left of a scatter for the values of its axis. */
const GUTTER = 64
const MAX_DOTS = 5_000
/** Pixels from a dot within which the pointer is on it. */
const REACH = 8

type Attributes = Readonly<Record<string, string | number>>

function svg(name: string, attributes: Attributes, text = ''): SVGElement {
  const element = document.createElementNS('http://www.w3.org/2000/svg', name)
  for (const [key, value] of Object.entries(attributes)) element.setAttribute(key, String(value))
  if (text !== '') element.textContent = text
  return element
}

/** Draws again at each width. */
function drawing(label: string, draw: (width: number) => readonly SVGElement[]): HTMLElement {
  const place = el('div', { class: 'drawing', role: 'img', 'aria-label': label })
  queueMicrotask(() => {
    fitAlways(place, (width) => {
      const picture = svg('svg', { viewBox: `0 0 ${width} ${HEIGHT}`, 'aria-hidden': 'true' })
      picture.append(...draw(width))
      place.replaceChildren(picture)
    })
  })
  return place
}

/** @param values  fractions */
export function histogram(name: string, values: readonly number[]): HTMLElement {
  const [low, high] = extentOf(values)
  const textOf = percentReaderOf((high - low) / 5)
  const { counts, from, step } = binned(values, low, high)
  const most = Math.max(...counts)
  const gains = values.filter((value) => value > 0).length
  const losses = values.filter((value) => value < 0).length
  const zeros = values.length - gains - losses
  const same = zeros === 0 ? '' : `, ${countText(zeros)} exactly 0`
  const summary = `${countText(values.length)} values: ${countText(gains)} above 0, ${countText(losses)} below${same}`
  const label = `${name}. ${summary}, from ${textOf(low)} to ${textOf(high)}.`
  const draw = (width: number): readonly SVGElement[] => {
    const scale = (width - LEFT - RIGHT) / counts.length
    const xOf = (value: number): number => LEFT + ((value - from) / step) * scale
    const bars = counts.flatMap((count, index) => {
      const [left, middle] = [from + index * step, from + (index + 0.5) * step]
      const isOfZero = zeros > 0 && left <= step / 2 && left > -step / 2
      const apart = isOfZero ? zeros : 0
      const name = `${textOf(left)} to ${textOf(from + (index + 1) * step)}: ${countText(count - apart)}`
      const bar = (of: number, below: number, tone: string, title: string): SVGElement => {
        const height = Math.max(of > 0 ? 1 : 0, (of / most) * (HEIGHT - TOP - BOTTOM))
        const y = HEIGHT - BOTTOM - (below / most) * (HEIGHT - TOP - BOTTOM) - height
        const x = LEFT + index * scale + 0.5
        const rect = svg('rect', { x, y, width: Math.max(0.5, scale - 1), height, class: tone })
        rect.append(svg('title', {}, title))
        return rect
      }
      return [
        ...(isOfZero ? [bar(zeros, 0, 'zero', `exactly 0: ${countText(zeros)}`)] : []),
        bar(count - apart, apart, middle > 0 ? 'up' : 'down', name),
      ]
    })
    return [...bars, ...xAxis(width, xOf, [from, from + counts.length * step], textOf)]
  }
  return el(
    'figure',
    {},
    el('figcaption', {}, name, el('span', { class: 'quiet' }, ` ${summary}`)),
    drawing(label, draw),
  )
}

/** Bins of one width with 0 at an edge. @see Freedman and Diaconis (1981), On the histogram as a density estimator */
function binned(values: readonly number[], low: number, high: number) {
  const sorted = Float64Array.from(values).sort()
  const quartile = (share: number): number => sorted[Math.floor((sorted.length - 1) * share)] ?? 0
  const width = (2 * (quartile(0.75) - quartile(0.25))) / Math.cbrt(values.length)
  const range = high - low
  const count = Math.min(61, Math.max(9, width > 0 ? range / width : 21))
  const step = range > 0 ? range / count : Math.abs(low) / 10 || 0.001
  const from = Math.floor(low / step) * step
  const counts = new Array<number>(Math.max(1, Math.floor((high - from) / step) + 1)).fill(0)
  for (const value of values) {
    const bin = Math.min(counts.length - 1, Math.floor((value - from) / step))
    counts[bin] = (counts[bin] ?? 0) + 1
  }
  return { counts, from, step }
}

/** The line below, the edges, and 0 where it is between them. */
function xAxis(
  width: number,
  xOf: (value: number) => number,
  [from, to]: readonly [number, number],
  textOf: (value: number) => string,
): readonly SVGElement[] {
  const y = HEIGHT - BOTTOM
  const label = (value: number, anchor: string): SVGElement =>
    svg('text', { x: xOf(value), y: HEIGHT - 7, 'text-anchor': anchor }, textOf(value))
  const zero = xOf(0)
  const isApart = zero > LEFT + 60 && zero < width - RIGHT - 60
  const lines = [svg('line', { x1: LEFT, x2: width - RIGHT, y1: y, y2: y })]
  if (from < 0 && to > 0) lines.push(svg('line', { x1: zero, x2: zero, y1: TOP, y2: y, class: 'zero' }))
  return [...lines, label(from, 'start'), label(to, 'end'), ...(isApart ? [label(0, 'middle')] : [])]
}

export interface Dot {
  readonly x: number
  /** A fraction. */
  readonly y: number
  readonly row: number
}

export interface ScatterSetup {
  readonly name: string
  /** Names of the axes. */
  readonly axes: readonly [x: string, y: string]
  readonly dots: readonly Dot[]
  /** Makes the text of a value of the axis to the right, by the width that they are spread over; default: percent. */
  readonly readerX?: (width: number) => (value: number) => string
  /** Round values of that axis are multiples of this, by the same width; default: 1. */
  readonly unitX?: (width: number) => number
  /** Called with the row of the dot that was clicked. */
  readonly onPick: (row: number) => void
}

/** Dots as one path of each sign: an element for each would make the page slow. */
export function scatter({
  name,
  axes,
  dots,
  onPick,
  readerX = percentReaderOf,
  unitX = () => 1,
}: ScatterSetup): HTMLElement {
  const shown = thinned(dots)
  const [left, right] = extentOf([0, ...dots.map(({ x }) => x)])
  const [low, high] = extentOf([0, ...dots.map(({ y }) => y)])
  const [textX, textY] = [readerX((right - left) / 5), percentReaderOf((high - low) / 5)]
  const note = shown.length < dots.length ? ` ${countText(shown.length)} of ${countText(dots.length)} drawn` : ''
  let placed: readonly { readonly dot: Dot; readonly left: number; readonly top: number }[] = []
  const title = svg('title', {})
  const draw = (width: number): readonly SVGElement[] => {
    const xOf = (value: number): number =>
      GUTTER + 8 + ((value - left) / (right - left || 1)) * (width - GUTTER - RIGHT - 24)
    const yOf = (value: number): number =>
      HEIGHT - BOTTOM - 6 - ((value - low) / (high - low || 1)) * (HEIGHT - TOP - BOTTOM - 12)
    placed = shown.map((dot) => ({ dot, left: xOf(dot.x), top: yOf(dot.y) }))
    const pathOf = (isLoss: boolean): string =>
      placed
        .filter(({ dot }) => dot.y < 0 === isLoss)
        .map(({ left, top }) => `M${left.toFixed(1)} ${top.toFixed(1)}${isLoss ? CROSS : RING}`)
        .join('')
    const marks = [
      svg('path', { d: pathOf(true), class: 'dot down' }),
      svg('path', { d: pathOf(false), class: 'dot up' }),
    ]
    return [
      title,
      ...grid(width, { xOf, yOf, left, right, low, high, textX, textY, axes, unit: unitX((right - left) / 5) }),
      ...marks,
    ]
  }
  const place = drawing(
    `${name}: ${countText(dots.length)} round trips. The table of round trips has all of them.`,
    draw,
  )
  const dotAt = ({ clientX, clientY }: MouseEvent): Dot | undefined => {
    const { left: x, top: y } = place.getBoundingClientRect()
    let [nearest, least]: [Dot | undefined, number] = [undefined, REACH]
    for (const { dot, left: dotX, top: dotY } of placed) {
      const distance = Math.hypot(dotX - (clientX - x), dotY - (clientY - y))
      if (distance < least) [nearest, least] = [dot, distance]
    }
    return nearest
  }
  place.addEventListener('mousemove', (event) => {
    const dot = dotAt(event)
    place.classList.toggle('on-dot', dot !== undefined)
    title.textContent =
      dot === undefined ? '' : `round trip ${dot.row + 1}: ${axes[0]} ${textX(dot.x)}, ${axes[1]} ${textY(dot.y)}`
  })
  place.addEventListener('click', (event) => {
    const dot = dotAt(event)
    if (dot !== undefined) onPick(dot.row)
  })
  return el('figure', {}, el('figcaption', {}, name, el('span', { class: 'quiet' }, note)), place)
}

interface Grid {
  readonly xOf: (value: number) => number
  readonly yOf: (value: number) => number
  readonly left: number
  readonly right: number
  readonly low: number
  readonly high: number
  readonly textX: (value: number) => string
  readonly textY: (value: number) => string
  readonly axes: readonly [x: string, y: string]
  readonly unit: number
}

/** Lines with their values, and the names of the axes. */
function grid(
  width: number,
  { xOf, yOf, left, right, low, high, textX, textY, axes, unit }: Grid,
): readonly SVGElement[] {
  const bottom = HEIGHT - BOTTOM
  const columns = ticks(left / unit, right / unit, width < 420 ? 3 : 5)
    .map((count) => count * unit)
    .map((value) => [
      svg('line', { x1: xOf(value), x2: xOf(value), y1: TOP, y2: bottom }),
      svg('text', { x: xOf(value), y: HEIGHT - 9, 'text-anchor': 'middle' }, textX(value)),
    ])
  const rows = ticks(low, high, 4).map((value) => [
    svg('line', { x1: GUTTER, x2: width - RIGHT, y1: yOf(value), y2: yOf(value), class: value === 0 ? 'zero' : '' }),
    svg('text', { x: GUTTER - 6, y: yOf(value) + 4, 'text-anchor': 'end' }, textY(value)),
  ])
  const names = [
    svg('text', { x: width - RIGHT, y: bottom - 5, 'text-anchor': 'end' }, axes[0]),
    svg('text', { x: GUTTER + 4, y: TOP + 2 }, axes[1]),
  ]
  return [...columns.flat(), ...rows.flat(), ...names]
}

/** Round values between two, about as many as asked for; 0 is one where it is between them. */
function ticks(from: number, to: number, count: number): readonly number[] {
  if (!(to > from)) return [from]
  const raw = (to - from) / count
  const power = 10 ** Math.floor(Math.log10(raw))
  const step = ([1, 2, 2.5, 5, 10].find((each) => each * power >= raw) ?? 10) * power
  const first = Math.ceil(from / step)
  return Array.from({ length: Math.max(0, Math.floor(to / step) - first + 1) }, (_, index) => (first + index) * step)
}

/** From the middle of the dot. */
const RING = 'm-3 0a3 3 0 1 0 6 0a3 3 0 1 0 -6 0'
const CROSS = 'm-2.6 -2.6l5.2 5.2m-5.2 0l5.2 -5.2'

/** Evenly through the rows, with the farthest on each side. */
function thinned(dots: readonly Dot[]): readonly Dot[] {
  if (dots.length <= MAX_DOTS) return dots
  const every = dots.length / MAX_DOTS
  const drawn = new Set(Array.from({ length: MAX_DOTS }, (_, index) => dots[Math.floor(index * every)]))
  const [left, right] = extentOf(dots.map(({ x }) => x))
  const [low, high] = extentOf(dots.map(({ y }) => y))
  for (const dot of dots) if (dot.x === left || dot.x === right || dot.y === low || dot.y === high) drawn.add(dot)
  return [...drawn].filter((dot) => dot !== undefined)
}
