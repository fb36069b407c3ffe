/** Prices and quantities of one market as integers of units, in the fewest decimals that hold all of them so far. */
import { DIGIT_0, DIGIT_9, POINT } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { DecimalColumn, TOO_LARGE, TOO_PRECISE } from '../../import/csv/decimal-column.ts'
import { parseDecimal, type Decimal, type DecimalFault } from '../../import/csv/decimal-text.ts'

/** Maximum of digits that a double represents exactly. */
const FEW_DIGITS = 15
const NONE = -1

export class ExactUnits {
  readonly #what: string
  readonly #column: DecimalColumn
  #decimals = 0

  /**
   * @param what       for errors: `price`
   * @param precision  decimal digits, 0 to 12; detected if undefined
   */
  constructor(what: string, precision?: number) {
    this.#what = what
    this.#column = new DecimalColumn(precision)
  }

  /** Decimal digits of the units returned last; it only grows. */
  get precision(): number {
    return this.#column.precision
  }

  /**
   * Units of a decimal, >= 0.
   *
   * @throws {InputError} when it is none, or does not fit into a safe integer of units
   */
  of(text: string, where: string): number {
    const mantissa = this.#fewDigits(text)
    if (mantissa !== NONE) return this.#units(mantissa, this.#decimals, text, where)
    const decimal: Decimal | DecimalFault = parseDecimal(text, this.#column.maxPrecision)
    if (typeof decimal === 'object') return this.#units(decimal.mantissa, decimal.decimals, text, where)
    if (decimal === 'malformed') throw this.#fault(where, `a ${this.#what} such as 12.5`, text)
    throw decimal === 'too-precise' ? this.#tooPrecise(where, text) : this.#tooLarge(where, text)
  }

  #units(mantissa: number, decimals: number, text: string, where: string): number {
    const units = this.#column.units(mantissa, decimals)
    if (units >= 0) return units
    if (units === TOO_PRECISE) throw this.#tooPrecise(where, text)
    if (units === TOO_LARGE) throw this.#tooLarge(where, text)
    throw this.#fault(where, `decimals with which the largest ${this.#what} before stays within 2^53 - 1 units`, text)
  }

  /** Digits of a plain decimal with few digits, without trailing zeros; NONE for any other text. */
  #fewDigits(text: string): number {
    const { length } = text
    if (length === 0 || length > FEW_DIGITS) return NONE
    let mantissa = 0
    let point = length
    for (let at = 0; at < length; at += 1) {
      const code = text.charCodeAt(at)
      if (code >= DIGIT_0 && code <= DIGIT_9) mantissa = mantissa * 10 + (code - DIGIT_0)
      else if (code === POINT && point === length && at > 0 && at < length - 1) point = at
      else return NONE
    }
    let decimals = Math.max(0, length - point - 1)
    if (mantissa === 0) decimals = 0
    while (decimals > 0 && mantissa % 10 === 0) {
      mantissa /= 10
      decimals -= 1
    }
    this.#decimals = decimals
    return mantissa
  }

  #tooPrecise(where: string, text: string): InputError {
    return this.#fault(where, `a ${this.#what} with at most ${this.#column.maxPrecision} decimals`, text)
  }

  #tooLarge(where: string, text: string): InputError {
    return this.#fault(where, `a ${this.#what} of at most 2^53 - 1 units`, text)
  }

  #fault(where: string, expected: string, text: string): InputError {
    return new InputError(where, `expected ${expected}, got '${escapedExcerpt(text)}'`)
  }
}
