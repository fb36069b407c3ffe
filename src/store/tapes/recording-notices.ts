/** Notices about a recording in full sentences: rows left out, values rounded, data interpreted. */
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { formatUnits } from '../../domain/fixed-point.ts'
import type { DecimalColumn } from '../../import/csv/decimal-column.ts'
import { PLAIN_READING, type Reading } from '../../import/csv/reading.ts'
import type { RowIntake } from '../../import/csv/row-intake.ts'
import type { RowSink, RowTotals } from '../../import/csv/row-sink.ts'
import { spellingNotice } from '../../import/formats/symbols.ts'
import type { TapeSource } from '../../import/tape-source.ts'
import type { TapePass } from './tape-pass.ts'

/**
 * Notices about its format and its columns.
 *
 * @param symbol  symbol of the tape
 */
export function noticesOf(
  { symbol: given, precision }: TapeSource,
  { intake, reading }: TapePass,
  symbol: string,
): readonly string[] {
  const { plan, sink, leftOut } = intake
  const notices: string[] = []
  if (reading.dialect !== PLAIN_READING.dialect) notices.push(`Read as ${reading.dialect}.`)
  notices.push(...reading.notices)
  const ignored = plan?.ignored ?? []
  if (ignored.length > 0) notices.push(`These columns are not used: ${ignored.join(', ')}.`)
  notices.push(...symbolNotices(given, intake, reading, symbol))
  if (sink?.time.form === 'serial-days') notices.push('Times are spreadsheet day numbers.')
  if (sink?.time.isMixed === true)
    notices.push('The time unit changes within the file (milliseconds, microseconds or nanoseconds).')
  if (sink?.time.exact === false) notices.push('Times finer than a millisecond were rounded down.')
  if (intake.roundedCells > 0)
    notices.push(`${intake.roundedCells} values were rounded to ${String(precision)} decimals.`)
  for (const [what, count] of leftOut) notices.push(`Left out: ${what} (${count}).`)
  if (reading.isAnyOrder) notices.push('The rows were sorted by time.')
  return notices
}

function symbolNotices(
  given: string | undefined,
  { symbolCell }: RowIntake,
  { spelling }: Reading,
  symbol: string,
): readonly string[] {
  if (symbolCell === undefined) return given === undefined ? [`The market ${symbol} was taken from the file name.`] : []
  if (symbol === symbolCell) return []
  const isSpelled = given === undefined || spelling?.(symbolCell) === given
  if (isSpelled) return [spellingNotice(symbolCell, symbol)]
  return [`The symbol column says '${escapedExcerpt(symbolCell)}'; ${symbol} is used.`]
}

/** Notice about duplicate rows. */
export const duplicateNotice = (duplicates: number): readonly string[] =>
  duplicates === 0
    ? []
    : [`${duplicates} identical duplicate ${duplicates === 1 ? 'row was' : 'rows were'} counted once.`]

/** Notice about candles without trades. */
export function emptyNotice({ rows, emptyCandles }: RowTotals): readonly string[] {
  if (emptyCandles === 0 || emptyCandles === rows) return []
  const have = emptyCandles === 1 ? 'has' : 'have'
  const them = emptyCandles === 1 ? 'it' : 'them'
  return [`${emptyCandles} of ${rows} candles ${have} no volume: the market is assumed to be closed in ${them}.`]
}

/** Minimum of rows: with fewer, one finer row is not suspicious. */
const ROWS_THAT_TELL = 10

/**
 * Warns if a single row needs the finest decimals: one typing error makes every price, or every quantity, a thousand
 * times as fine.
 */
export function stepNotices(source: TapeSource, symbol: string, { rows, price, qty }: RowSink): readonly string[] {
  if (rows < ROWS_THAT_TELL) return []
  return [
    ...(source.pricePrecision === undefined ? stepNotice(source, price, `tick size of ${symbol}`, 'price') : []),
    ...(source.qtyPrecision === undefined ? stepNotice(source, qty, `lot size of ${symbol}`, 'qty') : []),
  ]
}

function stepNotice({ file }: TapeSource, column: DecimalColumn, what: string, value: string): readonly string[] {
  const { precision, rowsAtPrecision, finestLine } = column
  if (precision === 0 || rowsAtPrecision !== 1 || finestLine === undefined) return []
  const comes = `comes from one row (${file}:${finestLine})`
  return [`The ${what}, ${formatUnits(1, precision)}, ${comes}: pass \`--${value}-precision\` if that is a mistake.`]
}
