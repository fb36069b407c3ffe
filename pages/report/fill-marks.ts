/**
 * Fills of the strategy on the candles: a triangle up for what it bought, down for what it sold, its tip at the price.
 *
 * Invariant: all fills of the range that is shown are drawn; only of more than MAX_DRAWN that would cover each other
 * one is.
 */
import type { FillColumns } from '../../src/report/page/page-data.ts'
import { colourOf } from '../parts/palette.ts'
import { firstFrom } from './candle-bars.ts'
import { ChartPrimitive } from './chart-primitive.ts'
import type { Span, TimeRange } from './time-range.ts'

const SIZE = 5.5
/** Pixels of a square in which one fill of a side is drawn. */
const CELL = 4
const REACH = 9
const MAX_DRAWN = 3_000

export interface FillMark {
  readonly time: number
  readonly side: 'BUY' | 'SELL'
  /** `0.5 at 100.25`, exact. */
  readonly text: string
  /** Key by which the order is found in the table and among the explanations. */
  readonly order: string
}

interface DrawnMark {
  readonly x: number
  readonly y: number
  readonly isBuy: boolean
  readonly index: number
}

export class FillMarks extends ChartPrimitive {
  readonly #fills: FillColumns
  readonly #prices: Float64Array
  #drawn: readonly DrawnMark[] = []
  /** Prices of the fills from `first` to before `end`. */
  #scaled: { first: number; end: number; priceRange: { minValue: number; maxValue: number } } | undefined

  constructor(fills: FillColumns, range: TimeRange) {
    super(range, 'top')
    this.#fills = fills
    this.#prices = Float64Array.from(fills.prices, Number)
  }

  /** The prices of the fills that are shown, so that none is off the scale. */
  autoscaleInfo(): { priceRange: { minValue: number; maxValue: number } } | null {
    const { from, to } = this.range.span
    const { times } = this.#fills
    const [first, end] = [firstFrom(times, from), firstFrom(times, to + 1)]
    if (first === end) return null
    const known = this.#scaled
    // The chart asks several times a frame.
    if (known?.first === first && known.end === end) return known
    let [minValue, maxValue] = [Infinity, -Infinity]
    for (let index = first; index < end; index += 1) {
      const price = this.#prices[index] ?? 0
      if (price < minValue) minValue = price
      if (price > maxValue) maxValue = price
    }
    this.#scaled = { first, end, priceRange: { minValue, maxValue } }
    return this.#scaled
  }

  /** How many fills there are in a stretch of time. */
  countIn({ from, to }: Span): number {
    const { times } = this.#fills
    return firstFrom(times, to + 1) - firstFrom(times, from)
  }

  /** The fill that is drawn nearest to a place, in pixels of the pane. */
  markAt(x: number, y: number): FillMark | undefined {
    let best: DrawnMark | undefined
    let least = REACH
    for (const each of this.#drawn) {
      const distance = Math.hypot(each.x - x, each.y - y)
      if (distance < least) [best, least] = [each, distance]
    }
    return best === undefined ? undefined : this.#markOf(best.index)
  }

  #markOf(index: number): FillMark {
    const { times, sides, prices, qtys, orders } = this.#fills
    return {
      time: times[index] ?? 0,
      side: sides[index] ?? 'BUY',
      text: `${qtys[index] ?? ''} at ${prices[index] ?? ''}`,
      order: orders[index] ?? '',
    }
  }

  protected override draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    this.#drawn = this.#placed(width, height)
    const [up, down, edge] = [colourOf('--up'), colourOf('--down'), colourOf('--surface')]
    context.strokeStyle = edge
    context.lineWidth = 1
    for (const { x, y, isBuy } of this.#drawn) {
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
  }

  #placed(width: number, height: number): readonly DrawnMark[] {
    const drawn: DrawnMark[] = []
    // One for each side and cell; marks may reach a little over the edges of the pane.
    const rows = Math.ceil(height / CELL) + 16
    const taken = new Uint8Array((Math.ceil(width / CELL) + 1) * rows * 2)
    const yOf = this.priceY()
    const { from, to } = this.range.span
    const { times, sides } = this.#fills
    const [first, end] = [firstFrom(times, from), firstFrom(times, to + 1)]
    const isCrowded = end - first > MAX_DRAWN
    for (let index = first; index < end; index += 1) {
      const [x, y] = [(((times[index] ?? 0) - from) / (to - from)) * width, yOf(this.#prices[index] ?? 0)]
      if (y < -SIZE || y > height + SIZE) continue
      const isBuy = sides[index] === 'BUY'
      const cell = (Math.floor(x / CELL) * rows + Math.floor(y / CELL) + 8) * 2 + (isBuy ? 1 : 0)
      if (isCrowded && taken[cell] === 1) continue
      taken[cell] = 1
      drawn.push({ x, y, isBuy, index })
    }
    return drawn
  }
}
