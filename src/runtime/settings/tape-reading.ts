/** Settings of how a tape's file is read, for each tape or for all. */
import { z } from 'zod'
import type { Place } from '../../domain/errors.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BookTapeSource, TapeSource } from '../../import/tape-source.ts'
import { anyInterval, anyText, choice, integer, onOrOff, positiveDecimal, readInterval, type Form } from './form.ts'
import type { GivenOf } from './term.ts'

/** All settings of a file except its path, by the name of the setting, which is its key in every form. */
export type TapeReading = Omit<TapeSource, 'file'>
export type ReadingName = keyof TapeReading

export interface ReadingTerm<Given, Value> {
  readonly words: string
  readonly form: Form<Given>
  /** Schema of the value in `run.json`. */
  readonly value: z.ZodType<Value>
  /** @throws {InputError} at `place` */
  resolve(given: Given, place: Place): Value
}

const plain = <Value>(form: Form<Value>, words: string): ReadingTerm<Value, Value> => ({
  words,
  form,
  value: form.schema,
  resolve: (given) => given,
})

const intervalTerm: ReadingTerm<string | number, number> = {
  words: 'candle length: 1m, 1h, 1d, ... or milliseconds (default: most common step)',
  form: anyInterval,
  value: z.int(),
  resolve: (given, place) => readInterval(place, given),
}

const precision = integer(0, MAX_PRECISION)

const TAPE_READING = {
  symbol: plain(anyText, 'market of a single tape given without SYMBOL=, such as BTC_USD'),
  columns: plain(
    anyText,
    'column names, such as time=ts,price=px,qty=amount; or, without a header, all fields in order, such as time,price,qty',
  ),
  dialect: plain(anyText, 'file format, if ambiguous (default: detected and reported)'),
  market: plain(anyText, 'market to read from a file with several, by its name in the file'),
  timeUnit: plain(
    choice(['s', 'ms', 'us', 'ns']),
    'unit of integer timestamps: s, ms, us or ns (default: detected from their size)',
  ),
  zone: plain(
    anyText,
    'time zone of dates without one, and of daily candles built from this file, such as America/New_York (default: UTC)',
  ),
  dateOrder: plain(choice(['day', 'month']), 'which comes first in dates such as 03/04/2024: day or month'),
  sort: plain(onOrOff, 'sort rows by time'),
  precision: plain(precision, 'round values to this many decimals (default: no rounding)'),
  candleTime: plain(choice(['open', 'close']), 'what the timestamp of a candle marks: open or close (default: open)'),
  candleInterval: intervalTerm,
  candleClose: plain(
    choice(['interval', 'next']),
    'when a candle closes: interval, one interval after its open; or next, at the next open, for candles of unequal length (default: interval)',
  ),
  volume: plain(positiveDecimal, 'volume of every candle, for a file without volumes (default: 1000000)'),
  pricePrecision: plain(precision, 'decimals of prices (default: as many as the file needs)'),
  qtyPrecision: plain(precision, 'decimals of quantities (default: as many as the file needs)'),
} as const satisfies Record<ReadingName, ReadingTerm<unknown, unknown>>

type Readings = typeof TAPE_READING

/** The given settings of a tape. */
export type GivenReading = {
  readonly [Name in ReadingName]?: GivenOf<Readings[Name]> | undefined
}

export const EACH_READING = Object.entries(TAPE_READING) as readonly (readonly [
  ReadingName,
  ReadingTerm<unknown, unknown>,
])[]

/** The settings that apply to a recording of a book. */
const OF_BOOKS: readonly string[] = [
  'symbol',
  'market',
  'pricePrecision',
  'qtyPrecision',
] satisfies (keyof BookTapeSource)[]
export const EACH_BOOK_READING = EACH_READING.filter(([name]) => OF_BOOKS.includes(name))

/** All settings of a book recording except its path. */
export type BookReading = Omit<BookTapeSource, 'file'>

/** Contains only given settings. @throws {InputError} naming the setting */
export const resolveReading = (given: GivenReading): TapeReading =>
  Object.fromEntries(
    EACH_READING.flatMap(([name, term]) =>
      given[name] === undefined ? [] : [[name, term.resolve(given[name], setting(name))]],
    ),
  )

const schemaOf = (readings: typeof EACH_READING): z.ZodObject =>
  z.strictObject(
    Object.fromEntries(
      readings.flatMap(([name, { value }]) => (name === 'symbol' ? [] : [[name, value.exactOptional()]])),
    ),
  )

/** Schema in `run.json`, without the symbol. */
export const readingSchema = schemaOf(EACH_READING) as unknown as z.ZodType<Omit<TapeReading, 'symbol'>>
/** The same for a recording of a book. */
export const bookReadingSchema = schemaOf(EACH_BOOK_READING) as unknown as z.ZodType<Omit<BookReading, 'symbol'>>
