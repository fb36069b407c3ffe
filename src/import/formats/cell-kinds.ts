/** Kinds of cells, which identify the columns of a sample. */
import { parseIsoTime } from '../../domain/iso-time.ts'
import type { Field } from '../csv/field.ts'
import type { Source } from './columns.ts'
import { dateForm } from './date-forms.ts'

/** Required majority: two of three rows; 90 % above thirty rows. */
const isMost = (count: number, of: number): boolean => count * 10 >= of * (of > 30 ? 9 : 6.6)

/**
 * All rows if they fit, otherwise those that fit individually and together, if they are the majority; undefined if not.
 */
export function mostThatFit<Row>(
  rows: readonly Row[],
  fits: (rows: readonly Row[]) => boolean,
): readonly Row[] | undefined {
  if (fits(rows)) return rows
  const fitting = rows.filter((row) => fits([row]))
  return fitting.length > 0 && isMost(fitting.length, rows.length) && fits(fitting) ? fitting : undefined
}

/** Fields that hold numbers. */
export const NUMBERS: readonly Field[] = ['price', 'qty', 'open', 'high', 'low', 'close', 'volume']
const PRICES: readonly Field[] = ['price', 'open', 'high', 'low', 'close']

/** 1,234,567.50, with three digits after each comma. */
const ENGLISH = /^-?\d{1,3}(?:,\d{3})+(?:\.\d+)?$/
/** 1.234.567,50 or 1234567,5 */
const CONTINENTAL = /^-?(?:\d+|\d{1,3}(?:\.\d{3})+),\d+$/

type NumberEdit = (text: string) => string

const english: NumberEdit = (text) => (ENGLISH.test(text) ? text.replaceAll(',', '') : text)
const continental: NumberEdit = (text) =>
  CONTINENTAL.test(text) || /^-?\d{1,3}(?:\.\d{3})+$/.test(text) ? text.replaceAll('.', '').replace(',', '.') : text

/**
 * @param texts  of all numeric columns
 * @returns undefined without commas, or if their meaning is ambiguous
 */
function numberEdit(texts: readonly string[]): NumberEdit | undefined {
  const withComma = texts.filter((text) => text.includes(','))
  if (withComma.length === 0) return undefined
  const [areEnglish, areContinental] = [ENGLISH, CONTINENTAL].map((form) => withComma.every((text) => form.test(text)))
  if (areEnglish === areContinental) return undefined
  // A point is that of thousands here, and must not be that of decimals elsewhere in the file.
  if (areContinental === true && texts.some((text) => /\.(?!\d{3}(?:\D|$))/.test(text))) return undefined
  return areEnglish === true ? english : continental
}

type Rows = readonly (readonly string[])[]

const textsOf = (rows: Rows, sources: readonly Source[], fields: readonly Field[]): readonly string[] =>
  sources.filter(({ field }) => fields.includes(field)).flatMap(({ column }) => rows.map((row) => row[column] ?? ''))

/**
 * Rewrites the numbers of a sample with decimal commas, or in units of 10^-9, as plain ones.
 *
 * Invariant: nothing is guessed. The meaning of a comma must be clear from all numbers of the sample together; a text
 * in another format stays unchanged, and is reported with its line when it is read.
 *
 * @param bare  the names of all columns
 */
export function withPlainNumbers(sources: readonly Source[], rows: Rows, bare: readonly string[]): readonly Source[] {
  const isNano = (text: string): boolean => isInteger(text) && text.length > 6
  // Databento's prices are integers of 10^-9: all of a file, or none.
  const areNano = bare.includes('ts_event') && textsOf(rows, sources, PRICES).every(isNano)
  const [fields, edit] = areNano ? [PRICES, nanoPrice] : [NUMBERS, numberEdit(textsOf(rows, sources, NUMBERS))]
  if (edit === undefined) return sources
  return sources.map((source) =>
    fields.includes(source.field)
      ? { ...source, edit: (text, cells) => edit(source.edit?.(text, cells) ?? text) }
      : source,
  )
}

const NANO_DIGITS = 9

function nanoPrice(text: string): string {
  if (!isInteger(text)) return text
  const digits = text.padStart(NANO_DIGITS + 1, '0')
  return `${digits.slice(0, -NANO_DIGITS)}.${digits.slice(-NANO_DIGITS)}`
}

/** Seconds of 1990 and of 2100: in no two units do these times overlap. */
const EARLIEST = 631_152_000
const LATEST = 4_102_444_800
const FINER_UNITS = [1e3, 1e6, 1e9]

const INTEGER = /^\d+$/
const DECIMAL = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export const isInteger = (text: string): boolean => INTEGER.test(text)
const isDecimal = (text: string): boolean => DECIMAL.test(text)
export const isPositive = (text: string): boolean => isDecimal(text) && Number(text) > 0
export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)
export const isSide = (text: string): boolean => /^(?:buy|sell|b|s)$/i.test(text)

/** All of them integers of one unit, seconds with a fraction, or dates; they need not be in order. */
export function areTimes(texts: readonly string[]): boolean {
  return areUnixTimes(texts) || texts.every((text) => parseIsoTime(text) !== undefined) || isDateForm(texts)
}

const isDateForm = (texts: readonly string[]): boolean => {
  const form = dateForm(texts)
  return form !== undefined
}

/** Seconds; or milliseconds, microseconds or nanoseconds, which may change within a file. */
export const areUnixTimes = (texts: readonly string[]): boolean =>
  texts.every((text) => /^\d+(?:\.\d+)?$/.test(text) && isOfUnit(text, 1)) ||
  texts.every((text) => isInteger(text) && FINER_UNITS.some((unit) => isOfUnit(text, unit)))

const isOfUnit = (text: string, unit: number): boolean =>
  Number(text) >= EARLIEST * unit && Number(text) <= LATEST * unit

export const isRising = (texts: readonly string[]): boolean =>
  texts.every((text, index) => index === 0 || Number(text) >= Number(texts[index - 1]))

/** Open, high, low and close of every row are what these are. */
export const areCandles = (rows: readonly (readonly (string | undefined)[])[]): boolean =>
  rows.every((row) => {
    if (!row.every((text) => text !== undefined && isPositive(text))) return false
    const [open = 0, high = 0, low = 0, close = 0] = row.map(Number)
    return low <= Math.min(open, close) && high >= Math.max(open, close)
  })
