/**
 * The time that orders rested, at their price: a band in the colour of the side, with a line in its middle.
 */
import type { RestBand } from '../../src/report/page/page-data.ts'
import { colourOf } from '../parts/palette.ts'
import { ChartPrimitive } from './chart-primitive.ts'
import type { TimeRange } from './time-range.ts'

const HEIGHT = 5

export class RestBands extends ChartPrimitive {
  readonly #bands: readonly RestBand[]

  constructor(bands: readonly RestBand[], range: TimeRange) {
    super(range, 'bottom')
    this.#bands = bands
  }

  protected override draw(context: CanvasRenderingContext2D, width: number, height: number): void {
    const lanes = this.#lanes(width, height)
    for (const { side, y, spans, isApart } of lanes) {
      context.fillStyle = colourOf(side === 'BUY' ? '--up' : '--down')
      for (const [left, right] of spans) {
        const width = Math.max(1, right - left)
        context.globalAlpha = 0.16
        if (isApart) context.fillRect(left, y - HEIGHT / 2, width, HEIGHT)
        context.globalAlpha = isApart ? 0.6 : 0.3
        context.fillRect(left, y - 0.5, width, 1)
      }
    }
    context.globalAlpha = 1
  }

  /**
   * One a side and pixel row, in which what overlaps is one band: orders on top of each other are no darker than one.
   */
  #lanes(width: number, height: number): readonly Lane[] {
    const yOf = this.priceY()
    const { from, to } = this.range.span
    const lanes = new Map<string, { side: RestBand['side']; y: number; spans: [number, number][] }>()
    for (const band of this.#bands) {
      const y = Math.round(yOf(band.price))
      if (band.to < from || band.from > to || !(y >= -HEIGHT && y <= height + HEIGHT)) continue
      const lane = lanes.get(`${band.side} ${y}`) ?? { side: band.side, y, spans: [] }
      lanes.set(`${band.side} ${y}`, lane)
      const scale = width / (to - from)
      lane.spans.push([Math.max(0, (band.from - from) * scale), Math.min(width, (band.to - from) * scale)])
    }
    const rows = [...new Set(Array.from(lanes.values(), ({ y }) => y))].sort((one, other) => one - other)
    const isApart = (y: number): boolean => {
      const at = rows.indexOf(y)
      return y - (rows[at - 1] ?? -Infinity) > HEIGHT && (rows[at + 1] ?? Infinity) - y > HEIGHT
    }
    return Array.from(lanes.values(), (lane) => ({ ...lane, spans: merged(lane.spans), isApart: isApart(lane.y) }))
  }
}

interface Lane {
  readonly side: RestBand['side']
  readonly y: number
  /** Pixels from the left, apart from each other. */
  readonly spans: readonly (readonly [left: number, right: number])[]
  /** There is room for its width. */
  readonly isApart: boolean
}

function merged(spans: readonly (readonly [number, number])[]): readonly (readonly [number, number])[] {
  const out: [number, number][] = []
  for (const [left, right] of [...spans].sort(([one], [other]) => one - other)) {
    const last = out.at(-1)
    if (last !== undefined && left <= last[1] + 0.5) last[1] = Math.max(last[1], right)
    else out.push([left, right])
  }
  return out
}
