/** Columns of a recording of books by header name, with validated cells. */
import { invariant } from '../../domain/errors.ts'
import { TimeColumn } from '../../import/csv/time-column.ts'
import type { LevelText } from './book-event.ts'
import { cellError, type CsvRow } from './csv-book-rows.ts'

export class CsvColumns {
  readonly #names: readonly string[]
  readonly #time = new TimeColumn(false)

  /** @param header  unmodified */
  constructor(header: readonly string[]) {
    this.#names = header.map((name) => name.trim().toLowerCase())
  }

  has(...names: readonly string[]): boolean {
    return names.every((name) => this.#names.includes(name))
  }

  get names(): readonly string[] {
    return this.#names
  }

  /**
   * Column index from 0.
   *
   * @param names  one of which exists
   */
  at(...names: readonly string[]): number {
    const found = this.#names.findIndex((name) => names.includes(name))
    invariant(found >= 0, `no column ${names.join(' or ')}`)
    return found
  }

  /**
   * Unix milliseconds of a column; all that are read have the form of the first. @throws {InputError} when it is no
   * time
   */
  time(row: CsvRow, column: number): number {
    const time = this.#time.parse(row.cells[column] ?? '')
    if (typeof time !== 'number') throw cellError(row, column, time.expected)
    return time
  }
}

const INTEGER = /^[0-9]+$/

/** @throws {InputError} when it is no integer from 0 to 2^53 - 1 */
export function integerCell(row: CsvRow, column: number): number {
  const text = row.cells[column] ?? ''
  const integer = Number(text)
  if (!INTEGER.test(text) || !Number.isSafeInteger(integer)) throw cellError(row, column, 'an integer')
  return integer
}

/** @throws {InputError} when it is neither true nor false */
export function booleanCell(row: CsvRow, column: number): boolean {
  const text = (row.cells[column] ?? '').toLowerCase()
  if (text === 'true' || text === '1') return true
  if (text === 'false' || text === '0') return false
  throw cellError(row, column, 'true or false')
}

/** Decimal syntax only; the number of digits is checked during conversion. */
const DECIMAL = /^[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?$/

/** The text of a decimal. @param what  for the error: `price` @throws {InputError} when it is none */
export function decimalCell(row: CsvRow, column: number, what: string): string {
  const text = row.cells[column] ?? ''
  if (!DECIMAL.test(text)) throw cellError(row, column, `a ${what} such as 12.5`)
  return text
}

/** Markers of exports for a missing level: empty, NaN, or the largest integer of 64 bits. */
const NO_PRICE = /^(?:|nan|null|none|0+(?:\.0*)?|9223372036854775807|9223372036\.854775807)$/i

/** A level of two columns. @throws {InputError} when one is no decimal */
export const levelCells = (row: CsvRow, price: number, qty: number): LevelText => [
  decimalCell(row, price, 'price'),
  decimalCell(row, qty, 'quantity'),
]

/** Level of a row; undefined if it is missing. */
export const levelIfAny = (row: CsvRow, price: number, qty: number): LevelText | undefined =>
  NO_PRICE.test(row.cells[price] ?? '') ? undefined : levelCells(row, price, qty)
