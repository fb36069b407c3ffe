/**
 * Parses a decimal of a file as an exact pair of integers.
 *
 * Known limit: no signs, no blanks, no point without digits on both sides, ASCII digits only; everything else is
 * rejected.
 */

/** The value is `mantissa` x 10^-`decimals`; `decimals` >= 0 is the least that makes the mantissa an integer. */
export interface Decimal {
  /** Integer digits, at most 2^53 - 1. */
  readonly mantissa: number
  readonly decimals: number
}

export type DecimalFault = 'malformed' | 'too-precise' | 'too-large'

/** The usual form, and scientific notation as spreadsheets and pandas write it. */
const DECIMAL = /^([0-9]+)(?:\.([0-9]+))?(?:[eE]([+-]?[0-9]+))?$/

/** Digits of 2^53 - 1. */
const MAX_DIGITS = 16

/**
 * Reads `12.50` as 125 x 10^-1 and `3.844E-5` as 3844 x 10^-8.
 *
 * @param maxDecimals  more decimal digits than these, trailing zeros aside, are too precise
 */
export function parseDecimal(text: string, maxDecimals: number): Decimal | DecimalFault {
  const match = DECIMAL.exec(text)
  if (match === null) return 'malformed'
  const [, whole = '', fraction = '', exponent = '0'] = match
  const digits = (whole + fraction).replace(/^0+/, '')
  if (digits === '') return { mantissa: 0, decimals: 0 }
  const significant = digits.replace(/0+$/, '')
  const decimals = fraction.length - Number(exponent) - (digits.length - significant.length)
  if (decimals > maxDecimals) return 'too-precise'
  const zeros = Math.max(0, -decimals)
  if (significant.length + zeros > MAX_DIGITS) return 'too-large'
  const mantissa = Number(significant + '0'.repeat(zeros))
  return mantissa > Number.MAX_SAFE_INTEGER ? 'too-large' : { mantissa, decimals: Math.max(0, decimals) }
}

/**
 * Decimal text rounded half to even to a maximum of decimal digits; unchanged if it is no decimal.
 *
 * @param decimals  0 to 12
 */
export function roundedDecimal(text: string, decimals: number): string {
  const [, whole = '', fraction = ''] = /^([0-9]+)\.([0-9]+)$/.exec(withoutExponent(text)) ?? []
  if (fraction.length <= decimals) return text
  const lots = BigInt(whole + fraction.slice(0, decimals))
  const rest = fraction.slice(decimals)
  const half = `5${'0'.repeat(rest.length - 1)}`
  const isUp = rest > half || (rest === half && lots % 2n === 1n)
  const digits = String(isUp ? lots + 1n : lots).padStart(decimals + 1, '0')
  return decimals === 0 ? digits : `${digits.slice(0, -decimals)}.${digits.slice(-decimals)}`
}

/** The same value without exponent; unchanged if it has none, or one too large for any amount of money. */
function withoutExponent(text: string): string {
  const [, whole = '', fraction = '', exponent = ''] = /^([0-9]+)(?:\.([0-9]+))?[eE]([+-]?[0-9]{1,2})$/.exec(text) ?? []
  if (exponent === '') return text
  const shift = Number(exponent)
  const digits = '0'.repeat(Math.max(0, 1 - whole.length - shift)) + whole + fraction.padEnd(shift, '0')
  const point = digits.length - Math.max(0, fraction.length - shift)
  return point === digits.length ? digits : `${digits.slice(0, point)}.${digits.slice(point)}`
}
