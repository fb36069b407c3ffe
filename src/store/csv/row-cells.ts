/**
 * One row of a file on its way in: its cells by field, and errors that name their place.
 */
import { InputError, invariant } from '../../domain/errors.ts'
import { TOO_LARGE, TOO_PRECISE, type DecimalColumn } from './decimal-column.ts'
import { parseDecimal, type DecimalFault } from './decimal-text.ts'
import type { Field } from './field.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import type { Wording } from '../../domain/setting-name.ts'
import type { TimeColumn } from './time-column.ts'

export class RowCells {
  readonly #file: string
  readonly #columns = new Map<Field, number>()
  #cells: readonly string[] = []
  #line = 0

  /** @param fields  the field of each column */
  constructor(file: string, fields: readonly (Field | undefined)[]) {
    this.#file = file
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

  /** To be thrown: the cell is not what was expected. @param hint  how to mend it */
  error(field: Field, expected: string, hint?: Wording): InputError {
    const message = `expected ${expected}, got '${escapedExcerpt(this.text(field))}'`
    return new InputError(this.place(field), message, hint === undefined ? {} : { hint })
  }

  /** As `file:line:column`. */
  place(field: Field): string {
    return `${this.#file}:${this.#line}:${this.#column(field) + 1}`
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
    const decimal = parseDecimal(this.text(field), column.maxPrecision)
    if (typeof decimal === 'string') throw this.error(field, expectedDecimal(what, decimal, column))
    if (decimal.mantissa < min) throw this.error(field, `a ${what} above 0`)
    const units = column.units(decimal.mantissa, decimal.decimals)
    if (units >= 0) return units
    if (units === TOO_PRECISE) throw this.error(field, expectedDecimal(what, 'too-precise', column))
    if (units === TOO_LARGE) throw this.error(field, `a ${what} of at most 2^53 - 1 units of 10^-${column.precision}`)
    throw this.error(field, `decimals with which the largest ${what} before stays within 2^53 - 1 units`)
  }

  #column(field: Field): number {
    const column = this.#columns.get(field)
    invariant(column !== undefined, `no column for ${field}`)
    return column
  }
}

function expectedDecimal(what: string, fault: DecimalFault, column: DecimalColumn): string {
  switch (fault) {
    case 'malformed':
      return `a ${what} such as 12.5`
    case 'too-precise':
      return `a ${what} with no more decimals than ${column.maxPrecision}`
    case 'too-large':
      return `a ${what} whose digits are an integer up to 2^53 - 1`
  }
}
