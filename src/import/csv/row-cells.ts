/** One row of a file on its way in: its cells by field, and errors that name their place. */
import { InputError, invariant } from '../../domain/errors.ts'
import { TOO_LARGE, TOO_PRECISE, type DecimalColumn } from './decimal-column.ts'
import { parseDecimal, roundedDecimal, type Decimal, type DecimalFault } from './decimal-text.ts'
import type { Field } from './field.ts'
import { MAX_PRECISION } from '../../domain/market.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting, worded, type Wording } from '../../domain/setting-name.ts'
import type { TimeColumn } from './time-column.ts'

export class RowCells {
  readonly #file: string
  readonly #places: readonly number[] | undefined
  readonly #roundTo: number | undefined
  #roundedCells = 0
  readonly #columns = new Map<Field, number>()
  #cells: readonly string[] = []
  #line = 0

  /** Values that had more decimals than they were to have. */
  get roundedCells(): number {
    return this.#roundedCells
  }

  /**
   * @param fields  the field of each column
   * @param roundTo decimals to which a value that has more is rounded; undefined to round none
   * @param places  the column of the file of each, from 1; without it, they are those of the file
   */
  constructor(file: string, fields: readonly (Field | undefined)[], places?: readonly number[], roundTo?: number) {
    this.#file = file
    this.#roundTo = roundTo
    this.#places = places
    for (const [column, field] of fields.entries()) if (field !== undefined) this.#columns.set(field, column)
  }

  /** @param line  physical line on which the row begins, from 1 */
  load(cells: readonly string[], line: number): void {
    this.#cells = cells
    this.#line = line
  }

  has(field: Field): boolean {
    return this.#columns.has(field)
  }

  text(field: Field): string {
    const text = this.#cells[this.#column(field)]
    invariant(text !== undefined, `no cell for ${field}`)
    return text
  }

  /** Physical line on which the row begins, from 1. */
  get line(): number {
    return this.#line
  }

  /**
   * Error for an invalid cell, to be thrown.
   *
   * @param hint  remedy
   */
  error(field: Field, expected: string, hint?: Wording): InputError {
    const message = `expected ${expected}, got '${escapedExcerpt(this.text(field))}'`
    return new InputError(this.place(field), message, hint === undefined ? {} : { hint })
  }

  /** Place as `file:line:column`. */
  place(field: Field): string {
    const column = this.#column(field)
    return `${this.#file}:${this.#line}:${this.#places?.[column] ?? column + 1}`
  }

  /** Unix milliseconds. */
  time(column: TimeColumn): number {
    const time = column.parse(this.text('time'))
    if (typeof time !== 'number') throw this.error('time', time.expected)
    return time
  }

  /**
   * Units of a decimal.
   *
   * @param what  how the value is called in an error
   * @param min   the least that is allowed: 0, or 1 for anything above 0
   */
  units(field: Field, what: string, column: DecimalColumn, min: 0 | 1): number {
    return this.unitsOf(field, what, column, this.decimal(field, what, column, min))
  }

  /**
   * Decimal of a cell, rounded on request. Read it once, because rounded values are counted.
   *
   * @param what  name of the value in an error
   * @param min   minimum allowed: 0, or 1 for anything above 0
   */
  decimal(field: Field, what: string, column: DecimalColumn, min: 0 | 1): Decimal {
    const decimal = parseDecimal(this.#rounded(this.text(field)), column.maxPrecision)
    if (typeof decimal === 'string')
      throw this.error(field, expectedDecimal(what, decimal, column), this.#hint(decimal, column))
    if (decimal.mantissa < min) throw this.error(field, `a ${what} above 0`)
    return decimal
  }

  /** The units of a decimal that was read, in the precision that the column has by now; as often as it changes. */
  unitsOf(field: Field, what: string, column: DecimalColumn, decimal: Decimal): number {
    const units = column.units(decimal.mantissa, decimal.decimals)
    if (units >= 0) return units
    if (units === TOO_PRECISE)
      throw this.error(field, expectedDecimal(what, 'too-precise', column), this.#hint('too-precise', column))
    if (units === TOO_LARGE) throw this.error(field, `a ${what} of at most 2^53 - 1 units of 10^-${column.precision}`)
    throw this.error(field, `decimals with which the largest ${what} before stays within 2^53 - 1 units`, ROUND_HINT)
  }

  #hint(fault: DecimalFault, { maxPrecision }: DecimalColumn): Wording | undefined {
    const isOwn = fault === 'malformed' || this.#roundTo !== undefined || maxPrecision < MAX_PRECISION
    return isOwn ? undefined : ROUND_HINT
  }

  #rounded(text: string): string {
    if (this.#roundTo === undefined) return text
    const rounded = roundedDecimal(text, this.#roundTo)
    if (rounded !== text) this.#roundedCells += 1
    return rounded
  }

  #column(field: Field): number {
    const column = this.#columns.get(field)
    invariant(column !== undefined, `no column for ${field}`)
    return column
  }
}

const ROUND_HINT = worded`; pass ${setting('precision', '8')} to round it`

function expectedDecimal(what: string, fault: DecimalFault, column: DecimalColumn): string {
  switch (fault) {
    case 'malformed':
      return `a ${what} such as 12.5`
    case 'too-precise':
      return `a ${what} with at most ${column.maxPrecision} decimals`
    case 'too-large':
      return `a ${what} with fewer digits (at most 2^53 - 1 without the point)`
  }
}
