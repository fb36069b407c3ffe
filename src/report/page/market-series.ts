/**
 * Chart data of a market: candles, fills, resting orders and plotted lines.
 *
 * Known limit: a plotted line is drawn over the prices only if all its values are between half the lowest and twice the
 * highest price.
 */
import { csvTable } from '../run/csv-table.ts'
import type { CandleColumns, CandleDetail, FillColumns, Line, MarketSeries, PlotLine, RestBand } from './page-data.ts'

const MAX_RESTS = 20_000

/** @param csv  fills.csv @returns by symbol */
export function fillsBySymbol(where: string, csv: string): ReadonlyMap<string, FillColumns> {
  const markets = new Map<string, Columns>()
  for (const row of csvTable(where, csv)) {
    const columns = markets.get(row('symbol')) ?? { times: [], sides: [], prices: [], qtys: [], orders: [] }
    markets.set(row('symbol'), columns)
    columns.times.push(Number(row('time_ms')))
    columns.sides.push(row('side') === 'BUY' ? 'BUY' : 'SELL')
    columns.prices.push(row('price'))
    columns.qtys.push(row('qty'))
    columns.orders.push(row('order_id'))
  }
  return new Map(Array.from(markets, ([symbol, columns]) => [symbol, ordered(columns)]))
}

/** Fills of a session that became known late are written late. */
function ordered(fills: FillColumns): FillColumns {
  const { times, sides, prices, qtys, orders } = fills
  if (times.every((time, index) => index === 0 || time >= (times[index - 1] ?? 0))) return fills
  const indices = times.map((_, index) => index).sort((a, b) => (times[a] ?? 0) - (times[b] ?? 0))
  const sorted = <T>(column: readonly T[]): readonly T[] =>
    indices.map((index) => column[index]).filter((value) => value !== undefined)
  return {
    times: sorted(times),
    sides: sorted(sides),
    prices: sorted(prices),
    qtys: sorted(qtys),
    orders: sorted(orders),
  }
}

type Columns = { [Name in keyof FillColumns]: FillColumns[Name][number][] }

const NO_FILLS: FillColumns = { times: [], sides: [], prices: [], qtys: [], orders: [] }

export interface MarketParts {
  readonly symbol: string
  readonly pricePrecision: number
  readonly candles: CandleColumns | null
  readonly detail: CandleDetail | null
  readonly depth: number | null
  readonly initialQty: string
  readonly fills: FillColumns | undefined
  readonly rests: readonly RestBand[]
  readonly plots: readonly PlotLine[]
}

export function marketSeries({ fills = NO_FILLS, rests, ...parts }: MarketParts): MarketSeries {
  return { ...parts, fills, rests: every(rests, MAX_RESTS), isThinned: rests.length > MAX_RESTS }
}

/** At most `most` items, evenly spaced, including the last. */
function every<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor(((index + 1) * items.length) / most) - 1]).filter(
    (item): item is T => item !== undefined,
  )
}

/**
 * @param lines    all lines of a run
 * @param markets  candles per market
 * @returns        the lines to draw for each market
 */
export function plotsOf(
  lines: ReadonlyMap<string, Line>,
  markets: readonly (CandleColumns | null)[],
): readonly (readonly PlotLine[])[] {
  const plots: PlotLine[][] = markets.map(() => [])
  for (const [name, line] of lines) {
    const beside = markets.findIndex((candles) => candles !== null && isAmong(line, candles))
    plots[Math.max(0, beside)]?.push({ name, isPrice: beside !== -1, line })
  }
  return plots
}

function isAmong({ values }: Line, { low, high }: CandleColumns): boolean {
  const lowest = low.reduce((least, price) => Math.min(least, price), Infinity) / 2
  const highest = high.reduce((most, price) => Math.max(most, price), 0) * 2
  return values.length > 0 && values.every((value) => value !== null && value >= lowest && value <= highest)
}
