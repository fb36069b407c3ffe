/**
 * A market of a run as it is drawn: its candles, what was filled in it, how orders rested, what the strategy plotted,
 * and the position.
 *
 * Known limit: whether a plotted line belongs beside the prices is told by its values: where all lie within the prices
 * of the market, half to double, it does.
 */
import { toDecimal, type Decimal } from '../../domain/decimal.ts'
import { csvTable } from '../run/csv-table.ts'
import type { CandleColumns, FillMark, Line, MarketSeries, PlotLine, RestBand } from './page-data.ts'
import { foldedCandles } from './run-series.ts'
import { thinnedLine } from './thinned-line.ts'

const MOST_CANDLES = 8_000
const MOST_FILLS = 8_000
const MOST_RESTS = 4_000
const MOST_POINTS = 3_000
const MOST_PLOTTED = 4_000

export interface MarketFill {
  readonly symbol: string
  readonly time: number
  readonly side: 'BUY' | 'SELL'
  /** Decimal strings. */
  readonly price: string
  readonly qty: string
  readonly order: string
}

/** @param csv  fills.csv */
export const marketFills = (where: string, csv: string): readonly MarketFill[] =>
  Array.from(csvTable(where, csv), (row) => ({
    symbol: row('symbol'),
    time: Number(row('time_ms')),
    side: row('side') === 'BUY' ? 'BUY' : 'SELL',
    price: row('price'),
    qty: row('qty'),
    order: row('order_id'),
  }))

export interface MarketParts {
  readonly symbol: string
  readonly pricePrecision: number
  readonly candles: CandleColumns | null
  /** Of this market alone, oldest first. */
  readonly fills: readonly MarketFill[]
  readonly rests: readonly RestBand[]
  readonly plots: readonly PlotLine[]
}

export function marketSeries({ symbol, pricePrecision, candles, fills, rests, plots }: MarketParts): MarketSeries {
  const shown = every(fills, MOST_FILLS)
  return {
    symbol,
    pricePrecision,
    plots,
    candles: candles === null ? null : foldedCandles(candles, MOST_CANDLES),
    fills: shown.map(markOf),
    isThinned: shown.length < fills.length,
    rests: every(rests, MOST_RESTS),
    position: thinnedLine(positionOf(fills), MOST_POINTS),
  }
}

const markOf = ({ time, side, price, qty, order }: MarketFill): FillMark => ({
  time,
  side,
  order,
  price: Number(price),
  text: `${qty} at ${price}`,
})

/** At most so many, evenly taken; the last is among them. */
function every<T>(items: readonly T[], most: number): readonly T[] {
  if (items.length <= most) return items
  return Array.from({ length: most }, (_, index) => items[Math.floor(((index + 1) * items.length) / most) - 1]).filter(
    (item): item is T => item !== undefined,
  )
}

/** After the last fill of each moment. */
function positionOf(fills: readonly MarketFill[]): Line {
  const times: number[] = []
  const values: number[] = []
  let position: Decimal = toDecimal(0)
  for (const { time, side, qty } of fills) {
    position = side === 'BUY' ? position.plus(qty) : position.minus(qty)
    if (times.at(-1) !== time) times.push(time)
    values[times.length - 1] = position.toNumber()
  }
  return { times, values }
}

/** @param csv  plots.csv @returns by name, in the order of their first values */
export function plottedLines(where: string, csv: string): ReadonlyMap<string, Line> {
  const lines = new Map<string, { readonly times: number[]; readonly values: number[] }>()
  for (const row of csvTable(where, csv)) {
    const line = lines.get(row('name')) ?? { times: [], values: [] }
    lines.set(row('name'), line)
    line.times.push(Number(row('time')))
    line.values.push(Number(row('value')))
  }
  return lines
}

/** @param lines  plotted in a run @param markets  their candles, in their order @returns the lines of each market */
export function plotsOf(
  lines: ReadonlyMap<string, Line>,
  markets: readonly (CandleColumns | null)[],
): readonly (readonly PlotLine[])[] {
  const plots: PlotLine[][] = markets.map(() => [])
  for (const [name, line] of lines) {
    const beside = markets.findIndex((candles) => candles !== null && isAmong(line, candles))
    plots[Math.max(0, beside)]?.push({ name, isPrice: beside !== -1, line: thinnedLine(line, MOST_PLOTTED) })
  }
  return plots
}

function isAmong({ values }: Line, { low, high }: CandleColumns): boolean {
  const lowest = low.reduce((least, price) => Math.min(least, price), Infinity) / 2
  const highest = high.reduce((most, price) => Math.max(most, price), 0) * 2
  return values.length > 0 && values.every((value) => value !== null && value >= lowest && value <= highest)
}
