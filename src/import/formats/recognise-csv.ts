/**
 * Detects how to read a delimited file: by its header, or by the shape of its rows.
 *
 * The detected format is always reported, and if two formats would read a row differently, the user must choose.
 */
import { InputError } from '../../domain/errors.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { DAY_MS } from '../../domain/time.ts'
import { type ColumnPlan, looksLikeData, planColumns } from '../csv/column-plan.ts'
import { type Field, FIELDS_OF } from '../csv/field.ts'
import { PLAIN_READING, type Reading } from '../csv/reading.ts'
import type { TapeSource } from '../tape-source.ts'
import { areCandles, areUnixTimes, isInteger, isPositive, NUMBERS } from './cell-kinds.ts'
import { type Columns, readingOf, type Source } from './columns.ts'
import { COLLECTOR, columnsOfHeader, NO_VALUE, ownDialect, WHOLE_FLOAT } from './csv-headers.ts'
import { csvSample, type CsvSample } from './csv-sample.ts'
import { columnsOfShape } from './headerless-formats.ts'
import { dateForm } from './date-forms.ts'
import { bareHeader, isNameOf } from './header-names.ts'
import { newYorkAheadMs } from './new-york.ts'
import { symbolOf, symbolOfFileName, wantedMarket } from './symbols.ts'

/** The format of such a file; undefined for another. */
function plannedAsIs(file: string, { records }: CsvSample, header: readonly string[]): string | undefined {
  const plan = planOf(file, header)
  if (plan === undefined) return undefined
  const rows = records.slice(1).filter((row) => row.length === header.length)
  const textsOf = (field: Field): readonly string[] => {
    const at = plan.fields.indexOf(field)
    return at < 0 ? [] : rows.map((row) => row[at] ?? '')
  }
  const own = ownDialect(header, plan.kind)
  const hasOwnOrder = own === 'Yahoo candles' || own === COLLECTOR
  if (hasOwnOrder || hasOddTimes(plan, textsOf('time')) || hasOddCells(textsOf)) return undefined
  return reportsMore(header, plan, rows) ? undefined : (own ?? PLAIN_READING.dialect)
}

function planOf(file: string, header: readonly string[]): ColumnPlan | undefined {
  try {
    return planColumns(file, header, undefined)
  } catch (error) {
    if (error instanceof InputError) return undefined
    throw error
  }
}

/**
 * True for times in an unusual format, or candles with equal open times. A time in no known format is reported with its
 * line when it is read.
 */
function hasOddTimes({ kind }: ColumnPlan, times: readonly string[]): boolean {
  const form = dateForm(times)
  const areIso = times.every((time) => parseIsoTime(time) !== undefined)
  const areKnown = times.every((time) => isInteger(time) || /^\d+\.\d+$/.test(time) || parseIsoTime(time) !== undefined)
  if (typeof form === 'function' && !areIso && !areUnixTimes(times)) return true
  if (!areKnown && form !== undefined) return true
  if (times.some((time) => WHOLE_FLOAT.test(time))) return true
  return kind === 'candles' && times.some((time, at) => at > 0 && time === times[at - 1])
}

function hasOddCells(textsOf: (field: Field) => readonly string[]): boolean {
  const prices: readonly Field[] = ['open', 'high', 'low', 'close']
  return (
    textsOf('qty').some((qty) => qty.startsWith('-')) ||
    textsOf('volume').some((text) => text !== '' && NO_VALUE.test(text)) ||
    textsOf('side').some((side) => !/^(?:buy|sell|b|s|unknown)$/i.test(side)) ||
    prices.some((field) => textsOf(field).some((text) => NO_VALUE.test(text))) ||
    NUMBERS.some((field) => textsOf(field).some((text) => text.includes(',')))
  )
}

/** A column that the names of the specification leave out holds a field all the same. */
function reportsMore(header: readonly string[], { kind, fields }: ColumnPlan, rows: Rows): boolean {
  const missing = FIELDS_OF[kind].filter((field) => !fields.includes(field))
  const hasSide = SIDES.some((field) => fields.includes(field))
  const areSides = (at: number): boolean =>
    rows.length > 0 && rows.every((row) => /^(?:buy|sell|bid|ask|b|s)$/i.test(row[at] ?? ''))
  return header.some((name, at) => {
    if (fields[at] !== undefined) return false
    const bare = bareHeader(name)
    if (bare === 'type') return kind === 'trades' && !hasSide && areSides(at)
    return missing.some((field) => !(hasSide && SIDES.includes(field)) && isNameOf(field, bare))
  })
}

const SIDES: readonly Field[] = ['side', 'is_buyer_maker']

type Rows = readonly (readonly string[])[]

/** Bar and tick files without a header. @param name  of the file, and of its entry in an archive */
function leanColumns(name: string, rows: Rows, asked: string | undefined): readonly Columns[] {
  const [first] = rows
  if (first === undefined) return []
  const day = dayOf(name)
  const isTick = day !== undefined && isTicks(rows)
  const isBars = first.length === 6 && (day !== undefined ? isOfDay(rows) : isDated(rows))
  if (!isTick && !isBars) return []
  const prices = isTick ? [1] : [1, 2, 3, 4]
  const isWhole = rows.every((row) => prices.every((at) => isInteger(row[at] ?? '')))
  const kinds =
    asked === 'lean-equity'
      ? ['equity']
      : asked === 'lean-crypto'
        ? ['crypto']
        : isTick
          ? ['equity']
          : isWhole
            ? ['crypto', 'equity']
            : ['crypto']
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

/** Name of a format for `--dialect`: lower case, with dashes. */
export const dialectName = (dialect: string): string =>
  dialect
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replace(/-$/, '')

/**
 * @param text  first lines of the file, complete, without byte order mark
 * @param name  of the file, and of its entry in an archive
 * @throws {InputError} naming the first line, if no format fits or several do
 */
export function recogniseCsv(source: TapeSource, text: string, name: string): Reading {
  const sample = csvSample(text)
  const reading = recognised(source, sample, name)
  const reported = reading.symbol ?? symbolOfFileName(name)
  return {
    ...reading,
    notices: [...reading.notices, ...adjustedNotice(sample)],
    isAnyOrder: reading.isAnyOrder || source.sort === true,
    symbol: reported,
    isSymbol: wantedMarket(source, marketsIn(sample, reading)),
  }
}

/** Difference from which on a notice is given. */
const ADJUSTED_SHARE = 0.001

/** Notice about an additional close column that is adjusted for splits and dividends. */
function adjustedNotice({ records }: CsvSample): readonly string[] {
  const [header = [], ...rows] = records
  const bare = header.map(bareHeader)
  const [adjusted, close] = [bare.findIndex((name) => /^adj(?:usted)?_?close$/.test(name)), bare.indexOf('close')]
  if (adjusted < 0 || close < 0) return []
  const shares = rows.flatMap((row) => {
    const share = Math.abs(Number(row[adjusted]) / Number(row[close]) - 1)
    return share > ADJUSTED_SHARE ? [share] : []
  })
  if (shares.length === 0) return []
  const most = (Math.max(...shares) * 100).toFixed(1)
  return [
    `${header[adjusted] ?? ''} differs from ${header[close] ?? ''} by up to ${most} %: the prices in use are not adjusted for splits and dividends.`,
  ]
}

function recognised(source: TapeSource, sample: CsvSample, name: string): Reading {
  const { columns, file } = source
  const frame = { ...sample, delimiter: sample.delimiter.charCodeAt(0) }
  const { skippedLines, hasBlanks } = sample
  const plain: Reading = { ...PLAIN_READING, delimiter: frame.delimiter, skippedLines, hasBlanks }
  const [first] = sample.records
  if (columns !== undefined || first === undefined) return plain
  const place = `${file}:${skippedLines + 1}`
  if (!isHeader(first)) return recognisedShape(source, sample, name, place) ?? plain
  const stacked = stackedHeader(sample)
  if (stacked !== undefined) return stacked
  const planned = plannedAsIs(file, sample, first)
  if (planned !== undefined) return { ...plain, dialect: planned, spelling: symbolOf }
  const isDayFirst = source.dateOrder === undefined ? undefined : source.dateOrder === 'day'
  const rows = sample.records.slice(1).filter((row) => row.length === first.length)
  const found = columnsOfHeader({ header: first, rows, isDayFirst })
  if (typeof found === 'string') throw new InputError(place, found)
  if (found === undefined) return plain
  return readingOf(found, sample)
}

const isHeader = (cells: readonly string[]): boolean =>
  !cells.some((cell) => looksLikeData(cell) || typeof dateForm([cell]) === 'function')

/** Three header lines, as written by newer versions of yfinance: field, ticker, and `Date`. */
function stackedHeader(sample: CsvSample): Reading | undefined {
  const [first = [], second = [], third = []] = sample.records
  if (first[0] !== 'Price' || second[0] !== 'Ticker' || !/^date(?:time)?$/i.test(third[0] ?? '')) return undefined
  const header = ['Date', ...first.slice(1)]
  const rows = sample.records.slice(3).filter((row) => row.length === header.length)
  const found = columnsOfHeader({ header, rows })
  if (found === undefined || typeof found === 'string') return undefined
  return readingOf(
    { ...found, dialect: 'yfinance candles', hasHeader: false },
    { ...sample, skippedLines: sample.skippedLines + 3 },
  )
}

function recognisedShape(
  { dialect: asked = 'auto', file }: TapeSource,
  sample: CsvSample,
  name: string,
  place: string,
): Reading | undefined {
  const { records } = sample
  const all = [...columnsOfShape(records), ...leanColumns(name, records, asked)]
  const chosen = asked === 'auto' ? all : all.filter(({ dialect }) => isAsked(dialect, asked))
  if (asked !== 'auto' && chosen.length === 0) throw unknownDialect(file, asked, all)
  const [only, other] = chosen
  if (only === undefined) return undefined
  if (other === undefined) return readingOf(only, sample)
  const names = chosen.map(({ dialect }) => dialectName(dialect)).join(' or ')
  throw new InputError(place, `the rows may be ${names}`, { hint: worded`: choose one with ${setting('dialect')}` })
}

/** LEAN formats look alike; the columns decide between them. */
const isAsked = (dialect: string, asked: string): boolean =>
  asked.startsWith('lean-') ? dialect.startsWith('LEAN ') : dialectName(dialect) === asked

function unknownDialect(file: string, asked: string, all: readonly Columns[]): InputError {
  const names = all.map(({ dialect }) => dialectName(dialect))
  const fitting = names.length === 0 ? 'none is known to fit' : `it may be ${names.join(', ')}`
  return new InputError(
    setting('dialect'),
    `'${asked}' does not fit ${file}: ${fitting}${nearestNameHint(asked, names)}`,
  )
}

/** Market names in the first rows. */
function marketsIn({ records }: CsvSample, { plan, places }: Reading): readonly string[] {
  const field = plan?.fields.indexOf('symbol') ?? -1
  const named = records[0]?.findIndex((name) => /^(?:symbol|instrument.*|product_id|pair|ticker)$/i.test(name)) ?? -1
  const at = plan === undefined ? named : field < 0 ? -1 : (places?.[field] ?? field + 1) - 1
  return at < 0 ? [] : records.map((row) => row[at] ?? '')
}
