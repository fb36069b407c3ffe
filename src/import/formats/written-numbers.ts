/**
 * Number formats of spreadsheets, with decimal commas or thousands separators, and prices in units of 1e-9.
 *
 * Invariant: nothing is guessed. The meaning of a comma must be clear from all numbers of the sample together; a text
 * in another format stays unchanged, and is reported with its line when it is read.
 */
import type { Field } from '../csv/field.ts'
import { isInteger } from './cell-kinds.ts'
import type { Source } from './columns.ts'

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

/** @param bare  the names of all columns */
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
