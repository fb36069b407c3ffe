/**
 * Heat map of a recorded book behind the candles: the larger the quantity at a price and time, the stronger the colour.
 *
 * Invariant: a moment is drawn until the next one. Price steps that share a row of pixels are drawn by the largest
 * quantity among them, so no level disappears.
 */
import type { IPrimitivePaneView } from 'lightweight-charts'
import type { DepthColumns } from '../../src/report/page/depth-series.ts'
import { unfolded } from '../../src/report/folded-data.ts'
import { givenDetail } from '../parts/given.ts'
import { colourOf } from '../parts/palette.ts'
import { firstFrom } from './candle-bars.ts'
import { ChartPrimitive } from './chart-primitive.ts'
import type { TimeRange } from './time-range.ts'

/** Opacity of the smallest and of the largest quantity, out of 255. */
const [MIN_OPACITY, MAX_OPACITY] = [14, 190]
/** Pixels of a level. */
const MIN_HEIGHT = 2
/** Share of the levels that are less than the strongest. */
const TOP = 0.98

/** Orders that rested in a step of price. */
export interface RestingLevel {
  readonly side: 'bid' | 'ask'
  /** Unix milliseconds of the recorded moment. */
  readonly time: number
  /** First and last price of the step. */
  readonly low: number
  readonly high: number
  /** Exact. */
  readonly qty: string
}

export class DepthMap extends ChartPrimitive {
  /** Quantity from which on nothing is stronger. */
  readonly top: number
  readonly #depth: DepthColumns
  /** Index of the first level of each moment, and their number at the end. */
  readonly #starts: readonly number[]
  readonly #shades: Uint8Array
  readonly #tick: number
  readonly #canvas = document.createElement('canvas')
  #isOn = true

  /** @param detail  index of the detail of the document that has the book */
  constructor(detail: number, pricePrecision: number, range: TimeRange) {
    super(range, 'bottom')
    this.#depth = unfolded(givenDetail(detail).join('')) as DepthColumns
    this.#tick = 10 ** -pricePrecision
    const { bids, asks, qtys } = this.#depth
    let next = 0
    this.#starts = [0, ...bids.map((count, index) => (next += count + (asks[index] ?? 0)))]
    const numbers = Float64Array.from(qtys, Number)
    this.top = numbers.slice().sort()[Math.floor(numbers.length * TOP)] ?? 0
    this.#shades = Uint8Array.from(
      numbers,
      (qty) => MIN_OPACITY + (MAX_OPACITY - MIN_OPACITY) * Math.min(1, qty / this.top) ** 0.7,
    )
  }

  override paneViews(): readonly IPrimitivePaneView[] {
    return this.#isOn ? super.paneViews() : []
  }

  toggle(isOn: boolean): void {
    this.#isOn = isOn
    this.drawAgain()
  }

  /** The level nearest to a price, at most `reach` from it, at the last recorded moment; undefined if it is off. */
  at(moment: number, price: number, reach: number): RestingLevel | undefined {
    const { times, bids, prices, qtys, priceStep } = this.#depth
    const index = firstFrom(times, moment + 1) - 1
    const [start = 0, end = 0] = this.#isOn ? this.#starts.slice(index, index + 2) : []
    let [found, least] = [-1, reach]
    for (let level = start; index >= 0 && level < end; level += 1) {
      const low = (prices[level] ?? 0) - this.#tick / 2
      const distance = Math.max(0, low - price, price - low - priceStep)
      if (distance < least) [found, least] = [level, distance]
    }
    if (found === -1) return undefined
    const side = found < start + (bids[index] ?? 0) ? 'bid' : 'ask'
    const low = prices[found] ?? 0
    return { side, time: times[index] ?? 0, low, high: low + priceStep - this.#tick, qty: qtys[found] ?? '' }
  }

  protected override draw(context: CanvasRenderingContext2D, paneWidth: number, paneHeight: number): void {
    const [width, height] = [Math.ceil(paneWidth), Math.ceil(paneHeight)]
    const pixels = this.#pixels(width, height)
    this.#canvas.width = width
    this.#canvas.height = height
    const own = this.#canvas.getContext('2d')
    if (own === null) return
    own.putImageData(new ImageData(new Uint8ClampedArray(pixels.buffer), width, height), 0, 0)
    // Paints the shades in the colour of the theme.
    own.globalCompositeOperation = 'source-in'
    own.fillStyle = colourOf('--accent')
    own.fillRect(0, 0, width, height)
    context.drawImage(this.#canvas, 0, 0)
  }

  /** Four bytes a pixel, the last its opacity. */
  #pixels(width: number, height: number): Uint8Array<ArrayBuffer> {
    const pixels = new Uint8Array(width * height * 4)
    const { times, prices, priceStep } = this.#depth
    const yOf = this.priceY()
    const { from, to } = this.range.span
    const xOf = (time: number): number => Math.round(((time - from) / (to - from)) * width)
    for (let at = Math.max(0, firstFrom(times, from) - 1); at < times.length && (times[at] ?? 0) <= to; at += 1) {
      const left = Math.max(0, xOf(times[at] ?? 0))
      const right = Math.min(width, Math.max(left + 1, xOf(times[at + 1] ?? this.range.whole.to)))
      for (let level = this.#starts[at] ?? 0; level < (this.#starts[at + 1] ?? 0); level += 1) {
        const low = (prices[level] ?? 0) - this.#tick / 2
        const top = Math.round(yOf(low + priceStep))
        const bottom = Math.min(height, Math.max(top + MIN_HEIGHT, Math.round(yOf(low))))
        for (let y = Math.max(0, top); y < bottom; y += 1) {
          strengthen(pixels, (y * width + left) * 4 + 3, (y * width + right) * 4, this.#shades[level] ?? 0)
        }
      }
    }
    return pixels
  }
}

/** The strongest of several levels is seen. */
function strengthen(pixels: Uint8Array, first: number, end: number, shade: number): void {
  for (let at = first; at < end; at += 4) if ((pixels[at] ?? 0) < shade) pixels[at] = shade
}
