/**
 * A line of equity over time, in the colours of the page.
 */
import {
  AreaSeries,
  ColorType,
  createChart,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts'
import { colourOf, paintAlways } from '../parts/palette.ts'

export type Dot = readonly [time: number, value: number]

export class EquityChart {
  readonly #chart: IChartApi
  readonly #line: ISeriesApi<'Area'>
  #last = 0
  /** Points in the order in which they were set. */
  #points: readonly { readonly time: UTCTimestamp; readonly value: number }[] = []
  /** A reader looks at a part of it. */
  #isHeld = false

  constructor(place: HTMLElement) {
    this.#chart = createChart(place, {
      autoSize: true,
      // Its link is in the notice at the foot of the page; its logo brings a style of its own, which the page does not
      // allow.
      layout: { attributionLogo: false, fontFamily: 'inherit', fontSize: 12 },
      // The whole run fits, however many samples it has.
      timeScale: { timeVisible: true, secondsVisible: true, minBarSpacing: 0.001 },
      rightPriceScale: { scaleMargins: { top: 0.12, bottom: 0.08 } },
    })
    this.#line = this.#chart.addSeries(AreaSeries, { lineWidth: 2 })
    for (const held of ['wheel', 'pointerdown']) {
      place.addEventListener(held, () => {
        this.#isHeld = true
      })
    }
    place.addEventListener('dblclick', () => {
      this.#isHeld = false
    })
    paintAlways(() => {
      this.#paint()
    })
  }

  setAll(dots: readonly Dot[]): void {
    this.#last = 0
    const points = dots.flatMap((dot) => this.#next(dot))
    this.#points = points
    this.#line.setData(points)
    this.#chart.timeScale().fitContent()
  }

  /** Puts the cross at the last point of a moment or before it. @param time  Unix milliseconds */
  mark(time: number): void {
    const point = this.#points.findLast((each) => each.time * 1_000 <= time)
    if (point === undefined) this.#chart.clearCrosshairPosition()
    else this.#chart.setCrosshairPosition(point.value, point.time, this.#line)
  }

  add(dot: Dot): void {
    for (const point of this.#next(dot)) this.#line.update(point)
    if (!this.#isHeld) this.#chart.timeScale().fitContent()
  }

  /** Time goes on in whole seconds here: of one second the first counts. */
  #next([time, value]: Dot): readonly { time: UTCTimestamp; value: number }[] {
    const second = Math.floor(time / 1_000)
    if (second <= this.#last) return []
    this.#last = second
    return [{ time: second as UTCTimestamp, value }]
  }

  #paint(): void {
    const [line, accent] = [colourOf('--line'), colourOf('--accent')]
    this.#chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: colourOf('--surface') }, textColor: colourOf('--quiet') },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    })
    this.#line.applyOptions({ lineColor: accent, topColor: `${accent}33`, bottomColor: `${accent}05` })
  }
}
