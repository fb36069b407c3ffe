/**
 * Candles with their volume, in the colours of the page, drawn once a frame however often they change.
 */
import {
  CandlestickSeries,
  ColorType,
  createChart,
  HistogramSeries,
  type IChartApi,
  type ISeriesApi,
  type UTCTimestamp,
} from 'lightweight-charts'
import { colourOf, paintAlways } from '../parts/palette.ts'

export interface ChartCandle {
  /** Unix milliseconds of its beginning. */
  readonly time: number
  readonly open: string
  readonly high: string
  readonly low: string
  readonly close: string
  readonly volume: string
}

const VOLUME = {
  priceScaleId: 'volume',
  priceFormat: { type: 'volume' },
  lastValueVisible: false,
  priceLineVisible: false,
} as const

export class PriceChart {
  readonly #chart: IChartApi
  readonly #candles: ISeriesApi<'Candlestick'>
  readonly #volumes: ISeriesApi<'Histogram'>
  #up = ''
  #down = ''

  constructor(place: HTMLElement) {
    this.#chart = createChart(place, {
      autoSize: true,
      // The notice at the foot of the page has its link: its logo brings a style of its own, which this page does not allow.
      layout: { attributionLogo: false, fontFamily: 'inherit', fontSize: 12 },
      timeScale: { timeVisible: true, secondsVisible: false, rightOffset: 4 },
      rightPriceScale: { scaleMargins: { top: 0.08, bottom: 0.24 } },
    })
    this.#candles = this.#chart.addSeries(CandlestickSeries, { borderVisible: false })
    this.#volumes = this.#chart.addSeries(HistogramSeries, VOLUME)
    this.#chart.priceScale('volume').applyOptions({ scaleMargins: { top: 0.84, bottom: 0 } })
    paintAlways(() => {
      this.#paint()
    })
  }

  /** @param digits  behind the point of a price */
  setPrecision(digits: number): void {
    this.#candles.applyOptions({ priceFormat: { type: 'price', precision: digits, minMove: 10 ** -digits } })
  }

  /** @param isWhole  true when these take the place of all that were shown */
  show(candles: readonly ChartCandle[], isWhole: boolean): void {
    const bars = candles.map(({ time, open, high, low, close }) => ({
      ...{ time: seconds(time), open: Number(open), high: Number(high), low: Number(low), close: Number(close) },
    }))
    const volumes = candles.map(({ time, open, close, volume }) => ({
      ...{ time: seconds(time), value: Number(volume) },
      color: Number(close) >= Number(open) ? `${this.#up}55` : `${this.#down}55`,
    }))
    if (isWhole) {
      this.#candles.setData(bars)
      this.#volumes.setData(volumes)
      this.#chart.timeScale().setVisibleLogicalRange({ from: Math.max(-20, bars.length - 120), to: bars.length + 4 })
      return
    }
    for (const bar of bars) this.#candles.update(bar)
    for (const bar of volumes) this.#volumes.update(bar)
  }

  #paint(): void {
    const line = colourOf('--line')
    this.#up = colourOf('--up')
    this.#down = colourOf('--down')
    this.#chart.applyOptions({
      layout: { background: { type: ColorType.Solid, color: colourOf('--surface') }, textColor: colourOf('--quiet') },
      grid: { vertLines: { visible: false }, horzLines: { color: line } },
      rightPriceScale: { borderColor: line },
      timeScale: { borderColor: line },
    })
    this.#candles.applyOptions({
      ...{ upColor: this.#up, downColor: this.#down, wickUpColor: this.#up, wickDownColor: this.#down },
    })
  }
}

const seconds = (ms: number): UTCTimestamp => Math.floor(ms / 1_000) as UTCTimestamp
