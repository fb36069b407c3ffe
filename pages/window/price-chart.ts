/**
 * A market: candles and volume, with the own orders that rest as lines, own fills as arrows, and what a strategy plots.
 */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  createSeriesMarkers,
  HistogramSeries,
  LineSeries,
  LineStyle,
  type AutoscaleInfo,
  type IChartApi,
  type IPriceLine,
  type ISeriesApi,
  type ISeriesMarkersPluginApi,
  type Time,
  type UTCTimestamp,
} from 'lightweight-charts'
import { colourOf, paintAlways } from '../parts/palette.ts'
import { sideWords, trimmed } from '../parts/words.ts'

export interface ChartCandle {
  /** Unix milliseconds of its beginning. */
  readonly time: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

/** A fill of one's own. */
export interface ChartFill {
  /** Unix milliseconds. */
  readonly time: number
  readonly side: string
  readonly price: string
}

/** An open order of one's own, in any market; one without a price is not drawn. */
export interface ChartOrder {
  readonly id: string
  readonly symbol: string
  readonly side: string
  readonly price?: string | undefined
  readonly qty: string
}

/** An order as it is drawn. */
interface DrawnOrder {
  readonly id: string
  readonly isBuy: boolean
  readonly price: string
  /** Beside the line, such as `Buy 0.01`. */
  readonly words: string
}

export interface ChartPlot {
  readonly name: string
  /** Its values are prices, so that it is drawn over the candles; otherwise in a pane of its own. */
  readonly isPrice: boolean
  /** Unix milliseconds and value, oldest first. */
  readonly points: readonly (readonly [time: number, value: number])[]
}

const VOLUME = {
  priceScaleId: 'volume',
  priceFormat: { type: 'volume' },
  lastValueVisible: false,
  priceLineVisible: false,
} as const
const PLOT_COLOURS = ['--accent', '--warn', '--quiet', '--up', '--down'] as const
/** Candles that are shown at first. */
const SHOWN = 120
/** Lines with their order in words: more of them would cover the candles. */
const MAX_TITLES = 4
/** Share of the last price within which a resting order is in sight. */
const NEAR = 0.005

export class PriceChart {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volumes: ISeriesApi<'Histogram'>
  readonly #markers: ISeriesMarkersPluginApi<Time>
  readonly #lines = new Map<string, { readonly line: IPriceLine; readonly order: DrawnOrder }>()
  readonly #plots = new Map<string, ISeriesApi<'Line'>>()
  #times: number[] = []
  #bars: readonly ChartCandle[] = []
  #fills: readonly ChartFill[] = []
  #up = ''
  #down = ''

  constructor(place: HTMLElement) {
    this.#chart = createChart(place, {
      autoSize: true,
      // The notice at the foot of the page has its link: its logo brings a style of its own, which this page does not
      // allow.
      layout: { attributionLogo: false, fontFamily: 'inherit', fontSize: 12 },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4 },
      rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.24 } },
    })
    this.#candles = this.#chart.addSeries(CandlestickSeries, {
      autoscaleInfoProvider: (original: () => AutoscaleInfo | null) => this.#scaled(original()),
    })
    this.#volumes = this.#chart.addSeries(HistogramSeries, VOLUME)
    this.#markers = createSeriesMarkers<Time>(this.#candles, [])
    this.#chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    paintAlways(() => {
      this.#paint()
    })
  }

  /** @param digits  behind the point of a price */
  setPrecision(digits: number): void {
    this.#candles.applyOptions({ priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits } })
  }

  /** Shows seconds on the axis, for candles shorter than a minute. */
  setInterval(intervalMs: number): void {
    this.#chart.applyOptions({ timeScale: { secondsVisible: intervalMs < 60_000 } })
  }

  /** @param isWhole  true when these take the place of all that were shown */
  show(candles: readonly ChartCandle[], isWhole: boolean): void {
    if (isWhole) {
      this.replace(candles)
      const { length } = candles
      this.#chart.timeScale().setVisibleLogicalRange({ from: Math.max(-20, length - SHOWN), to: length + 4 })
      return
    }
    // The chart goes on from its last candle only.
    const since = this.#times.at(-1) ?? 0
    const next = candles.filter(({ time }) => time >= since)
    const [first] = next
    if (first === undefined) return
    this.#store([...this.#bars.filter(({ time }) => time < first.time), ...next])
    for (const candle of next) {
      this.#candles.update(barOf(candle))
      this.#volumes.update(this.#volumeOf(candle))
    }
    this.#mark()
  }

  /** Takes the place of all that were shown, and leaves the reader at the part that he looks at. */
  replace(candles: readonly ChartCandle[]): void {
    this.#store(candles)
    this.#candles.setData(candles.map(barOf))
    this.#volumes.setData(candles.map((candle) => this.#volumeOf(candle)))
    this.#mark()
  }

  /** Shows so many candles before a place, which is the index of a candle. */
  lookAt(index: number): void {
    const range = this.#chart.timeScale().getVisibleLogicalRange()
    const count = range === null ? SHOWN : Math.max(10, range.to - range.from)
    if (range !== null && index <= range.to - 2 && index >= range.from) return
    this.#chart.timeScale().setVisibleLogicalRange({ from: index + 4 - count, to: index + 4 })
  }

  showFills(fills: readonly ChartFill[]): void {
    this.#fills = fills
    this.#mark()
  }

  /** Draws those of a market. */
  showOrders(all: readonly ChartOrder[], symbol: string): void {
    const orders = all.flatMap(({ id, symbol: of, side, price, qty }) =>
      of !== symbol || price === undefined
        ? []
        : [{ id, price, isBuy: side === 'BUY', words: `${sideWords(side)} ${trimmed(qty)}` }],
    )
    const wanted = new Map(orders.map((order) => [order.id, order]))
    for (const [id, { line, order }] of this.#lines) {
      const next = wanted.get(id)
      if (next?.price === order.price && next.words === order.words) continue
      this.#candles.removePriceLine(line)
      this.#lines.delete(id)
    }
    for (const order of orders) {
      if (this.#lines.has(order.id)) continue
      const line = this.#candles.createPriceLine({
        ...{
          price: Number(order.price),
          title: orders.length <= MAX_TITLES ? order.words : '',
          lineWidth: 1,
          lineStyle: LineStyle.Dashed,
        },
        ...{ axisLabelVisible: orders.length <= 12, color: order.isBuy ? this.#up : this.#down },
      })
      this.#lines.set(order.id, { line, order })
    }
  }

  showPlots(plots: readonly ChartPlot[]): void {
    const names = new Set(plots.map(({ name }) => name))
    for (const [name, series] of this.#plots) {
      if (names.has(name)) continue
      this.#chart.removeSeries(series)
      this.#plots.delete(name)
    }
    for (const { name, isPrice, points } of plots) {
      const series = this.#plots.get(name) ?? this.#addPlot(name, isPrice)
      const bySecond = new Map(points.map(([time, value]) => [this.#barTime(time) ?? seconds(time), value]))
      series.setData(Array.from(bySecond, ([time, value]) => ({ time: time, value })))
    }
  }

  /** Resting orders near the market are in sight; others do not flatten the candles. */
  #scaled(info: AutoscaleInfo | null): AutoscaleInfo | null {
    const range = info?.priceRange
    if (!range) return info
    const last = Number(this.#bars.at(-1)?.close ?? 0)
    const near = Array.from(this.#lines.values(), ({ order }) => Number(order.price)).filter(
      (price) => Math.abs(price - last) < last * NEAR,
    )
    const minValue = Math.min(range.minValue, ...near)
    return { ...info, priceRange: { minValue, maxValue: Math.max(range.maxValue, ...near) } }
  }

  #addPlot(name: string, isPrice: boolean): ISeriesApi<'Line'> {
    const pane = isPrice ? 0 : this.#chart.panes().length
    const options = { title: name, lineWidth: 2, priceLineVisible: false, lastValueVisible: true } as const
    const series = this.#chart.addSeries(LineSeries, options, pane)
    this.#plots.set(name, series)
    this.#paintPlots()
    return series
  }

  #store(candles: readonly ChartCandle[]): void {
    this.#bars = candles
    this.#times = candles.map(({ time }) => time)
  }

  /** Time of the candle that a moment is in, as the chart counts it; undefined before the first. */
  #barTime(moment: number): UTCTimestamp | undefined {
    let [low, high] = [0, this.#times.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if ((this.#times[middle] ?? 0) <= moment) low = middle + 1
      else high = middle
    }
    const time = this.#times[low - 1]
    return time === undefined ? undefined : seconds(time)
  }

  #mark(): void {
    this.#markers.setMarkers(
      this.#fills.flatMap(({ time: moment, side, price }) => {
        const time = this.#barTime(moment)
        if (time === undefined) return []
        const isBuy = side === 'BUY'
        return [
          {
            ...{ time, price: Number(price), color: isBuy ? this.#up : this.#down, size: 0.7 },
            ...(isBuy
              ? ({ position: 'atPriceBottom', shape: 'arrowUp' } as const)
              : ({ position: 'atPriceTop', shape: 'arrowDown' } as const)),
          },
        ]
      }),
    )
  }

  #volumeOf({ time, open, close, volume }: ChartCandle): { time: UTCTimestamp; value: number; color: string } {
    const color = Number(close) >= Number(open) ? `${this.#up}55` : `${this.#down}55`
    return { time: seconds(time), value: Number(volume), color }
  }

  #paint(): void {
    const [line, ground] = [colourOf('--line'), colourOf('--surface')]
    this.#up = colourOf('--up')
    this.#down = colourOf('--down')
    this.#chart.applyOptions({
      layout: {
        background: { type: ColorType.Solid, color: ground },
        textColor: colourOf('--quiet'),
        panes: { separatorColor: line, separatorHoverColor: line, enableResize: false },
      },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    })
    // Hollow where it rose: the colour is not all that says so.
    this.#candles.applyOptions({
      priceLineColor: colourOf('--accent'),
      ...{ upColor: ground, borderUpColor: this.#up, wickUpColor: this.#up },
      ...{ downColor: this.#down, borderDownColor: this.#down, wickDownColor: this.#down },
    })
    for (const { line: each, order } of this.#lines.values()) {
      each.applyOptions({ color: order.isBuy ? this.#up : this.#down })
    }
    this.#volumes.setData(this.#bars.map((candle) => this.#volumeOf(candle)))
    this.#paintPlots()
    this.#mark()
  }

  #paintPlots(): void {
    ;[...this.#plots.values()].forEach((series, index) => {
      series.applyOptions({ color: colourOf(PLOT_COLOURS[index % PLOT_COLOURS.length] ?? '--accent') })
    })
  }
}

const barOf = ({ time, open, high, low, close }: ChartCandle) => ({
  ...{ time: seconds(time), open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
})

const seconds = (ms: number): UTCTimestamp => Math.floor(ms / 1_000) as UTCTimestamp
