/**
 * The time that orders rested, at their price: a band in the colour of the side, with a line in its middle.
 */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
} from 'lightweight-charts'
import type { RestBand } from '../../src/report/page/page-data.ts'
import { colourOf } from '../parts/palette.ts'
import { linearY } from './fill-marks.ts'
import type { TimeRange } from './time-range.ts'

type Target = Parameters<IPrimitivePaneRenderer['draw']>[0]

const HEIGHT = 5

export class RestBands implements ISeriesPrimitive {
  readonly #bands: readonly RestBand[]
  readonly #range: TimeRange
  readonly #views: readonly IPrimitivePaneView[]
  #series: SeriesAttachedParameter['series'] | undefined

  constructor(bands: readonly RestBand[], range: TimeRange) {
    this.#bands = bands
    this.#range = range
    const renderer = { draw: (target: Target) => this.#draw(target) }
    this.#views = [{ zOrder: () => 'bottom', renderer: () => renderer }]
  }

  attached({ series }: SeriesAttachedParameter): void {
    this.#series = series
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  #draw(target: Target): void {
    target.useMediaCoordinateSpace(({ context, mediaSize }) => {
      const yOf = linearY(this.#series)
      const { from, to } = this.#range.span
      const scale = mediaSize.width / (to - from)
      for (const side of ['BUY', 'SELL'] as const) {
        context.fillStyle = colourOf(side === 'BUY' ? '--up' : '--down')
        for (const band of this.#bands) {
          if (band.side !== side || band.to < from || band.from > to) continue
          const y = yOf(band.price)
          if (y < -HEIGHT || y > mediaSize.height + HEIGHT) continue
          const left = Math.max(0, (band.from - from) * scale)
          const width = Math.max(1, Math.min(mediaSize.width, (band.to - from) * scale) - left)
          context.globalAlpha = 0.16
          context.fillRect(left, y - HEIGHT / 2, width, HEIGHT)
          context.globalAlpha = 0.6
          context.fillRect(left, y - 0.5, width, 1)
        }
      }
      context.globalAlpha = 1
    })
  }
}
