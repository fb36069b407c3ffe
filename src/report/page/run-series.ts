/** The series of a run from its files, as numbers to draw. */
import { InputError } from '../../domain/errors.ts'
import { BLOCK_ROWS, isCandleBlock } from '../run/candle-blocks.ts'
import { csvTable, type TableRow } from '../run/csv-table.ts'
import type { CandleColumns, CandleDetail, Line } from './page-data.ts'

/** @param text  of equity.csv or of periods.csv */
export const equityLine = (where: string, text: string): Line => lineOf(where, text, () => 1)

/** The same without what transfers between strategies of a wallet brought: its changes are returns. */
export const growthLine = (where: string, text: string): Line =>
  lineOf(where, text, (row) => numberOrNull(row('factor')) ?? 1)

function lineOf(where: string, text: string, factorOf: (row: TableRow) => number): Line {
  const times: number[] = []
  const values: (number | null)[] = []
  for (const row of csvTable(where, text)) {
    const value = numberOrNull(row('equity'))
    times.push(Number(row('time_ms')))
    values.push(value === null ? null : value * factorOf(row))
  }
  return { times, values }
}

/** @returns by symbol */
export function candlesBySymbol(where: string, text: string): ReadonlyMap<string, CandleColumns> {
  const markets = new Map<string, Columns>()
  for (const row of csvTable(where, text)) {
    const symbol = row('symbol')
    const columns = markets.get(symbol) ?? emptyColumns(Number(row('interval_ms')))
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
    const { symbol, from, to, count, block, ...form } = blockOf(where, row)
    const market = found.get(symbol) ?? { ...form, blocks: [], from: [], to: [], counts: [] }
    const { intervalMs, priceDecimals, qtyDecimals } = market
    const isOne = intervalMs === form.intervalMs && priceDecimals === form.priceDecimals
    if (!isOne || qtyDecimals !== form.qtyDecimals) throw damaged(where, symbol)
    found.set(symbol, market)
    market.from.push(from)
    market.to.push(to)
    market.counts.push(count)
    market.blocks.push(block)
  }
  return new Map(
    Array.from(found, ([symbol, { blocks, ...detail }]) => [
      symbol,
      { ...detail, index: details.push(blocks.join('\n')) - 1 },
    ]),
  )
}

const damaged = (where: string, symbol: string): InputError =>
  new InputError(where, `a block of candles of ${symbol} is damaged`)

/** A row of candle-blocks.csv, checked. */
function blockOf(where: string, row: (name: string) => string) {
  const symbol = row('symbol')
  const whole = (name: string, least: number): number => {
    const value = /^-?\d+$/.test(row(name)) ? Number(row(name)) : Number.NaN
    if (Number.isSafeInteger(value) && value >= least) return value
    throw damaged(where, symbol)
  }
  const [from, to, count] = [whole('from_ms', -Infinity), whole('to_ms', -Infinity), whole('candles', 1)]
  const block = row('block')
  if (from > to || count > BLOCK_ROWS || !isCandleBlock(block, count)) throw damaged(where, symbol)
  const [priceDecimals, qtyDecimals] = [whole('price_decimals', 0), whole('qty_decimals', 0)]
  return { symbol, from, to, count, block, intervalMs: whole('interval_ms', 1), priceDecimals, qtyDecimals }
}

const PRICES = ['open', 'high', 'low', 'close'] as const

type Columns = Pick<CandleColumns, 'intervalMs'> &
  Readonly<Record<Exclude<keyof CandleColumns, 'intervalMs'>, number[]>>

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
