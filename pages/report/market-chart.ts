/**
 * A market as the strategy met it: candles of any interval with its fills, its resting orders and what it plotted; below them its position,
 * and in panes of their own the plots that are no price.
 *
 * Invariant: the axis of time is even, and shows the stretch that all charts of the page show.
 * Known limit: as many candles as can be told apart are drawn; of a wider stretch a longer interval.
 */
import {
  BaselineSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  createTextWatermark,
  HistogramSeries,
  LineSeries,
  LineType,
  type IChartApi,
  type ISeriesApi,
  type ITextWatermarkPluginApi,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { FillMark, Line, MarketSeries } from '../../src/report/page/page-data.ts'
import { colourOf, isOnPaper, paintAlways, paintNoMore } from '../parts/palette.ts'
import { barsOn, intervalsFrom, lineOn, stepsOver, type Bar, type Steps } from './candle-bars.ts'
import { FillMarks } from './fill-marks.ts'
import { addGestures } from './gestures.ts'
import { AXIS_WIDTH } from './line-chart.ts'
import { fitAlways } from './fit.ts'
import { RestBands } from './rest-bands.ts'
import type { Span, TimeRange } from './time-range.ts'

/** Candles across what is shown, at most: as chosen, and when nobody chose. */
const [MOST, MOST_OF_ITSELF] = [12_000, 260]
const [PRICE_HEIGHT, PANE_HEIGHT] = [340, 96]
export const PLOT_COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'] as const

export interface MarketChartSetup {
  readonly market: MarketSeries
  readonly range: TimeRange
  readonly onFill: (mark: FillMark) => void
  /** Is told the candle and the fill that the cursor is at. */
  readonly onCursor: (bar: Bar | undefined, mark: FillMark | undefined) => void
  /** Is told the interval that is drawn. */
  readonly onInterval: (intervalMs: number) => void
}

interface Pane {
  readonly name: string
  readonly series: ISeriesApi<'Baseline' | 'Line'>
  readonly line: Line
  readonly isHeld: boolean
}

export class MarketChart {
  readonly #chart: IChartApi
  readonly #setup: MarketChartSetup
  readonly #candles: ISeriesApi<'Candlestick'> | undefined
  readonly #volumes: ISeriesApi<'Histogram'> | undefined
  readonly #lines: readonly Pane[]
  readonly #names: { readonly mark: ITextWatermarkPluginApi<Time>; readonly text: string }[] = []
  readonly #fills: FillMarks
  readonly #dataMs: number
  #chosenMs: number | undefined
  #steps: Steps = { from: 0, intervalMs: 1, count: 0 }
  #bars: readonly (Bar | undefined)[] = []
  /** The chart on paper. */
  #picture: HTMLElement | undefined

  constructor(place: HTMLElement, setup: MarketChartSetup) {
    const { market, range } = setup
    this.#setup = setup
    this.#dataMs = market.candles?.intervalMs ?? 1_000
    const panes = 1 + market.plots.filter(({ isPrice }) => !isPrice).length
    const height = PRICE_HEIGHT + panes * PANE_HEIGHT
    this.#chart = createChart(place, chartOptions(height))
    this.#fills = new FillMarks(market.fills, range)
    const priceFormat = {
      type: 'price',
      precision: market.pricePrecision,
      minMove: 10 ** -market.pricePrecision,
    } as const
    if (market.candles !== null) {
      this.#candles = this.#chart.addSeries(CandlestickSeries, { priceFormat, priceLineVisible: false })
      this.#volumes = this.#chart.addSeries(HistogramSeries, VOLUME)
      this.#chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
    }
    this.#lines = this.#addLines(priceFormat)
    const base = this.#candles ?? this.#lines[0]?.series
    base?.attachPrimitive(new RestBands(market.rests, range))
    base?.attachPrimitive(this.#fills)
    this.#layOut(place, height)
    range.follow((span) => this.#show(place, span))
  }

  /** Undefined for as the stretch of time suggests. */
  choose(intervalMs: number | undefined): void {
    this.#chosenMs = intervalMs
    const { range } = this.#setup
    this.#load(range.span)
    this.#frame(range.span)
  }

  remove(): void {
    paintNoMore(this.#paint)
    this.#chart.remove()
  }

  #layOut(place: HTMLElement, height: number): void {
    const { range } = this.#setup
    paintAlways(this.#paint)
    this.#chart.panes().forEach((pane, index) => pane.setStretchFactor(index === 0 ? PRICE_HEIGHT : PANE_HEIGHT))
    fitAlways(place, (width) => {
      this.#chart.resize(width, height, true)
      this.#frame(range.span)
      this.#picture?.remove()
      this.#picture = isOnPaper() ? this.#pictureOf(place) : undefined
    })
    addGestures(place, range, () => ({ left: 0, width: this.#chart.timeScale().width() }))
    this.#chart.subscribeCrosshairMove(({ logical, point, paneIndex }) => {
      const bar = logical === undefined ? undefined : this.#bars[logical]
      const mark = point === undefined || paneIndex !== 0 ? undefined : this.#fills.markAt(point.x, point.y)
      place.classList.toggle('over', mark !== undefined)
      this.#setup.onCursor(bar, mark)
    })
    this.#chart.subscribeClick(({ point, paneIndex }) => {
      const mark = point === undefined || paneIndex !== 0 ? undefined : this.#fills.markAt(point.x, point.y)
      if (mark !== undefined) this.#setup.onFill(mark)
    })
  }

  #addLines(priceFormat: object): readonly Pane[] {
    const { market } = this.#setup
    const quiet = { priceLineVisible: false, lastValueVisible: false, lineWidth: 2 } as const
    const lines: Pane[] = []
    if (this.#candles === undefined) {
      const line = { times: market.fills.map(({ time }) => time), values: market.fills.map(({ price }) => price) }
      const series = this.#chart.addSeries(LineSeries, { ...quiet, priceFormat, lineType: LineType.WithSteps })
      lines.push({ name: '', series, line, isHeld: true })
    }
    market.plots.forEach(({ name, isPrice, line }) => {
      const pane = isPrice ? 0 : this.#chart.panes().length
      const series = this.#chart.addSeries(LineSeries, { ...quiet, ...(isPrice ? { priceFormat } : {}) }, pane)
      if (!isPrice) this.#name(pane, name, series)
      lines.push({ name, series, line, isHeld: false })
    })
    const pane = this.#chart.panes().length
    const options = { ...quiet, lineType: LineType.WithSteps, baseValue: { type: 'price', price: 0 } } as const
    const series = this.#chart.addSeries(BaselineSeries, options, pane)
    this.#name(pane, 'position', series)
    return [...lines, { name: 'position', series, line: market.position, isHeld: true }]
  }

  /** Paper does not wait for the frame in which a chart of another size is drawn. */
  #pictureOf(place: HTMLElement): HTMLElement {
    const picture = this.#chart.takeScreenshot(true)
    picture.className = 'picture'
    place.append(picture)
    return picture
  }

  #name(index: number, text: string, series: ISeriesApi<'Baseline' | 'Line'>): void {
    series.priceScale().applyOptions({ scaleMargins: { top: 0.28, bottom: 0.12 } })
    const pane = this.#chart.panes()[index]
    if (pane === undefined) return
    const mark = createTextWatermark(pane, { horzAlign: 'left', vertAlign: 'top', lines: [] })
    this.#names.push({ mark, text })
  }

  #show(place: HTMLElement, span: Span): void {
    place.dataset.from = String(Math.round(span.from))
    place.dataset.to = String(Math.round(span.to))
    const { from, count, intervalMs } = this.#steps
    const isLoaded = span.from >= from && span.to <= from + count * intervalMs && intervalMs === this.#intervalOf(span)
    if (!isLoaded) this.#load(span)
    this.#frame(span)
  }

  /** The chosen one where there is room for it, else the shortest that leaves room. */
  #intervalOf({ from, to }: Span): number {
    const fitting = (most: number, ms: number): boolean => (to - from) / ms <= most
    const all = intervalsFrom(this.#dataMs)
    const longest = all.at(-1) ?? this.#dataMs
    if (this.#chosenMs === undefined) return all.find((ms) => fitting(MOST_OF_ITSELF, ms)) ?? longest
    const chosen = this.#chosenMs
    return all.find((ms) => ms >= chosen && fitting(MOST, ms)) ?? longest
  }

  /** Hands over what is shown, and as much again on both sides, to move about in. */
  #load(span: Span): void {
    const { market, range, onInterval } = this.#setup
    const width = span.to - span.from
    const intervalMs = this.#intervalOf(span)
    const [from, to] = [Math.max(range.whole.from, span.from - width), Math.min(range.whole.to, span.to + width)]
    const steps = stepsOver(from, to, intervalMs)
    this.#steps = steps
    const timeOf = (step: number): UTCTimestamp => ((steps.from + step * intervalMs) / 1_000) as UTCTimestamp
    this.#bars = market.candles === null ? [] : barsOn(steps, market.candles)
    this.#candles?.setData(
      this.#bars.map((bar, step) => (bar === undefined ? { time: timeOf(step) } : { ...bar, time: timeOf(step) })),
    )
    this.#setVolumes(timeOf)
    for (const { series, line, isHeld } of this.#lines) {
      const values = lineOn(steps, line, isHeld)
      series.setData(
        values.map((value, step) => (value === undefined ? { time: timeOf(step) } : { time: timeOf(step), value })),
      )
    }
    this.#chart.applyOptions({
      timeScale: { secondsVisible: intervalMs < 60_000, timeVisible: intervalMs < 86_400_000 },
    })
    onInterval(intervalMs)
  }

  #setVolumes(timeOf: (step: number) => UTCTimestamp): void {
    const [up, down] = [`${colourOf('--up')}45`, `${colourOf('--down')}45`]
    this.#volumes?.setData(
      this.#bars.flatMap((bar, step) =>
        bar === undefined ? [] : [{ time: timeOf(step), value: bar.volume, color: bar.close >= bar.open ? up : down }],
      ),
    )
  }

  #frame({ from, to }: Span): void {
    const { from: first, intervalMs } = this.#steps
    this.#chart
      .timeScale()
      .setVisibleLogicalRange({ from: (from - first) / intervalMs, to: (to - first) / intervalMs - 1 })
  }

  readonly #paint = (): void => {
    const [surface, line, quiet, up, down] = ['--surface', '--line', '--quiet', '--up', '--down'].map(colourOf)
    const [ground = '', rule = '', text = '', rising = '', falling = ''] = [surface, line, quiet, up, down]
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: ground },
        textColor: text,
        panes: { separatorColor: rule, separatorHoverColor: rule, enableResize: false },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: rule } },
      rightPriceScale: { borderVisible: false },
      timeScale: { borderColor: rule },
    })
    // Hollow where it rose: the colour is not all that says so.
    this.#candles?.applyOptions({
      ...{ upColor: ground, borderUpColor: rising, wickUpColor: rising },
      ...{ downColor: falling, borderDownColor: falling, wickDownColor: falling },
    })
    this.#lines.forEach(({ name, series }, index) => {
      const colour = colourOf(PLOT_COLOURS[index % PLOT_COLOURS.length] ?? '--accent')
      if (name !== 'position') {
        series.applyOptions({ color: colour })
        return
      }
      series.applyOptions({
        ...{ topLineColor: rising, topFillColor1: `${rising}30`, topFillColor2: `${rising}08` },
        ...{ bottomLineColor: falling, bottomFillColor1: `${falling}08`, bottomFillColor2: `${falling}30` },
      })
    })
    for (const { mark, text: name } of this.#names) {
      mark.applyOptions({ lines: [{ text: name, color: text, fontSize: 11 }] })
    }
    const { from, intervalMs } = this.#steps
    this.#setVolumes((step) => ((from + step * intervalMs) / 1_000) as UTCTimestamp)
  }
}

const VOLUME = {
  priceScaleId: 'volume',
  priceFormat: { type: 'volume' },
  lastValueVisible: false,
  priceLineVisible: false,
} as const

const chartOptions = (height: number) => ({
  height,
  handleScroll: false,
  handleScale: false,
  layout: { attributionLogo: true, fontFamily: getComputedStyle(document.body).fontFamily, fontSize: 11 },
  timeScale: { timeVisible: true, secondsVisible: false, minBarSpacing: 0.001, rightOffset: 0 },
  rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.2 }, minimumWidth: AXIS_WIDTH },
  localization: { dateFormat: 'yyyy-MM-dd' },
})
