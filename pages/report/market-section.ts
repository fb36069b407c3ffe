/**
 * The market chart with what belongs to it: the choice of market and interval, the buttons that move in time, and what
 * the cursor is at.
 */
import type { MarketSeries, PageRun, PageTable } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { intervalName, intervalsFrom } from './candle-bars.ts'
import type { FillMark } from './fill-marks.ts'
import { MarketChart, PLOT_COLOURS, type MarketReading } from './market-chart.ts'
import { pictureButton } from './picture.ts'
import { legend, section } from './section.ts'
import type { TimeRange } from './time-range.ts'
import type { Trip } from './thinned-trips.ts'
import { tripsOf } from './trip-lines.ts'
import type { ValueScale } from './value-scale.ts'

export interface MarketView {
  readonly element: HTMLElement
  /** Shows another market, where it is one of the run's. */
  readonly show: (symbol: string) => void
  /** Draws the round trip of a row thicker, if it is of the market that is shown. */
  readonly pick: (row: number) => void
}

export interface MarketActions {
  readonly onFill: (mark: FillMark) => void
  readonly onTrip: (trip: Trip) => void
  /** Called with the market that is shown. */
  readonly onMarket: (symbol: string) => void
}

export function marketSection(run: PageRun, range: TimeRange, scale: ValueScale, actions: MarketActions): MarketView {
  const { markets } = run
  const place = el('div', { class: 'market-place' })
  const markList = selectOf(
    'Market',
    markets.map(({ symbol }) => [symbol, symbol]),
  )
  const intervals = selectOf('Candle interval', [])
  const names = el('div')
  const said = el('p', { class: 'reading number', 'aria-hidden': 'true' })
  const booked = el('p', { class: 'reading number', 'aria-hidden': 'true' })
  const readings = markets.some(({ depth }) => depth !== null) ? [booked] : []
  const note = el('p', { class: 'quiet' })
  let chart: MarketChart | undefined
  let shown: MarketSeries | undefined
  let lines: ReturnType<typeof legend> | undefined

  const show = (symbol: string): void => {
    const market = markets.find((each) => each.symbol === symbol)
    if (market === undefined || market === shown) return
    shown = market
    chart?.remove()
    markList.value = symbol
    actions.onMarket(symbol)
    const canvas = el('div', chartAttributes(market))
    place.replaceChildren(canvas)
    note.textContent = noteOf(market)
    note.hidden = note.textContent === ''
    fillIntervals(intervals, market)
    chart = new MarketChart(canvas, {
      ...{ market, range, scale, ...actions, trips: tripsOf(run.trips, symbol) },
      onCursor: (reading) => {
        said.textContent = readingOf(market, run, reading)
        const values = [...reading.plotted, reading.position]
        lines?.show(values.map((value) => (value === undefined ? '' : plotText(value))))
        booked.textContent = levelText(market, reading.level)
      },
      onInterval: (ms) => {
        const [own] = intervals.options
        if (own !== undefined) own.textContent = `auto (${intervalName(ms)})`
        canvas.dataset.interval = String(ms)
      },
    })
    lines = legendOf(market, chart)
    names.replaceChildren(lines.element)
  }
  markList.addEventListener('change', () => show(markList.value))
  intervals.addEventListener('change', () =>
    chart?.choose(intervals.value === '' ? undefined : Number(intervals.value)),
  )
  markList.hidden = markets.length < 2
  const first = markets.find(({ fills }) => fills.times.length > 0) ?? markets[0]
  if (first === undefined) {
    return {
      element: section('market', 'Market', [], el('p', { class: 'quiet' }, 'No market was recorded or traded.')),
      show,
      pick: () => undefined,
    }
  }
  // Once it is in the document, and so has a width.
  queueMicrotask(() => show(first.symbol))
  const picture = pictureButton(`${run.name}-market`, () => (chart === undefined ? [] : [chart.canvas()]))
  const title = markets.length === 1 ? `Market, ${first.symbol}` : 'Market'
  return {
    element: section('market', title, [markList, intervals, picture], names, said, ...readings, place, note),
    show,
    pick: (row) => chart?.pick(row),
  }
}

function chartAttributes({ symbol, fills, candles }: MarketSeries): Readonly<Record<string, string>> {
  const what = candles === null ? 'Prices of fills' : 'Candles'
  const label = `${what} of ${symbol} with ${fills.times.length} fills; arrow keys move, + and - zoom, 0 shows all`
  return { class: 'chart candles', role: 'group', tabindex: '0', 'aria-label': label }
}

function fillIntervals(list: HTMLSelectElement, { candles, detail }: MarketSeries): void {
  list.hidden = candles === null
  const lengths = intervalsFrom(detail?.intervalMs ?? candles?.intervalMs ?? 1_000).map(
    (ms): readonly [string, string] => [String(ms), intervalName(ms)],
  )
  list.replaceChildren(...[['', 'auto'] as const, ...lengths].map(([value, text]) => el('option', { value }, text)))
}

/** The values are those of the plots, then the position. */
function legendOf({ plots, candles, symbol }: MarketSeries, chart: MarketChart): ReturnType<typeof legend> {
  const offset = candles === null ? 1 : 0
  const lines = plots.map(({ name }, index) => ({
    name,
    colour: PLOT_COLOURS[(index + offset) % PLOT_COLOURS.length] ?? '--accent',
    onToggle: (isOn: boolean) => chart.toggle(index, isOn),
  }))
  const { depth } = chart
  const book = depth && {
    name: `recorded book, strongest from ${Number(depth.top.toPrecision(3))} ${symbol.split('_')[0] ?? ''}`,
    colour: '--accent',
    onToggle: (isOn: boolean) => depth.toggle(isOn),
  }
  const { element, show } = legend([...lines, { name: 'position', colour: '--quiet' }, ...(book ? [book] : [])])
  const mark = (glyph: string, tone: string, text: string): HTMLElement =>
    el('li', {}, el('span', { class: `glyph ${tone}`, 'aria-hidden': 'true' }, glyph), text)
  element.prepend(
    mark('▲', 'good', 'bought'),
    mark('▼', 'bad', 'sold'),
    mark('●─●', 'good', 'profit'),
    mark('●╌●', 'bad', 'loss'),
    mark('▬', 'quiet', 'resting order'),
  )
  return { element, show }
}

/** `book at 00:12:30: 0.5 to buy from 42.1 to 42.2` */
function levelText({ pricePrecision }: MarketSeries, level: MarketReading['level']): string {
  if (level === undefined) return ''
  const [low, high] = [level.low, level.high].map((price) => price.toFixed(pricePrecision))
  const prices = low === high ? `at ${low}` : `from ${low} to ${high}`
  return `book at ${dateTime(level.time)}: ${level.qty} to ${level.side === 'bid' ? 'buy' : 'sell'} ${prices}`
}

/** A double of a chart, for reading. */
const plotText = (value: number): string => String(Number(value.toPrecision(9)))

function noteOf({ candles, fills, isThinned, symbol }: MarketSeries): string {
  const notes = [
    candles === null ? `This run has no candles of ${symbol}: the line shows the prices of its fills.` : '',
    fills.times.length === 0 ? 'No fills in this market.' : '',
    isThinned ? 'The chart shows only some of the resting orders; tables and figures include all of them.' : '',
  ]
  return notes.filter((text) => text !== '').join(' ')
}

function readingOf({ pricePrecision }: MarketSeries, { trips }: PageRun, { bar, mark, trip }: MarketReading): string {
  const ofTrip = trip === undefined ? '' : tripText(trips, trip.row)
  const words =
    mark === undefined
      ? ofTrip
      : `${mark.side === 'BUY' ? '▲ bought' : '▼ sold'} ${mark.text}, ${dateTime(mark.time)}; click to see why`
  if (bar === undefined || words !== '') return words
  const [open, high, low, close] = [bar.open, bar.high, bar.low, bar.close].map((price) =>
    price.toFixed(pricePrecision),
  )
  return `${dateTime(bar.time)}  O ${open}  H ${high}  L ${low}  C ${close}`
}

/** Text of the table of round trips. */
function tripText({ columns, rows }: PageTable, row: number): string {
  const cell = (key: string): string => rows[row]?.cells[columns.findIndex((column) => column.key === key)] ?? ''
  return `round trip ${row + 1}, ${cell('side')}: ${cell('profit')} (${cell('return')}); click to see why`
}

function selectOf(label: string, options: readonly (readonly [string, string])[]): HTMLSelectElement {
  const list = document.createElement('select')
  list.setAttribute('aria-label', label)
  list.append(...options.map(([value, text]) => el('option', { value }, text)))
  return list
}
