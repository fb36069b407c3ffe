/** Detects the columns of a file with another header than the specification's, by their names and their content. */
import { DAY_MS } from '../../domain/time.ts'
import { declaresMilliseconds, FIELDS_OF, REQUIRED_FIELDS_OF, type Field, type RowKind } from '../csv/field.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { areTimes, areUnixTimes, isInteger, isSide, mostThatFit, withPlainNumbers } from './cell-kinds.ts'
import type { Columns, Source } from './columns.ts'
import { dateForm, dateFormOf } from './date-forms.ts'
import { habitOf, withHabit } from './website-tables.ts'
import { bareHeader, isNameOf } from './header-names.ts'
import { symbolOf } from './symbols.ts'

export interface HeaderSample {
  readonly header: readonly string[]
  /** Rows after the header with the same number of cells. */
  readonly rows: readonly (readonly string[])[]
  /** Day before month, as given by the user; undefined if not given. */
  readonly isDayFirst?: boolean | undefined
}

/** Undefined if a required field is missing; a string is the text of an error. */
export function columnsOfHeader(sample: HeaderSample): Columns | string | undefined {
  const habit = habitOf(sample.header.map(bareHeader))
  const bare = sample.header.map((name) => habit?.renamed[bareHeader(name)] ?? bareHeader(name))
  const kind = kindOf(bare)
  if (kind === 'candles' && areTicks(sample, bare)) return columnsOfTicks(sample, bare)
  const time = timeSource(sample, bare, kind)
  if (time === undefined || typeof time === 'string') return time
  const taken = new Set(time.columns)
  const sources: Source[] = [time.source]
  for (const field of FIELDS_OF[kind]) {
    if (field === 'time') continue
    const source = sourceOf(field, kind, sample, bare, taken)
    if (source === undefined) continue
    sources.push(source)
    taken.add(source.column)
  }
  if (REQUIRED_FIELDS_OF[kind].some((field) => sources.every((source) => source.field !== field))) return undefined
  const dialect = dialectOf(bare, kind)
  const notices = [...time.notices, ...signNotice(sources, sample)]
  const found = {
    dialect,
    kind,
    hasHeader: true,
    width: sample.header.length,
    notices,
    declaresMilliseconds: declaresMilliseconds(sample.header[time.source.column] ?? ''),
    sources: withPlainTrades(withPlainNumbers(sources, sample.rows, bare), sample),
    ignored: sample.header.filter((_, column) => !taken.has(column)).map((name) => (name === '' ? 'column 1' : name)),
    ...leaveOutOf(bare, sources, sample),
    isAnyOrder: dialect === COLLECTOR,
    spelling: symbolOf,
  }
  return withHabit(found, habit)
}

/** Trades in candle format: many of them open at the same time. */
function areTicks({ rows }: HeaderSample, bare: readonly string[]): boolean {
  const columns = (['open', 'high', 'low', 'close'] as const).map((field) =>
    bare.findIndex((name) => isNameOf(field, name)),
  )
  const time = bare.findIndex((name) => isNameOf('time', name))
  const isFlat = rows.every((row) => columns.every((column) => row[column] === row[columns[0] ?? 0]))
  return isFlat && rows.some((row, at) => at > 0 && row[time] === rows[at - 1]?.[time])
}

function columnsOfTicks(sample: HeaderSample, bare: readonly string[]): Columns | string | undefined {
  const names = bare.map((name) => (isNameOf('close', name) ? 'price' : isNameOf('volume', name) ? 'qty' : name))
  const header = names.map((name) =>
    ['open', 'high', 'low'].some((field) => isNameOf(field as Field, name)) ? `candle ${name}` : name,
  )
  const found = columnsOfHeader({ ...sample, header: header })
  if (found === undefined || typeof found === 'string') return found
  return {
    ...found,
    dialect: 'trades in the form of candles',
    ignored: sample.header.filter((_, at) => header[at]?.startsWith('candle ') === true),
  }
}

/** Its files start with a link, and are sorted newest first. */
export const COLLECTOR = 'CryptoDataDownload'

/** Formats by unique column names: the first one with all of its names present. */
const OWN_NAMES: readonly (readonly [string, readonly string[], RowKind?])[] = [
  ['Databento trades', ['ts_event', 'action', 'publisher_id']],
  ['Databento candles', ['ts_event', 'publisher_id'], 'candles'],
  [COLLECTOR, ['unix', 'date', 'symbol'], 'candles'],
  [COLLECTOR, ['unix_timestamp', 'date', 'symbol'], 'candles'],
  ['Tardis trades', ['exchange', 'symbol', 'timestamp', 'local_timestamp']],
  ['Bybit trades', ['trdmatchid', 'tickdirection']],
  ['Binance aggTrades', ['agg_trade_id']],
  ['Binance aggTrades', ['first_trade_id', 'last_trade_id']],
  ['Binance klines', ['open_time', 'close_time']],
  ['Binance klines', ['opentime', 'closetime']],
  ['Binance trades', ['quote_qty', 'is_buyer_maker']],
  ['OKX trades', ['instrument_name', 'created_time']],
  ['OKX trades', ['trade_id', 'created_time']],
  ['MetaTrader candles', ['tickvol', 'spread']],
  ['Stooq candles', ['ticker', 'per']],
  ['Stooq candles', ['openint']],
  ['Yahoo candles', ['adj_close']],
]

/** The format whose unique names are all present; undefined for a generic header. */
export function ownDialect(header: readonly string[], kind: RowKind): string | undefined {
  const bare = header.map(bareHeader)
  return OWN_NAMES.find(([, names, of = kind]) => of === kind && names.every((name) => bare.includes(name)))?.[0]
}

function dialectOf(bare: readonly string[], kind: RowKind): string {
  const hasAll = (names: readonly string[]): boolean => names.every((name) => bare.includes(name))
  const own = ownDialect(bare, kind)
  if (own !== undefined) return own
  const isCollected = hasAll(['date', 'symbol', 'open']) && bare.some((name) => /^volume_[a-z]/.test(name))
  if (isCollected) return COLLECTOR
  return kind === 'candles' ? 'candles by their header' : 'trades by their header'
}

function kindOf(bare: readonly string[]): RowKind {
  const found = (field: Field): boolean => bare.some((name) => isNameOf(field, name))
  return found('open') && found('high') && found('low') && found('close') ? 'candles' : 'trades'
}

interface TimeSource {
  readonly source: Source
  readonly columns: readonly number[]
  readonly notices: readonly string[]
}

const CLOCK = /^\d{1,2}:?\d\d(?::?\d\d(?:[.,]\d+)?)?(?: ?[AP]M)?$/i

function timeSource(sample: HeaderSample, bare: readonly string[], kind: RowKind): TimeSource | string | undefined {
  const { rows } = sample
  const textsOf = (column: number): readonly string[] => rows.map((row) => row[column] ?? '')
  const date = bare.findIndex((name) => ['date', 'day', 'dtyyyymmdd', 'trade_date', ''].includes(name))
  const clock = bare.findIndex((name) => ['time', 'hour', 'clock', 'time_of_day'].includes(name))
  if (date >= 0 && clock >= 0 && textsOf(clock).every((text) => CLOCK.test(text)))
    return dateAndClock(sample, date, clock)
  const candidates = bare.flatMap((name, column) => (isTimeName(name, column, bare) ? [column] : []))
  if (candidates.length === 0 && kind === 'trades') return timeOfIds(bare, textsOf)
  const found = candidates.flatMap((column) => {
    const edit = timeEdit(textsOf(column), sample)
    return edit === undefined ? [] : [{ column, edit }]
  })
  if (found.some(({ edit }) => edit === 'either')) return EITHER_WAY
  const [best, ...others] = found.toSorted((one, other) => rank(textsOf(one.column)) - rank(textsOf(other.column)))
  if (best === undefined || best.edit === 'either') return undefined
  const other = others.find(({ column }) => !isSameMoment(sample, [best.column, column]))
  if (other !== undefined && !hasOwnTime(bare)) {
    const [one = '', two = ''] = [best.column, other.column].map((column) => sample.header[column])
    return `expected one column for time, got ${one} and ${two} with different times`
  }
  const edit = best.edit === 'plain' ? undefined : best.edit
  return {
    source: { field: 'time', column: best.column, edit },
    columns: found.map(({ column }) => column),
    notices: [],
  }
}

const EITHER_WAY = 'ambiguous dates: pass --date-order day or --date-order month'

/** An unnamed first column is the time if nothing else is; otherwise an index. */
const isTimeName = (name: string, column: number, bare: readonly string[]): boolean =>
  isNameOf('time', name) || (column === 0 && name === '' && !bare.some((other) => isNameOf('time', other)))

/** Formats with exchange and receive times, where the first match is the exchange time. */
const hasOwnTime = (bare: readonly string[]): boolean => bare.includes('ts_event')

/** Integers before dates: they parse faster and are equally precise. */
const rank = (texts: readonly string[]): number => (areUnixTimes(texts) ? 0 : 1)

type TimeEdit = 'plain' | 'either' | ((text: string) => string)

function timeEdit(all: readonly string[], { isDayFirst }: HeaderSample): TimeEdit | undefined {
  const texts = mostThatFit(all, areTimes) ?? all
  if (texts.length === 0 || areUnixTimes(texts) || texts.every((text) => parseIsoTime(text) !== undefined))
    return 'plain'
  if (texts.every((text) => WHOLE_FLOAT.test(text)) && areUnixTimes(texts.map(withoutFraction))) return withoutFraction
  const form = dateForm(texts)
  if (form === 'either') {
    if (isDayFirst === undefined) return 'either'
    const chosen = dateFormOf(isDayFirst)
    return (text) => chosen(text) ?? text
  }
  if (form === undefined) return texts.every(isInteger) ? 'plain' : undefined
  return (text) => form(text) ?? text
}

/** Integers exported by a table of floats. */
export const WHOLE_FLOAT = /^\d{12,}\.0+$/
/** The same integer without its decimal zeros; any other text as it is. */
export const withoutFraction = (text: string): string => (WHOLE_FLOAT.test(text) ? text.replace(/\.0+$/, '') : text)

function isSameMoment({ rows }: HeaderSample, [one = 0, other = 0]: readonly number[]): boolean {
  const [first] = rows
  if (first === undefined) return true
  const [a, b] = [momentOf(first[one] ?? ''), momentOf(first[other] ?? '')]
  // A column of dates next to one of times is no contradiction.
  return a === undefined || b === undefined || Math.abs(a - b) < DAY_MS
}

function momentOf(text: string): number | undefined {
  const unit = [1000, 1, 1e-3, 1e-6].find((factor) => Number(text) * factor > 6e11 && Number(text) * factor < 4.2e12)
  if (unit !== undefined) return Number(text) * unit
  const form = dateForm([text])
  const iso = typeof form === 'function' ? form(text) : text
  return parseIsoTime(iso ?? text)?.time
}

function dateAndClock(sample: HeaderSample, date: number, clock: number): TimeSource | string | undefined {
  const form = dateForm(sample.rows.map((row) => row[date] ?? ''))
  if (form === undefined) return undefined
  const chosen = form === 'either' ? sample.isDayFirst : false
  if (form === 'either' && chosen === undefined) return EITHER_WAY
  const day = form === 'either' ? dateFormOf(chosen === true) : form
  const edit = (text: string, cells: readonly string[]): string => {
    const iso = day(text)
    const moment = iso === undefined ? undefined : dateForm([`${iso} ${cells[clock] ?? ''}`])
    const whole = typeof moment === 'function' ? moment(`${iso ?? ''} ${cells[clock] ?? ''}`) : undefined
    return whole ?? `${text} ${cells[clock] ?? ''}`
  }
  return { source: { field: 'time', column: date, edit }, columns: [date, clock], notices: [] }
}

/** Time from trade ids that are microsecond timestamps, if there is no time column. */
function timeOfIds(bare: readonly string[], textsOf: (column: number) => readonly string[]): TimeSource | undefined {
  const column = bare.findIndex((name) => isNameOf('id', name))
  if (column < 0 || !areUnixTimes(textsOf(column)) || textsOf(column).some((text) => text.length < 16)) return undefined
  return {
    source: { field: 'time', column },
    columns: [],
    notices: ['There is no time column: the ids, which count microseconds, are used as times.'],
  }
}

function sourceOf(
  field: Field,
  kind: RowKind,
  { rows }: HeaderSample,
  bare: readonly string[],
  taken: ReadonlySet<number>,
): Source | undefined {
  const columns = bare.flatMap((name, column) => (isNameOf(field, name) && !taken.has(column) ? [column] : []))
  const textsOf = (column: number): readonly string[] => rows.map((row) => row[column] ?? '')
  if (field === 'volume') return volumeSource(columns, bare, textsOf)
  if (field === 'side') return sideSource(columns, bare, textsOf)
  if (field === 'is_buyer_maker' && bare.some((name) => isNameOf('side', name))) return undefined
  const [column] = columns
  if (column === undefined || (field === 'exchange' && kind === 'trades' && bare[column] !== 'exchange'))
    return undefined
  return { field, column }
}

/** Volume column; if there are volumes in both assets, the first one is in the base asset. */
function volumeSource(
  columns: readonly number[],
  bare: readonly string[],
  textsOf: (column: number) => readonly string[],
): Source | undefined {
  const real = columns.find(
    (column) => ['vol', 'volume'].includes(bare[column] ?? '') && textsOf(column).some((text) => Number(text) > 0),
  )
  const column = real ?? columns[0] ?? bare.findIndex((name) => /^volume[_(]/.test(name))
  return column < 0 ? undefined : { field: 'volume', column, edit: emptyEdit(textsOf(column)) }
}

/** Exports write an empty candle as `nan` or `null`. */
const emptyEdit = (texts: readonly string[]): ((text: string) => string) | undefined =>
  texts.some((text) => /^(?:nan|null|none|-)$/i.test(text))
    ? (text) => (/^(?:nan|null|none|-)$/i.test(text) ? '' : text)
    : undefined

/** Words for the taker side in known formats. */
const OF_MTGOX: Readonly<Record<string, string>> = { bid: 'buy', ask: 'sell' }
const OF_DATABENTO: Readonly<Record<string, string>> = { a: 'sell', b: 'buy', n: 'unknown' }

function sideSource(
  columns: readonly number[],
  bare: readonly string[],
  textsOf: (column: number) => readonly string[],
): Source | undefined {
  // In other formats `type` is the order type.
  const column = columns[0] ?? bare.indexOf('type')
  if (column < 0) return undefined
  const texts = [...new Set(textsOf(column).map((text) => text.toLowerCase()))]
  const isMtGox = columns.length === 0 && texts.every((text) => text in OF_MTGOX)
  const words = bare.includes('ts_event') ? OF_DATABENTO : isMtGox ? OF_MTGOX : undefined
  if (columns.length === 0 && !isMtGox && !texts.every(isSide)) return undefined
  return { field: 'side', column, edit: words && ((text) => words[text.toLowerCase()] ?? text) }
}

const hasSigns = (sources: readonly Source[], { rows }: HeaderSample): boolean => {
  const qty = sources.find(({ field }) => field === 'qty')
  return qty !== undefined && rows.some((row) => (row[qty.column] ?? '').startsWith('-'))
}

const reportsSide = (sources: readonly Source[]): boolean =>
  sources.some(({ field }) => field === 'side' || field === 'is_buyer_maker')

const signNotice = (sources: readonly Source[], sample: HeaderSample): readonly string[] =>
  hasSigns(sources, sample) && !reportsSide(sources)
    ? ['Negative quantities are read as trades with a selling taker.']
    : []

/** Signed quantities: a negative one is a sale. */
function withPlainTrades(sources: readonly Source[], sample: HeaderSample): readonly Source[] {
  if (!hasSigns(sources, sample) || reportsSide(sources)) return sources
  const bare = sources.map((source) =>
    source.field === 'qty' ? { ...source, edit: (text: string) => text.replace(/^-/, '') } : source,
  )
  const qty = sources.find(({ field }) => field === 'qty')
  if (qty === undefined) return bare
  return [...bare, { field: 'side', column: qty.column, edit: (text) => (text.startsWith('-') ? 'sell' : 'buy') }]
}

/** Filter for formats with other records than trades. */
function leaveOutOf(
  bare: readonly string[],
  sources: readonly Source[],
  { rows }: HeaderSample,
): Pick<Columns, 'leaveOut'> {
  const action = bare.indexOf('action')
  if (action >= 0 && bare.includes('ts_event')) {
    return { leaveOut: (cells) => (cells[action] === 'T' ? undefined : `records of the action ${cells[action] ?? ''}`) }
  }
  const prices = sources.filter(({ field }) => PRICES.includes(field)).map(({ column }) => column)
  const hasHoles = bare.includes('adj_close') || rows.some((row) => prices.some((at) => NO_VALUE.test(row[at] ?? '')))
  if (prices.length === 0 || !hasHoles) return {}
  return {
    leaveOut: (cells) => (prices.every((at) => NO_VALUE.test(cells[at] ?? '')) ? 'candles without prices' : undefined),
  }
}

const PRICES: readonly Field[] = ['open', 'high', 'low', 'close']
/** Missing values as exports write them. */
export const NO_VALUE = /^(?:null|nan|none|-)?$/i
