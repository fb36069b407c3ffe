/**
 * Numbers, durations and periods as people read them. Times are in UTC.
 *
 * Invariant: only floats are rounded; of an exact decimal digits may be left out, and an ellipsis says so.
 */
import { DAY_MS, HOUR_MS, isoTime, MINUTE_MS, SECOND_MS } from '../domain/time.ts'

const MAX_DECIMALS = 8

const UNITS = [
  ['d', DAY_MS],
  ['h', HOUR_MS],
  ['min', MINUTE_MS],
  ['s', SECOND_MS],
  ['ms', 1],
] as const

const groupThousands = (digits: string): string => digits.replace(/\B(?=(?:\d{3})+$)/g, ',')

/**
 * A decimal string cut, not rounded, after some decimals: `0.1234567890` is `0.12345678…`. Below 1 two significant
 * digits are kept, up to 8 decimals: `0.001234` is `0.0012…` after 2 decimals.
 */
export function readableDecimal(text: string, decimals = MAX_DECIMALS): string {
  const [whole = '', rest = ''] = text.split('.')
  if (rest === '') return whole
  const isSmall = /^[+-]?0$/.test(whole)
  const places = isSmall ? Math.min(MAX_DECIMALS, Math.max(decimals, rest.search(/[1-9]/) + 2)) : decimals
  if (rest.length <= places) return text
  return places === 0 ? `${whole}…` : `${whole}.${rest.slice(0, places)}…`
}

/** The same with thousands separators: `1,234.5`. */
export function readableAmount(text: string, most = MAX_DECIMALS): string {
  const [whole = '', decimals] = readableDecimal(text, most).split('.')
  return decimals === undefined ? groupThousands(whole) : `${groupThousands(whole)}.${decimals}`
}

/** The same with the sign of a change: `+1,234.5`. */
export function readableSigned(text: string, most = MAX_DECIMALS): string {
  const isGain = !text.startsWith('-') && /[1-9]/.test(text)
  return `${isGain ? '+' : ''}${readableAmount(text, most)}`
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

/**
 * A duration, exact to the millisecond: `1 min 2 s 50 ms`; parts of 0 are left out, and no time at all is `0 ms`. `ms`
 * is an integer of 0 or more.
 */
export function readableDuration(ms: number): string {
  let left = ms
  const parts: string[] = []
  for (const [unit, length] of UNITS) {
    const count = Math.floor(left / length)
    if (count > 0) parts.push(`${count} ${unit}`)
    left -= count * length
  }
  return parts.length === 0 ? '0 ms' : parts.join(' ')
}

/** The same, cut to the largest unit with at least 20 of it: `29 d`, `36 h`. */
export function roughDuration(ms: number): string {
  const [, unit] = UNITS.find(([, length]) => ms >= 20 * length) ?? ['ms', 1]
  return readableDuration(Math.floor(ms / unit) * unit)
}

/**
 * A period as precisely as its length deserves: dates beyond 30 days or from midnight to midnight, milliseconds below a
 * minute, minutes when it ends on another date, else seconds. Finer digits are left out, not rounded.
 *
 * @param from  Unix milliseconds, <= to
 */
export function readablePeriod(from: number, to: number): string {
  const isWholeDays = from % DAY_MS === 0 && to % DAY_MS === 0
  if (isWholeDays || to - from > 30 * DAY_MS) return `${dateOf(from)} to ${dateOf(to)}`
  const isOneDate = dateOf(from) === dateOf(to)
  const clock = clockFor(to - from, isOneDate)
  const end = isOneDate ? clock(to) : `${dateOf(to)} ${clock(to)}`
  return `${dateOf(from)} ${clock(from)} to ${end} UTC`
}

const dateOf = (time: number): string => isoTime(time).slice(0, isoTime(time).indexOf('T'))

/** Writes the time of day in the digits that suit a period of `spanMs`; two dates leave no room for seconds. */
function clockFor(spanMs: number, isOneDate: boolean): (time: number) => string {
  const pattern = isOneDate ? 'HH:MM:SS' : 'HH:MM'
  const { length } = spanMs < MINUTE_MS ? 'HH:MM:SS.mmm' : pattern
  return (time) =>
    isoTime(time)
      .slice(isoTime(time).indexOf('T') + 1)
      .slice(0, length)
}
