/**
 * A decimal of a file as an exact pair of integers.
 *
 * Known limit: no signs, no blanks, no point without digits on both sides, ASCII digits only; whatever else a file holds is refused.
 */

/** The value is `mantissa` x 10^-`decimals`; `decimals` >= 0 is the least that makes the mantissa an integer. */
export interface Decimal {
  /** At most 2^53 - 1. */
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
 * @param maxDecimals  more digits than these behind the point, trailing zeros aside, are too precise
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
