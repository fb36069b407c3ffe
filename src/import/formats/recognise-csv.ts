/**
 * Detects how to read a delimited file: by its header, or by the shape of its rows.
 *
 * The detected format is always reported, and if two formats would read a row differently, the user must choose.
 */
import { InputError } from '../../domain/errors.ts'
import { nearestNameHint } from '../../domain/nearest-name.ts'
import { setting, worded } from '../../domain/setting-name.ts'
import { looksLikeData } from '../csv/column-plan.ts'
import { PLAIN_READING, type Reading } from '../csv/reading.ts'
import type { TapeSource } from '../tape-source.ts'
import { readingOf, type Columns } from './columns.ts'
import { csvSample, type CsvSample } from './csv-sample.ts'
import { columnsOfHeader } from './csv-headers.ts'
import { columnsOfShape } from './csv-shapes.ts'
import { dateForm } from './date-forms.ts'
import { bareHeader } from './header-names.ts'
import { leanColumns } from './lean.ts'
import { plannedAsIs } from './planned-as-is.ts'
import { symbolOf, symbolOfFileName, wantedMarket } from './symbols.ts'

/** Name of a format for `--dialect`: lower case, with dashes. */
export const dialectName = (dialect: string): string =>
  dialect.toLowerCase().replaceAll(/[^a-z0-9]+/g, '-').replace(/-$/, '') // prettier-ignore

/**
 * @param text  first lines of the file, complete, without byte order mark
 * @param name  of the file, and of its entry in an archive
 * @throws {InputError} naming the first line, if no format fits or several do
 */
export function recogniseCsv(source: TapeSource, text: string, name: string): Reading {
  const sample = csvSample(text)
  const reading = recognised(source, sample, name)
  const told = reading.symbol ?? symbolOfFileName(name)
  return {
    ...reading,
    notices: [...reading.notices, ...adjustedNotice(sample)],
    isAnyOrder: reading.isAnyOrder || source.sort === true,
    symbol: told,
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
