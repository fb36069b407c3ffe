/**
 * A market as the strategy met it: candles of any interval with its fills, its resting orders and what it plotted;
 * below them its position, and in panes of their own the plots that are no price.
 *
 * Invariant: the axis of time is even, and shows the stretch that all charts of the page show. Known limit: as many
 * candles as can be distinguished are drawn; of a wider stretch a longer interval.
 */
import {
  BaselineSeries,
  CandlestickSeries,
  ColorType,
  createChart,
  createTextWatermark,
  CrosshairMode,
  HistogramSeries,
  LineSeries,
  LineType,
  PriceScaleMode,
  type IChartApi,
  type ISeriesApi,
  type ITextWatermarkPluginApi,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import type { Line, MarketSeries } from '../../src/report/page/page-data.ts'
import { colourOf, isOnPaper, paintAlways, paintNoMore } from '../parts/palette.ts'
import { intervalsFrom, lastAt, lineOn, stepsOver, timeOfStep, type Bar, type Steps } from './candle-bars.ts'
import { FillMarks, type FillMark } from './fill-marks.ts'
import { DepthMap, type RestingLevel } from './depth-map.ts'
import { addGestures } from './gestures.ts'
import { AXIS_WIDTH } from './line-chart.ts'
import { fitAlways } from './fit.ts'
import { HeldPosition } from './held-position.ts'
import { MarketCandles } from './market-candles.ts'
import { PositionBand } from './position-band.ts'
import { RestBands } from './rest-bands.ts'
import type { Span, TimeRange } from './time-range.ts'
import type { Trip } from './thinned-trips.ts'
import { TripLines } from './trip-lines.ts'
import type { ScaleName, ValueScale } from './value-scale.ts'

/** Candles across what is shown, at most: as chosen, and when no one chose. */
const [MAX_BARS, MAX_AUTO_BARS] = [12_000, 260]
const [PRICE_HEIGHT, PANE_HEIGHT] = [340, 96]
/** Pixels from the cursor to a recorded level. */
const REACH = 4
export const PLOT_COLOURS = ['--series-1', '--series-2', '--series-3', '--series-4', '--series-5'] as const

export interface MarketChartSetup {
  readonly market: MarketSeries
  readonly range: TimeRange
  readonly scale: ValueScale
  readonly trips: readonly Trip[]
  readonly onFill: (mark: FillMark) => void
  readonly onTrip: (trip: Trip) => void
  readonly onCursor: (reading: MarketReading) => void
  /** Is reported the interval that is drawn. */
  readonly onInterval: (intervalMs: number) => void
}

/** Moment under the cursor of any chart of the range; none where it has left. */
export interface MarketReading {
  /** The last candle that opens at or before it. */
  readonly bar: Bar | undefined
  /** The fill that it is on. */
  readonly mark: FillMark | undefined
  /** The round trip whose line it is on, unless it is on a fill. */
  readonly trip: Trip | undefined
  /** The last value of each plot at or before it. */
  readonly plotted: readonly (number | undefined)[]
  readonly position: number | undefined
  /** The recorded level that it is on. */
  readonly level: RestingLevel | undefined
}

interface Pane {
  readonly name: string
  readonly series: ISeriesApi<'Line'>
  readonly line: Line
  readonly isHeld: boolean
}

export class MarketChart {
  readonly #chart: IChartApi
  readonly #setup: MarketChartSetup
  readonly #candles: ISeriesApi<'Candlestick'> | undefined
  readonly #volumes: ISeriesApi<'Histogram'> | undefined
  readonly #lines: readonly Pane[]
  readonly #position: ISeriesApi<'Baseline'>
  readonly #held: HeldPosition
  readonly #band: PositionBand
  readonly #names: { readonly mark: ITextWatermarkPluginApi<Time>; readonly text: string }[] = []
  readonly #fills: FillMarks
  readonly #trips: TripLines
  /** Undefined if no book was recorded. */
  readonly depth: DepthMap | undefined
  readonly #data: MarketCandles
  #chosenMs: number | undefined
  readonly #ends: readonly (() => void)[]
  /** The cursor is another chart's. */
  #isFollowing = false
  #isOwn = false
  #moment: number | undefined
  /** Price that the cursor is at, and how far a few pixels reach. */
  #price: readonly [price: number, reach: number] | undefined
  #mark: FillMark | undefined
  #trip: Trip | undefined
  #steps: Steps = { from: 0, intervalMs: 1, count: 0 }
  #bars: readonly (Bar | undefined)[] = []
  /** The chart on paper. */
  #picture: HTMLElement | undefined

  constructor(place: HTMLElement, setup: MarketChartSetup) {
    const { market, range } = setup
    this.#setup = setup
    this.#data = new MarketCandles(market)
    const panes = 1 + market.plots.filter(({ isPrice }) => !isPrice).length
    const height = PRICE_HEIGHT + panes * PANE_HEIGHT
    this.#chart = createChart(place, chartOptions(height))
    this.#fills = new FillMarks(market.fills, range)
    this.#trips = new TripLines(setup.trips, range)
    // The axis has room below what was traded, and no price is 0 or less.
    const priceFormat = {
      type: 'custom',
      minMove: 10 ** -market.pricePrecision,
      formatter: (price: number) => (price > 0 ? price.toFixed(market.pricePrecision) : ''),
    } as const
    if (market.candles !== null) {
      this.#candles = this.#chart.addSeries(CandlestickSeries, { priceFormat, priceLineVisible: false })
      this.#volumes = this.#chart.addSeries(HistogramSeries, VOLUME)
      this.#chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.86, bottom: 0 } })
    }
    this.#lines = this.#addLines(priceFormat)
    this.#held = new HeldPosition(market.fills, market.initialQty)
    this.#band = new PositionBand(range)
    this.#position = this.#addPosition()
    const base = this.#candles ?? this.#lines[0]?.series
    this.depth = market.depth === null ? undefined : new DepthMap(market.depth, market.pricePrecision, range)
    if (this.depth !== undefined) {
      base?.attachPrimitive(this.depth)
      // The line of the cursor is at the price that is read, not at the close.
      this.#chart.applyOptions({ crosshair: { mode: CrosshairMode.Normal } })
    }
    base?.attachPrimitive(new RestBands(market.rests, range))
    base?.attachPrimitive(this.#trips)
    base?.attachPrimitive(this.#fills)
    this.#layOut(place, height, base)
    this.#ends = [
      range.follow((span) => this.#show(place, span)),
      range.followCursor((moment) => this.#point(moment)),
      setup.scale.follow((name) => {
        place.dataset.scale = name
        base?.priceScale().applyOptions({ mode: MODES[name] })
      }),
    ]
  }

  /** Undefined for as the stretch of time suggests. */
  choose(intervalMs: number | undefined): void {
    this.#chosenMs = intervalMs
    const { range } = this.#setup
    this.#load(range.span)
    this.#frame(range.span)
  }

  /** Draws a plot of the strategy or leaves it out, by its place among the plots. */
  toggle(index: number, isOn: boolean): void {
    this.#lines.filter(({ isHeld }) => !isHeld)[index]?.series.applyOptions({ visible: isOn })
  }

  canvas(): HTMLCanvasElement {
    return this.#chart.takeScreenshot(true)
  }

  /** Draws the round trip of a row thicker. */
  pick(row: number): void {
    this.#trips.pick(row)
  }

  remove(): void {
    for (const end of this.#ends) end()
    paintNoMore(this.#paint)
    this.#chart.remove()
  }

  #layOut(place: HTMLElement, height: number, base: ISeriesApi<'Candlestick' | 'Line'> | undefined): void {
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
    this.#chart.subscribeCrosshairMove(({ point, paneIndex, sourceEvent }) => {
      // Without an event, the library has placed the cursor of another chart again.
      if (this.#isFollowing && sourceEvent === undefined) return
      this.#follow(false)
      const isOnPrices = point !== undefined && paneIndex === 0
      const [price, next] = isOnPrices ? [0, REACH].map((by) => base?.coordinateToPrice(point.y + by)) : []
      this.#price = price && next ? [price, price - next] : undefined
      this.#mark = isOnPrices ? this.#fills.markAt(point.x, point.y) : undefined
      this.#trip = isOnPrices && this.#mark === undefined ? this.#trips.tripAt(point.x, point.y) : undefined
      place.classList.toggle('over', this.#mark !== undefined || this.#trip !== undefined)
      const { from, to } = range.span
      const width = Math.max(1, this.#chart.timeScale().width())
      this.#isOwn = true
      range.point(point === undefined ? undefined : from + (point.x / width) * (to - from))
      this.#isOwn = false
      this.#read()
    })
    this.#chart.subscribeClick(({ point, paneIndex }) => {
      if (point === undefined || paneIndex !== 0) return
      const mark = this.#fills.markAt(point.x, point.y)
      const trip = this.#trips.tripAt(point.x, point.y)
      if (mark !== undefined) this.#setup.onFill(mark)
      else if (trip !== undefined) this.#setup.onTrip(trip)
    })
  }

  #addLines(priceFormat: object): readonly Pane[] {
    const { market } = this.#setup
    const lines: Pane[] = []
    if (this.#candles === undefined) {
      const line = { times: market.fills.times, values: market.fills.prices.map(Number) }
      const series = this.#chart.addSeries(LineSeries, { ...QUIET, priceFormat, lineType: LineType.WithSteps })
      lines.push({ name: '', series, line, isHeld: true })
    }
    market.plots.forEach(({ name, isPrice, line }) => {
      const pane = isPrice ? 0 : this.#chart.panes().length
      const series = this.#chart.addSeries(LineSeries, { ...QUIET, ...(isPrice ? { priceFormat } : {}) }, pane)
      if (!isPrice) this.#name(pane, name, series)
      lines.push({ name, series, line, isHeld: false })
    })
    return lines
  }

  #addPosition(): ISeriesApi<'Baseline'> {
    const pane = this.#chart.panes().length
    const series = this.#chart.addSeries(BaselineSeries, POSITION, pane)
    series.attachPrimitive(this.#band)
    this.#name(pane, 'position (shaded: low to high)', series)
    return series
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
    place.dataset.fills = String(this.#fills.countIn(span))
    const { from, count, intervalMs } = this.#steps
    const isLoaded = span.from >= from && span.to <= from + count * intervalMs && intervalMs === this.#intervalOf(span)
    if (!isLoaded) this.#load(span)
    this.#frame(span)
  }

  /** The chosen one where there is room for it, else the shortest that leaves room. */
  #intervalOf({ from, to }: Span): number {
    const fitting = (most: number, ms: number): boolean => (to - from) / ms <= most
    const dataMs = this.#data.intervalMs
    const all = intervalsFrom(dataMs)
    const longest = all.at(-1) ?? dataMs
    if (this.#chosenMs === undefined) return all.find((ms) => fitting(MAX_AUTO_BARS, ms)) ?? longest
    const chosen = this.#chosenMs
    return all.find((ms) => ms >= chosen && fitting(MAX_BARS, ms)) ?? longest
  }

  /** Hands over what is shown, and as much again on both sides, to move about in. */
  #load(span: Span): void {
    const { range, onInterval } = this.#setup
    const width = span.to - span.from
    const intervalMs = this.#intervalOf(span)
    const [from, to] = [Math.max(range.whole.from, span.from - width), Math.min(range.whole.to, span.to + width)]
    const steps = stepsOver(from, to, intervalMs)
    this.#steps = steps
    const timeOf = (step: number): UTCTimestamp => (timeOfStep(steps, step) / 1_000) as UTCTimestamp
    this.#bars = this.#data.bars(steps)
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
    const held = this.#held.over(steps)
    this.#position.setData(held.map(({ last }, step) => ({ time: timeOf(step), value: last })))
    this.#band.show(steps, held)
    this.#chart.applyOptions({
      timeScale: { secondsVisible: intervalMs < 60_000, timeVisible: intervalMs < 86_400_000 },
    })
    onInterval(intervalMs)
  }

  /** Shows the cursor of another chart at its moment. */
  #point(moment: number | undefined): void {
    this.#moment = moment
    if (this.#isOwn) return
    this.#price = undefined
    this.#mark = undefined
    this.#trip = undefined
    this.#follow(true)
    const { from, intervalMs } = this.#steps
    const step = moment === undefined ? -1 : Math.floor((moment - from) / intervalMs)
    if (step < 0) this.#chart.clearCrosshairPosition()
    else {
      const time = (timeOfStep(this.#steps, step) / 1_000) as UTCTimestamp
      this.#chart.setCrosshairPosition(this.#held.at(moment ?? 0), time, this.#position)
    }
    this.#read()
  }

  /** Cursor of another chart: its moment is shown, not its price. */
  #follow(isFollowing: boolean): void {
    if (this.#isFollowing === isFollowing) return
    this.#isFollowing = isFollowing
    this.#chart.applyOptions({ crosshair: { horzLine: { visible: !isFollowing, labelVisible: !isFollowing } } })
  }

  #read(): void {
    const [moment, mark, trip, { market, onCursor }] = [this.#moment, this.#mark, this.#trip, this.#setup]
    if (moment === undefined) {
      onCursor({ bar: undefined, mark, trip, plotted: [], position: undefined, level: undefined })
      return
    }
    const { from, intervalMs } = this.#steps
    let step = Math.min(this.#bars.length - 1, Math.floor((moment - from) / intervalMs))
    while (step >= 0 && this.#bars[step] === undefined) step -= 1
    const plotted = market.plots.map(({ line }) => lastAt(line, moment))
    const level = this.#price === undefined ? undefined : this.depth?.at(moment, ...this.#price)
    onCursor({ bar: this.#bars[step], mark, trip, plotted, position: this.#held.at(moment), level })
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
    const left = (from - first) / intervalMs
    // Of candles of another market, a range may be narrower than one.
    const right = Math.max(left, (to - first) / intervalMs - 1)
    this.#chart.timeScale().setVisibleLogicalRange({ from: left, to: right })
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
    this.#lines.forEach(({ series }, index) => {
      series.applyOptions({ color: colourOf(PLOT_COLOURS[index % PLOT_COLOURS.length] ?? '--accent') })
    })
    this.#position.applyOptions({
      ...{ topLineColor: rising, topFillColor1: `${rising}30`, topFillColor2: `${rising}08` },
      ...{ bottomLineColor: falling, bottomFillColor1: `${falling}08`, bottomFillColor2: `${falling}30` },
    })
    for (const { mark, text: name } of this.#names) {
      mark.applyOptions({ lines: [{ text: name, color: text, fontSize: 11 }] })
    }
    this.#setVolumes((step) => (timeOfStep(this.#steps, step) / 1_000) as UTCTimestamp)
  }
}

const MODES: Readonly<Record<ScaleName, PriceScaleMode>> = {
  linear: PriceScaleMode.Normal,
  log: PriceScaleMode.Logarithmic,
  percent: PriceScaleMode.Percentage,
  index: PriceScaleMode.IndexedTo100,
}

const QUIET = { priceLineVisible: false, lastValueVisible: false, lineWidth: 2 } as const
const POSITION = { ...QUIET, lineType: LineType.WithSteps, baseValue: { type: 'price', price: 0 } } as const
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
