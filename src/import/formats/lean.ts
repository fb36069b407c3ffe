/**
 * Files of LEAN: times count from midnight of the day in the file name; those of equities are in New York time, with
 * prices in units of 0.0001.
 */
import { DAY_MS } from '../../domain/time.ts'
import type { Columns, Source } from './columns.ts'
import { areCandles, isInteger, isPositive } from './cell-kinds.ts'
import { dateForm } from './date-forms.ts'
import { newYorkAheadMs } from './new-york.ts'

type Rows = readonly (readonly string[])[]

/** Bar and tick files without a header. @param name  of the file, and of its entry in an archive */
export function leanColumns(name: string, rows: Rows, asked: string | undefined): readonly Columns[] {
  const [first] = rows
  if (first === undefined) return []
  const day = dayOf(name)
  const isTick = day !== undefined && isTicks(rows)
  const isBars = first.length === 6 && (day !== undefined ? isOfDay(rows) : isDated(rows))
  if (!isTick && !isBars) return []
  const prices = isTick ? [1] : [1, 2, 3, 4]
  const isWhole = rows.every((row) => prices.every((at) => isInteger(row[at] ?? '')))
  const kinds = asked === 'lean-equity' ? ['equity'] : asked === 'lean-crypto' ? ['crypto'] : isTick ? ['equity'] : isWhole ? ['crypto', 'equity'] : ['crypto'] // prettier-ignore
  return kinds.map((kind) => columnsOf(kind === 'equity', isTick, day))
}

/** `20161007_btcusd_minute_trade.csv`, or `btcusd_20161007_trade.zip`. */
function dayOf(name: string): string | undefined {
  const day = /(?:^|[/!_])((?:19|20)\d{6})_(?:\w+_(?:tick|second|minute)_trade|trade)/i.exec(name)?.[1]
  return day === undefined ? undefined : `${day.slice(0, 4)}-${day.slice(4, 6)}-${day.slice(6)}`
}

const isMoment = (text: string | undefined): boolean => isInteger(text ?? '') && Number(text) < DAY_MS

const isOfDay = (rows: Rows): boolean =>
  rows.every((row) => isMoment(row[0])) && areCandles(rows.map((row) => [row[1], row[2], row[3], row[4]]))

const isDated = (rows: Rows): boolean =>
  rows.every((row) => /^\d{8} \d\d:\d\d$/.test(row[0] ?? '')) &&
  areCandles(rows.map((row) => [row[1], row[2], row[3], row[4]]))

/** Time, price, quantity, exchange, conditions in hex, and whether it is suspicious. */
const isTicks = (rows: Rows): boolean =>
  rows.every(
    (row) =>
      row.length >= 5 &&
      isMoment(row[0]) &&
      isPositive(row[1] ?? '') &&
      /^[A-Za-z ]*$/.test(row[3] ?? '0') &&
      /^[0-9A-Fa-f]*$/.test(row[4] ?? '-'),
  )

function columnsOf(isEquity: boolean, isTick: boolean, day: string | undefined): Columns {
  const price = isEquity ? tenThousandths : undefined
  const time: Source = { field: 'time', column: 0, edit: timeEdit(isEquity, day) }
  const bars = (['open', 'high', 'low', 'close'] as const).map((field, at) => ({ field, column: at + 1, edit: price }))
  const sources: readonly Source[] = isTick
    ? [
        time,
        { field: 'price', column: 1, edit: price },
        { field: 'qty', column: 2 },
        { field: 'exchange', column: 3 },
        { field: 'conditions', column: 4 },
      ]
    : [time, ...bars, { field: 'volume', column: 5 }]
  return {
    dialect: isTick ? 'LEAN ticks of shares' : isEquity ? 'LEAN bars of shares' : 'LEAN bars',
    kind: isTick ? 'trades' : 'candles',
    hasHeader: false,
    sources,
    width: 6,
    notices: isEquity ? ['Times are of New York, and prices in units of 0.0001.'] : [],
  }
}

function timeEdit(isEquity: boolean, day: string | undefined): (text: string) => string {
  if (day !== undefined) {
    const midnight = Date.parse(`${day}T00:00:00Z`) - (isEquity ? newYorkAheadMs(`${day}T12:00:00Z`) : 0)
    return (text) => (isInteger(text) ? new Date(midnight + Number(text)).toISOString() : text)
  }
  return (text) => {
    const form = dateForm([text])
    const iso = typeof form === 'function' ? form(text) : undefined
    if (iso === undefined) return text
    return isEquity ? new Date(Date.parse(`${iso}Z`) - newYorkAheadMs(`${iso}Z`)).toISOString() : iso
  }
}

const DIGITS = 4

function tenThousandths(text: string): string {
  if (!isInteger(text)) return text
  const digits = text.padStart(DIGITS + 1, '0')
  return `${digits.slice(0, -DIGITS)}.${digits.slice(-DIGITS)}`
}
