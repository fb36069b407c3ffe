/**
 * The settings of a tape: how its file is read, for each tape or for all.
 */
import { z } from 'zod'
import type { Place } from '../../domain/errors.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import { setting } from '../../domain/setting-name.ts'
import type { BookTapeSource, TapeSource } from '../../store/tape-source.ts'
import { anyInterval, anyText, choice, integer, onOrOff, positiveDecimal, readInterval, type Form } from './form.ts'
import type { GivenOf } from './term.ts'

/** All that is said of a file beside its path, by the name of the setting, which is its key in every form. */
export type TapeReading = Omit<TapeSource, 'file'>
export type ReadingName = keyof TapeReading

export interface ReadingTerm<Given, Value> {
  readonly words: string
  readonly form: Form<Given>
  /** As it stands in `run.json`. */
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
  words: 'length of a candle: 1m, 1h, 1d, ... or milliseconds (default: commonest step)',
  form: anyInterval,
  value: z.int(),
  resolve: (given, place) => readInterval(place, given),
}

const precision = integer(0, MAX_PRECISION)

const TAPE_READING = {
  symbol: plain(anyText, 'market of a single tape without SYMBOL=, such as BTC_USD'),
  columns: plain(anyText, 'fields of the file: time=ts,price=px,qty=amount, or a list of positions without header'),
  dialect: plain(anyText, 'format of the file, where several fit (default: recognised, and told)'),
  market: plain(anyText, 'of a recording of several markets the one to read, as the recording calls it'),
  timeUnit: plain(
    choice(['s', 'ms', 'us', 'ns']),
    'unit of times that are integers (default: told by their magnitude)',
  ),
  zone: plain(
    anyText,
    'zone of dates that name none, and of days that are made of its candles, such as America/New_York (default: UTC)',
  ),
  dateOrder: plain(choice(['day', 'month']), 'which comes first in dates such as 03/04/2024'),
  sort: plain(onOrOff, 'put rows that come in any order into that of time'),
  precision: plain(precision, 'decimals to which values that have more are rounded (default: none is rounded)'),
  candleTime: plain(choice(['open', 'close']), 'whether the time of a candle is its open (default) or its close'),
  candleInterval: intervalTerm,
  candleClose: plain(
    choice(['interval', 'next']),
    'when a candle closes: an interval after its open (default), or at the next open, for candles without a common length',
  ),
  volume: plain(positiveDecimal, 'volume of each candle in a file without volumes (default: 1000000)'),
  pricePrecision: plain(precision, 'decimals of a price (default: the fewest that hold every row)'),
  qtyPrecision: plain(precision, 'decimals of a quantity (default: the fewest that hold every row)'),
} as const satisfies Record<ReadingName, ReadingTerm<unknown, unknown>>

type Readings = typeof TAPE_READING

/** The settings that were given for a tape. */
export type GivenReading = {
  readonly [Name in ReadingName]?: GivenOf<Readings[Name]> | undefined
}

export const EACH_READING = Object.entries(TAPE_READING) as readonly (readonly [
  ReadingName,
  ReadingTerm<unknown, unknown>,
])[]

/** Those of the settings that a recording of a book has. */
const OF_BOOKS: readonly string[] = [
  'symbol',
  'market',
  'pricePrecision',
  'qtyPrecision',
] satisfies (keyof BookTapeSource)[]
export const EACH_BOOK_READING = EACH_READING.filter(([name]) => OF_BOOKS.includes(name))

/** All that is said of one beside its path. */
export type BookReading = Omit<BookTapeSource, 'file'>

/** Only what was said. @throws {InputError} naming the setting */
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

/** As it stands in `run.json`, the symbol aside. */
export const readingSchema = schemaOf(EACH_READING) as unknown as z.ZodType<Omit<TapeReading, 'symbol'>>
/** The same of a recording of a book. */
export const bookReadingSchema = schemaOf(EACH_BOOK_READING) as unknown as z.ZodType<Omit<BookReading, 'symbol'>>
