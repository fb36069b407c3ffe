/**
 * Fills of the strategy on the candles: a triangle up for what it bought, down for what it sold, its tip at the price.
 *
 * Known limit: of fills that would cover each other one is drawn.
 */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
} from 'lightweight-charts'
import type { FillMark } from '../../src/report/page/page-data.ts'
import { colourOf } from '../parts/palette.ts'
import { firstFrom } from './candle-bars.ts'
import type { TimeRange } from './time-range.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

const SIZE = 5.5
/** Pixels of a square in which one fill of a side is drawn. */
const CELL = 3
const REACH = 9

interface DrawnMark {
  readonly x: number
  readonly y: number
  readonly mark: FillMark
}

export class FillMarks implements ISeriesPrimitive {
  readonly #marks: readonly FillMark[]
  readonly #times: readonly number[]
  readonly #range: TimeRange
  readonly #views: readonly IPrimitivePaneView[]
  #series: SeriesAttachedParameter['series'] | undefined
  #drawn: readonly DrawnMark[] = []

  constructor(marks: readonly FillMark[], range: TimeRange) {
    this.#marks = [...marks].sort((one, other) => one.time - other.time)
    this.#times = this.#marks.map(({ time }) => time)
    this.#range = range
    const renderer = { draw: (target: Target) => this.#draw(target) }
    this.#views = [{ zOrder: () => 'top', renderer: () => renderer }]
  }

  attached({ series }: SeriesAttachedParameter): void {
    this.#series = series
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  /** The fill that is drawn nearest to a place, in pixels of the pane. */
  markAt(x: number, y: number): FillMark | undefined {
    let best: DrawnMark | undefined
    let least = REACH
    for (const each of this.#drawn) {
      const distance = Math.hypot(each.x - x, each.y - y)
      if (distance < least) [best, least] = [each, distance]
    }
    return best?.mark
  }

  #draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      this.#drawn = this.#placed(mediaSize.width, mediaSize.height)
      const [up, down, edge] = [colourOf('--up'), colourOf('--down'), colourOf('--surface')]
      context.strokeStyle = edge
      context.lineWidth = 1
      for (const { x, y, mark } of this.#drawn) {
        const isBuy = mark.side === 'BUY'
        const tail = isBuy ? SIZE * 1.7 : -SIZE * 1.7
        context.beginPath()
        context.moveTo(x, y)
        context.lineTo(x - SIZE, y + tail)
        context.lineTo(x + SIZE, y + tail)
        context.closePath()
        context.fillStyle = isBuy ? up : down
        context.fill()
        context.stroke()
      }
    })
  }

  #placed(width: number, height: number): readonly DrawnMark[] {
    const drawn: DrawnMark[] = []
    const taken = new Set<number>()
    const yOf = linearY(this.#series)
    const { from, to } = this.#range.span
    for (let at = firstFrom(this.#times, from); at < this.#marks.length; at += 1) {
      const mark = this.#marks[at]
      if (mark === undefined || mark.time > to) break
      const [x, y] = [((mark.time - from) / (to - from)) * width, yOf(mark.price)]
      if (y < -SIZE || y > height + SIZE) continue
      const cell = (Math.floor(x / CELL) * 4_096 + Math.floor(y / CELL) + 8) * 2 + (mark.side === 'BUY' ? 1 : 0)
      if (taken.has(cell)) continue
      taken.add(cell)
      drawn.push({ x, y, mark })
    }
    return drawn
  }
}

/** Pixels from the top of a price, on an even scale: two prices say it of all. */
export function linearY(series: SeriesAttachedParameter['series'] | undefined): (price: number) => number {
  const [top, low] = [series?.coordinateToPrice(0) ?? null, series?.coordinateToPrice(100) ?? null]
  if (top === null || low === null || top === low) return () => Number.POSITIVE_INFINITY
  const slope = 100 / (low - top)
  return (price) => (price - top) * slope
}
