/** The series of a run from its files, as numbers to draw. */
import { monthsOf } from '../../domain/calendar.ts'
import { WEEK_MS } from '../../domain/time.ts'
import { csvTable } from '../run/csv-table.ts'
import type { CandleColumns, Line } from './page-data.ts'

/** @param text  of equity.csv or of periods.csv */
export function equityLine(where: string, text: string): Line {
  const times: number[] = []
  const values: (number | null)[] = []
  for (const row of csvTable(where, text)) {
    times.push(Number(row('time_ms')))
    values.push(numberOrNull(row('equity')))
  }
  return { times, values }
}

/** @returns by symbol */
export function candlesBySymbol(where: string, text: string): ReadonlyMap<string, CandleColumns> {
  const markets = new Map<string, Columns>()
  for (const row of csvTable(where, text)) {
    const symbol = row('symbol')
    const columns = markets.get(symbol) ?? drawnColumns(Number(row('interval_ms')))
    markets.set(symbol, columns)
    columns.times.push(Number(row('time_ms')))
    for (const name of PRICES) columns[name].push(Number(row(name)))
    columns.volume.push(Number(row('volume')))
  }
  return markets
}

/** Charts have bars of a fixed length: a month is the bar of the week in which it opens. */
const drawnColumns = (intervalMs: number): Columns =>
  monthsOf(intervalMs) === undefined ? emptyColumns(intervalMs) : { ...emptyColumns(WEEK_MS), lengthMs: intervalMs }

const PRICES = ['open', 'high', 'low', 'close'] as const

type Columns = Pick<CandleColumns, 'intervalMs' | 'lengthMs'> &
  Readonly<Record<Exclude<keyof CandleColumns, 'intervalMs' | 'lengthMs'>, number[]>>

const emptyColumns = (intervalMs: number): Columns => ({
  intervalMs,
  times: [],
  open: [],
  high: [],
  low: [],
  close: [],
  volume: [],
})

/**
 * Merges candles into longer ones if there are too many for a page.
 *
 * @param most  maximum number of candles, 1 or more
 */
export function foldedCandles(candles: CandleColumns, most: number): CandleColumns {
  const count = candles.times.length
  if (count <= most) return candles
  const times = Math.ceil(count / most)
  const intervalMs = candles.intervalMs * times
  const folded = emptyColumns(intervalMs)
  candles.times.forEach((time, index) => {
    addTo(folded, Math.floor(time / intervalMs) * intervalMs, candles, index)
  })
  return folded.times.length <= most ? folded : foldedCandles(folded, most)
}

function addTo(folded: Columns, start: number, { open, high, low, close, volume }: CandleColumns, index: number): void {
  const last = folded.times.length - 1
  if (folded.times[last] !== start) {
    folded.times.push(start)
    folded.open.push(open[index] ?? 0)
    folded.high.push(high[index] ?? 0)
    folded.low.push(low[index] ?? 0)
    folded.close.push(close[index] ?? 0)
    folded.volume.push(volume[index] ?? 0)
    return
  }
  folded.high[last] = Math.max(folded.high[last] ?? 0, high[index] ?? 0)
  folded.low[last] = Math.min(folded.low[last] ?? 0, low[index] ?? 0)
  folded.close[last] = close[index] ?? 0
  folded.volume[last] = (folded.volume[last] ?? 0) + (volume[index] ?? 0)
}

export const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))
