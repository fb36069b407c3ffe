/**
 * Exact conversion of decimal text to scaled integers and back.
 *
 * A price is an integer of ticks (10^-pricePrecision), a quantity of lots, an amount of money of ledger units;
 * `decimals` below is always the number of decimal digits of one unit.
 */
import { DIGIT_0, DIGIT_9, POINT } from './ascii.ts'
import { InvariantError } from './errors.ts'

/** The longest decimal text that is read (decision 29). */
const MAX_DECIMAL_LENGTH = 40

export type FixedPointFault = 'malformed' | 'too-long' | 'too-precise' | 'too-large'

export type ParsedFixed<T> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: FixedPointFault }

const NON_NEGATIVE = /^[0-9]+(?:\.[0-9]+)?$/
const SIGNED = /^[+-]?[0-9]+(?:\.[0-9]+)?$/

const fail = (fault: FixedPointFault): { ok: false; fault: FixedPointFault } => ({ ok: false, fault })

/** Digits of `text` without its point, padded to `decimals` decimal digits; undefined if it has more. */
function scaledDigits(text: string, decimals: number): string | undefined {
  const point = text.indexOf('.')
  if (point < 0) return text + '0'.repeat(decimals)
  const given = text.length - point - 1
  if (given > decimals) return undefined
  return text.slice(0, point) + text.slice(point + 1) + '0'.repeat(decimals - given)
}

/**
 * Reads a non-negative decimal (section 1) as a safe integer of units.
 *
 * More decimals than allowed is `too-precise` even when they are zeros; more than 2^53 - 1 units is `too-large`
 * (decision 29).
 */
export function parseUnits(text: string, decimals: number): ParsedFixed<number> {
  const units = fewUnits(text, decimals)
  if (units >= 0) return { ok: true, value: units }
  const parsed = parseAmount(text, decimals)
  if (!parsed.ok) return parsed
  if (parsed.value < 0n || text.startsWith('-') || text.startsWith('+')) return fail('malformed')
  if (parsed.value > BigInt(Number.MAX_SAFE_INTEGER)) return fail('too-large')
  return { ok: true, value: Number(parsed.value) }
}

/** Maximum of digits that a double represents exactly. */
const FEW_DIGITS = 15
const NOT_FEW = -1

/** Units of a plain decimal that has few digits in all; NOT_FEW for any other text. */
function fewUnits(text: string, decimals: number): number {
  const { length } = text
  if (length > FEW_DIGITS) return NOT_FEW
  let units = 0
  let point = NOT_FEW
  for (let at = 0; at < length; at += 1) {
    const code = text.charCodeAt(at)
    if (code >= DIGIT_0 && code <= DIGIT_9) units = units * 10 + (code - DIGIT_0)
    else if (code === POINT && point < 0 && at > 0) point = at
    else return NOT_FEW
  }
  const given = point < 0 ? 0 : length - point - 1
  if (length + decimals - given > FEW_DIGITS || given > decimals || length === 0 || point === length - 1) return NOT_FEW
  for (let digit = given; digit < decimals; digit += 1) units *= 10
  return units
}

/** Reads a signed decimal (section 1) as an integer of units of any size. */
export function parseAmount(text: string, decimals: number): ParsedFixed<bigint> {
  if (text.length > MAX_DECIMAL_LENGTH) return fail('too-long')
  if (!SIGNED.test(text)) return fail('malformed')
  const negative = text.startsWith('-')
  const digits = scaledDigits(text.replace(/^[+-]/, ''), decimals)
  if (digits === undefined) return fail('too-precise')
  const value = BigInt(digits)
  return { ok: true, value: negative ? -value : value }
}

/**
 * True when `text` is a non-negative decimal string of the specification (section 1), in ASCII digits, of at most 40
 * characters.
 */
export const isDecimalString = (text: string): boolean => text.length <= MAX_DECIMAL_LENGTH && NON_NEGATIVE.test(text)

/** Describes the fault of a value that allows `decimals` decimal digits. */
export function faultMessage(fault: FixedPointFault, text: string, decimals: number): string {
  switch (fault) {
    case 'malformed':
      return `expected a decimal such as 12.5, got '${text.slice(0, MAX_DECIMAL_LENGTH)}'`
    case 'too-long':
      return `expected at most ${MAX_DECIMAL_LENGTH} characters, got ${text.length}`
    case 'too-precise':
      return `'${text}' has more than ${decimals} decimals`
    case 'too-large':
      return `'${text}' is more than 2^53 - 1 units of 10^-${decimals}`
  }
}

/** Formats units with exactly `decimals` decimal digits: `formatUnits(1250, 2)` is `12.50`. */
export function formatUnits(units: number | bigint, decimals: number): string {
  if (typeof units === 'number' && !Number.isSafeInteger(units))
    throw new InvariantError(`${units} units are not exact`)
  const negative = units < 0
  const digits = String(negative ? -units : units)
  const sign = negative ? '-' : ''
  if (decimals === 0) return sign + digits
  if (digits.length > decimals) return `${sign}${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
  return `${sign}0.${digits.padStart(decimals, '0')}`
}

/** Writes units without trailing zeros: `formatTrimmed(1250, 2)` is `12.5`, zero is `0`. */
export function formatTrimmed(units: number | bigint, decimals: number): string {
  const text = formatUnits(units, decimals)
  if (decimals === 0) return text
  let end = text.length
  while (text.charCodeAt(end - 1) === DIGIT_0) end -= 1
  return text.slice(0, text.charCodeAt(end - 1) === POINT ? end - 1 : end)
}

/** Quotient rounded half to even. `denominator` > 0. */
export function divideHalfEven(numerator: bigint, denominator: bigint): bigint {
  if (denominator <= 0n) throw new InvariantError('denominator must be positive')
  const negative = numerator < 0n
  const magnitude = negative ? -numerator : numerator
  const quotient = magnitude / denominator
  const twice = (magnitude % denominator) * 2n
  const up = twice > denominator || (twice === denominator && quotient % 2n === 1n)
  const rounded = up ? quotient + 1n : quotient
  return negative ? -rounded : rounded
}

/** Quotient rounded up. `numerator` >= 0, `denominator` > 0. */
export function divideUp(numerator: bigint, denominator: bigint): bigint {
  if (numerator < 0n || denominator <= 0n) throw new InvariantError('divideUp is for a non-negative quotient')
  return (numerator + denominator - 1n) / denominator
}

const POWERS_OF_TEN: readonly bigint[] = Array.from({ length: 65 }, (_, exponent) => 10n ** BigInt(exponent))

/** 10^exponent, exactly. `exponent` >= 0. */
export function powerOfTen(exponent: number): bigint {
  return POWERS_OF_TEN[exponent] ?? 10n ** BigInt(exponent)
}
