/**
 * Everything of one run below its verdict: charts, maps, tables, and how it was run. What is picked in a table moves
 * the charts.
 */
import type { PageRow, PageRun, PageTable } from '../../src/report/page/page-data.ts'
import { el } from '../parts/dom.ts'
import { dateTime } from '../parts/words.ts'
import { accountSection } from './account-section.ts'
import { DataTable, type RowActions } from './data-table.ts'
import { histogram, scatter, type Dot } from './distribution.ts'
import { figureGroups } from './figures.ts'
import { hourMap, monthMap } from './heat-map.ts'
import { marketSection } from './market-section.ts'
import { durationReaderOf, durationUnit, extentOf } from './numbers.ts'
import { linkView } from './page-link.ts'
import { rollingSection } from './rolling-section.ts'
import { part, section } from './section.ts'
import { setupSection } from './setup-section.ts'
import { explainOrder, explainTrip } from './side-panel.ts'
import { TimeRange } from './time-range.ts'
import { isScaleName, SCALES, ValueScale } from './value-scale.ts'

/** Candles of the data to see on either side of what was picked. */
const AROUND = 25

export function runView(run: PageRun, hasFigures: boolean): readonly HTMLElement[] {
  // Two candles at least, so that one is whole.
  const candleMs = run.markets.flatMap(({ candles, detail }) => detail?.intervalMs ?? candles?.intervalMs ?? [])
  const range = new TimeRange(spanOf(run), candleMs.length === 0 ? 0 : 2 * Math.min(...candleMs))
  const scale = new ValueScale()
  let shown = ''
  const market = marketSection(run, range, scale, {
    onMarket: (symbol) => {
      shown = symbol
      link?.()
    },
    onFill: ({ order }) => {
      orders.reveal(rowOfOrder(run, order))
      explainOrder(run, order)
    },
    onTrip: ({ row }) => whyOfTrip(row),
  })
  const charts = el(
    'div',
    { class: 'charts', id: 'charts' },
    timeBar(range, scale),
    accountSection(run, range, scale),
    market.element,
    ...rollingSection(run, range),
  )
  // Of several runs, each has ranges of its own, which one address cannot have.
  const link = hasFigures
    ? linkView({ range, scale, market: () => (run.markets.length > 1 ? shown : ''), showMarket: market.show })
    : undefined
  const jump = ({ symbol, from, to }: NonNullable<PageRow['at']>): void => {
    market.show(symbol)
    const { candles, detail } = run.markets.find((each) => each.symbol === symbol) ?? {}
    const candleMs = detail?.intervalMs ?? candles?.intervalMs ?? 1_000
    // Seconds without a trade have no candle.
    const count = detail?.counts.reduce((sum, each) => sum + each, 0) ?? candles?.times.length ?? 0
    const everyMs = count === 0 ? candleMs : (range.whole.to - range.whole.from) / count
    range.jump({ from, to }, AROUND * Math.max(candleMs, everyMs))
    const isStill = matchMedia('(prefers-reduced-motion: reduce)').matches
    market.element.scrollIntoView({ behavior: isStill ? 'auto' : 'smooth', block: 'start' })
  }
  const jumpToTrip = (row: number): void => {
    const at = run.trips.rows[row]?.at
    if (at === undefined) return
    jump(at)
    market.pick(row)
  }
  const whyOfTrip = (row: number): void => {
    trips.reveal(row)
    market.pick(row)
    explainTrip(run, row)
  }
  const actions: RowActions = { onJump: jump, onExplain: (key) => explainOrder(run, key) }
  const trips = new DataTable(run.trips, 'Round trips', { onJump: (_, row) => jumpToTrip(row), onWhy: whyOfTrip })
  const orders = new DataTable(run.orders, 'Orders and refusals', actions)
  return [
    charts,
    ...(run.strategies.rows.length > 0
      ? [section('strategies', 'Strategies', [], new DataTable(run.strategies, 'Strategies').element)]
      : []),
    returnsSection(run, jump, jumpToTrip),
    ...(hasFigures ? [section('figures', 'Figures', [], figureGroups(run.figures))] : []),
    ...groupsSection(run),
    section('trips', 'Round trips', [], trips.element),
    section('orders', 'Orders and refusals', [], orders.element),
    ...(run.notes.rows.length > 0
      ? [section('notes', 'Notes', [], new DataTable(run.notes, 'Notes', actions).element)]
      : []),
    costSection(run),
    setupSection(run),
  ]
}

/** Row of the table of orders. */
function rowOfOrder({ orders: { columns, rows } }: PageRun, key: string): number {
  const column = columns.findIndex((each) => each.key === 'id')
  return rows.findIndex(({ cells }) => cells[column] === key)
}

/** From the first to the last that is drawn of it. */
function spanOf({ account, markets }: PageRun): { readonly from: number; readonly to: number } {
  const lines = [account.equity.times, ...markets.flatMap(({ candles, fills }) => [candles?.times ?? [], fills.times])]
  const [from, to] = extentOf(lines.flatMap((times) => [times[0] ?? null, times.at(-1) ?? null]))
  return { from, to: Math.max(from + 1, to) }
}

function timeBar(range: TimeRange, scale: ValueScale): HTMLElement {
  const text = el('span', { class: 'number', id: 'range' })
  const button = (name: string, label: string, act: () => void): HTMLElement => {
    const element = el('button', { type: 'button', class: 'small', 'aria-label': label }, name)
    element.addEventListener('click', act)
    return element
  }
  const scales = document.createElement('select')
  scales.setAttribute('aria-label', 'Scale of equity and prices')
  scales.append(...SCALES.map(([value, name]) => el('option', { value }, name)))
  scales.addEventListener('change', () => {
    if (isScaleName(scales.value)) scale.choose(scales.value)
  })
  scale.follow((name) => {
    scales.value = name
  })
  const all = button('Whole run', 'Show the whole run', () => range.showAll())
  range.follow(({ from, to }) => {
    text.textContent = `${dateTime(from).slice(0, 16)} – ${dateTime(to).slice(0, 16)} UTC`
    all.toggleAttribute('disabled', range.isWhole)
  })
  return el(
    'div',
    { class: 'time-bar', role: 'group', 'aria-label': 'Time range of the charts' },
    text,
    scales,
    button('←', 'Earlier', () => range.move(-0.4)),
    button('→', 'Later', () => range.move(0.4)),
    button('+', 'Zoom in', () => range.zoom(0.5)),
    button('−', 'Zoom out', () => range.zoom(2)),
    all,
  )
}

function returnsSection(
  { account, months, years, hours, returns, trips, drawdowns }: PageRun,
  jump: (at: NonNullable<PageRow['at']>) => void,
  onPick: (row: number) => void,
): HTMLElement {
  const values = columnOf(trips, 'return').filter((value) => value !== null)
  const dots = (key: string): readonly Dot[] => {
    const [xs, ys] = [columnOf(trips, key), columnOf(trips, 'return')]
    return xs.flatMap((x, row) => {
      const y = ys[row] ?? null
      return x === null || y === null ? [] : [{ x, y, row }]
    })
  }
  const spreads = [
    ...(returns.length > 0 ? [histogram('Returns per period', returns)] : []),
    ...(values.length > 0 ? [histogram('Returns per round trip', values)] : []),
    ...[
      { key: 'mae', name: 'Return and maximum adverse excursion (MAE)', axis: 'MAE' },
      { key: 'mfe', name: 'Return and maximum favourable excursion (MFE)', axis: 'MFE' },
      {
        key: 'closed_at',
        name: 'Return and holding time',
        axis: 'held',
        readerX: durationReaderOf,
        unitX: durationUnit,
      },
    ].flatMap(({ key, axis, ...setup }) =>
      dots(key).length > 0 ? [scatter({ ...setup, axes: [axis, 'return'], dots: dots(key), onPick })] : [],
    ),
  ]
  const maps = [
    ...(months.length > 0 ? [part(`Return by month, with ${account.benchmark}`, monthMap(months, years))] : []),
    ...(hours.length > 0
      ? [
          part(
            hours.some(({ hour }) => hour !== null)
              ? 'Mean return by weekday and hour, in bps'
              : 'Mean return by weekday',
            hourMap(hours),
          ),
        ]
      : []),
  ]
  const worst = new DataTable(drawdowns, 'Worst drawdowns', { onJump: jump })
  const fallen = drawdowns.rows.length > 0 ? [part('Worst drawdowns', worst.element)] : []
  const content = [...fallen, ...maps, ...(spreads.length > 0 ? [el('div', { class: 'spreads' }, ...spreads)] : [])]
  const nothing = el('p', { class: 'quiet' }, 'The run is too short for a breakdown of its returns.')
  return section('returns', 'Returns', [], ...(content.length > 0 ? content : [nothing]))
}

/** One of the groupings at a time. */
function groupsSection({ tripGroups }: PageRun): readonly HTMLElement[] {
  const place = el('div')
  const buttons = tripGroups.map(({ name, table }) => {
    const button = el('button', { type: 'button', class: 'small', 'aria-pressed': 'false' }, name)
    button.addEventListener('click', () => {
      for (const each of buttons) each.setAttribute('aria-pressed', String(each === button))
      place.replaceChildren(new DataTable(table, `Profit by ${name.toLowerCase()}`).element)
    })
    return button
  })
  buttons[0]?.click()
  const tabs = el('div', { class: 'tabs', role: 'group', 'aria-label': 'Profit by' }, ...buttons)
  const note = el('span', { class: 'quiet' }, 'by when a trip was opened, in UTC')
  return buttons.length === 0 ? [] : [section('groups', 'Profit by', [tabs, note], place)]
}

function columnOf({ columns, rows }: PageTable, key: string): readonly (number | null)[] {
  const column = columns.findIndex((each) => each.key === key)
  return column < 0 ? [] : rows.map(({ order }) => order[column] ?? null)
}

function costSection({ markouts, fees, holdings }: PageRun): HTMLElement {
  const table = (name: string, rows: PageTable): HTMLElement => part(name, new DataTable(rows, name).element)
  const beside = el('div', { class: 'columns wide' }, table('Fees', fees), table('Final holdings', holdings))
  return section('costs', 'Costs and holdings', [], table('Markouts', markouts), beside)
}
