/**
 * A drawing on the series of a chart by Lightweight Charts, over the stretch of time that all charts of the page show.
 */
import type {
  IPrimitivePaneRenderer,
  IPrimitivePaneView,
  ISeriesPrimitive,
  SeriesAttachedParameter,
} from 'lightweight-charts'
import type { TimeRange } from './time-range.ts'

/** `PriceScaleMode.Logarithmic`. */
const LOGARITHMIC = 1

export abstract class ChartPrimitive implements ISeriesPrimitive {
  protected readonly range: TimeRange
  readonly #views: readonly IPrimitivePaneView[]
  #attached: SeriesAttachedParameter | undefined

  constructor(range: TimeRange, zOrder: 'bottom' | 'normal' | 'top') {
    this.range = range
    const renderer: IPrimitivePaneRenderer = {
      draw: (target) =>
        target.useMediaCoordinateSpace(({ context, mediaSize }) =>
          this.draw(context, mediaSize.width, mediaSize.height),
        ),
    }
    this.#views = [{ zOrder: () => zOrder, renderer: () => renderer }]
  }

  attached(attached: SeriesAttachedParameter): void {
    this.#attached = attached
  }

  paneViews(): readonly IPrimitivePaneView[] {
    return this.#views
  }

  /** Pixels of the pane. */
  protected abstract draw(context: CanvasRenderingContext2D, width: number, height: number): void

  protected drawAgain(): void {
    this.#attached?.requestUpdate()
  }

  /**
   * Pixels from the top of a price. Two prices say it of all on an even scale; on another the scale itself is asked.
   */
  protected priceY(): (price: number) => number {
    const series = this.#attached?.series
    if (Number(series?.priceScale().options().mode) === LOGARITHMIC) {
      return (price) => series?.priceToCoordinate(price) ?? Number.POSITIVE_INFINITY
    }
    const [top, low] = [series?.coordinateToPrice(0) ?? null, series?.coordinateToPrice(100) ?? null]
    if (top === null || low === null || top === low) return () => Number.POSITIVE_INFINITY
    const slope = 100 / (low - top)
    return (price) => (price - top) * slope
  }
}
