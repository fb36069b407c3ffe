/**
 * Numbers for people. Only floats are rounded; of an exact decimal digits may be left out, and an ellipsis says so.
 */

const MAX_DECIMALS = 8

const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/** A decimal string cut, not rounded, after 8 decimals: `0.1234567890` is `0.12345678…`. */
export function readableDecimal(text: string): string {
  const [whole = '', decimals = ''] = text.split('.')
  if (decimals === '') return whole
  return decimals.length > MAX_DECIMALS ? `${whole}.${decimals.slice(0, MAX_DECIMALS)}…` : text
}

/** The same with thousands separators: `1,234.5`. */
export function readableAmount(text: string): string {
  const [whole = '', decimals] = readableDecimal(text).split('.')
  return decimals === undefined ? groupThousands(whole) : `${groupThousands(whole)}.${decimals}`
}

/** `1 order`, `1,234 orders`. */
export const readableCount = (count: number, noun: string): string =>
  `${groupThousands(String(count))} ${noun}${count === 1 ? '' : 's'}`

/** A fraction in percent with 2 decimals: 0.0123 is `1.23 %`. */
export function readablePercent(fraction: number): string {
  const text = (fraction * 100).toFixed(2)
  // A loss too small to be seen is not written as minus nothing.
  return `${readableAmount(text === '-0.00' ? '0.00' : text)} %`
}

/** The same with the sign of a change: `+1.23 %`. */
export function readableChange(fraction: number): string {
  const text = readablePercent(fraction)
  return text.startsWith('-') || text === '0.00 %' ? text : `+${text}`
}
