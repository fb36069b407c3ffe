/** The series of a run from its files, as numbers to draw. */
import { monthsOf } from '../../domain/calendar.ts'
import { InputError } from '../../domain/errors.ts'
import { WEEK_MS } from '../../domain/time.ts'
import { csvTable } from '../run/csv-table.ts'
import type { CandleColumns, CandleDetail, Line } from './page-data.ts'

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

/**
 * All candles of each market, from candle-blocks.csv.
 *
 * @param details  of the document, to which the blocks of each market are added
 * @returns by symbol
 */
export function candleDetails(where: string, text: string, details: string[]): ReadonlyMap<string, CandleDetail> {
  const found = new Map<
    string,
    Omit<CandleDetail, 'index'> & { blocks: string[]; from: number[]; to: number[]; counts: number[] }
  >()
  for (const row of csvTable(where, text)) {
    const market = found.get(row('symbol')) ?? {
      intervalMs: Number(row('interval_ms')),
      priceDecimals: Number(row('price_decimals')),
      qtyDecimals: Number(row('qty_decimals')),
      blocks: [],
      from: [],
      to: [],
      counts: [],
    }
    found.set(row('symbol'), market)
    market.from.push(Number(row('from_ms')))
    market.to.push(Number(row('to_ms')))
    market.counts.push(Number(row('candles')))
    const block = row('block')
    if (!/^[A-Za-z0-9+/=]+$/.test(block))
      throw new InputError(where, `a block of candles of ${row('symbol')} is no base64`)
    market.blocks.push(block)
  }
  return new Map(
    Array.from(found, ([symbol, { blocks, ...detail }]) => [
      symbol,
      { ...detail, index: details.push(blocks.join('\n')) - 1 },
    ]),
  )
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

export const numberOrNull = (text: string): number | null => (text === '' ? null : Number(text))
