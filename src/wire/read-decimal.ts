/**
 * Parses decimal strings of the service as exact numbers: only strings of the specification's two patterns (section 1).
 *
 * Leading zeros, and trailing ones beyond a market's precision, are ignored; any other digit beyond it is a fault,
 * because it would be lost.
 */

const NON_NEGATIVE = /^[0-9]+(?:\.[0-9]+)?$/
const SIGNED = /^[+-]?[0-9]+(?:\.[0-9]+)?$/

/** More than a Decimal reckons with. */
const MAX_DIGITS = 64
/** Every integer of so many digits is a safe one. */
const SAFE_DIGITS = 15
import { DIGIT_0 } from '../domain/ascii.ts'

/** Describes an invalid decimal; a class, because a valid one is a string. */
export class DecimalFault {
  readonly expected: string

  constructor(expected: string) {
    this.expected = expected
  }
}

const NO_DECIMAL = new DecimalFault('a non-negative decimal string')
const NO_SIGNED_DECIMAL = new DecimalFault('a signed decimal string')
const TOO_MANY_DIGITS = new DecimalFault(`a decimal of at most ${MAX_DIGITS} digits`)

/** Digits before and after the point, without leading and trailing zeros. */
interface Digits {
  /** Empty for zero. */
  readonly whole: string
  readonly fraction: string
}

/** Integer of 10^-decimals, for a value that may have more than 2^53 - 1 of them. */
export function amountOf(text: string, decimals: number): bigint | DecimalFault {
  const digits = NON_NEGATIVE.test(text) ? scaled(digitsOf(text), decimals) : NO_DECIMAL
  return digits instanceof DecimalFault ? digits : BigInt(digits)
}

/** Integer of 10^-decimals: ticks or lots. */
export function unitsOf(text: string, decimals: number): number | DecimalFault {
  const digits = NON_NEGATIVE.test(text) ? scaled(digitsOf(text), decimals) : NO_DECIMAL
  if (digits instanceof DecimalFault) return digits
  if (digits.length <= SAFE_DIGITS) return Number(digits)
  const units = BigInt(digits)
  if (units <= BigInt(Number.MAX_SAFE_INTEGER)) return Number(units)
  return new DecimalFault(`at most 2^53 - 1 units of 10^-${decimals}`)
}

/** The same value in its shortest form: `0012.50` is `12.5`. */
export function plainDecimal(text: string): string | DecimalFault {
  return NON_NEGATIVE.test(text) ? shortest(digitsOf(text)) : NO_DECIMAL
}

/** Like `plainDecimal`, with a minus sign for negative values; zero has none. */
export function plainSignedDecimal(text: string): string | DecimalFault {
  if (!SIGNED.test(text)) return NO_SIGNED_DECIMAL
  const magnitude = shortest(digitsOf(text.replace(/^[+-]/, '')))
  if (magnitude instanceof DecimalFault || magnitude === '0') return magnitude
  return text.startsWith('-') ? `-${magnitude}` : magnitude
}

function digitsOf(text: string): Digits {
  const point = text.indexOf('.')
  const end = point < 0 ? text.length : point
  let start = 0
  while (start < end && text.charCodeAt(start) === DIGIT_0) start += 1
  let last = text.length
  if (point >= 0) while (last > point + 1 && text.charCodeAt(last - 1) === DIGIT_0) last -= 1
  return { whole: text.slice(start, end), fraction: point < 0 ? '' : text.slice(point + 1, last) }
}

function scaled({ whole, fraction }: Digits, decimals: number): string | DecimalFault {
  if (fraction.length > decimals) return new DecimalFault(`at most ${decimals} decimals`)
  if (whole.length + decimals > MAX_DIGITS) return TOO_MANY_DIGITS
  return whole + fraction.padEnd(decimals, '0') || '0'
}

function shortest({ whole, fraction }: Digits): string | DecimalFault {
  if (whole.length + fraction.length > MAX_DIGITS) return TOO_MANY_DIGITS
  return fraction === '' ? whole || '0' : `${whole || '0'}.${fraction}`
}
