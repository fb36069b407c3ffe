/**
 * Lengths of candles beyond the listed intervals: any whole number of seconds up to a year, as a strategy writes it,
 * such as `'3m'` or `'2h'`, and months.
 *
 * Candles begin on multiples of their length since 1970-01-01 UTC, whole weeks on Mondays, months on the first day.
 */
import { CANDLE_INTERVAL_NAMES, candleOpenTime, type CandleInterval } from './candle.ts'
import { InputError } from './errors.ts'
import { monthsLater, monthsOf, MONTH_MS, monthStart, monthIndex } from './calendar.ts'
import { nearestNameHint } from './nearest-name.ts'
import { DAY_MS, HOUR_MS, MINUTE_MS, SECOND_MS, WEEK_MS } from './time.ts'

/** A whole number of seconds, minutes, hours, days, weeks or months, such as `'10m'`, `'2h'`, `'1w'` or `'1M'`. */
export type CandleLength = CandleInterval | `${number}${'s' | 'm' | 'h' | 'd' | 'w' | 'M'}`

/** Common lengths, shortest first, as offered by strategy parameters. `candles` accepts others too. */
export const CANDLE_LENGTH_NAMES: readonly (CandleInterval | '1w' | '1M')[] = [...CANDLE_INTERVAL_NAMES, '1w', '1M']

const UNIT_MS = { s: SECOND_MS, m: MINUTE_MS, h: HOUR_MS, d: DAY_MS, w: WEEK_MS } as const
/** Maximum length that a strategy can ask for, milliseconds. */
export const LONGEST_MS = 366 * UNIT_MS.d
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4 * UNIT_MS.d

/**
 * Milliseconds; for months the mean that represents them.
 *
 * @throws {InputError} if it is no length, or too long
 */
export function lengthMsOf(length: string): number {
  const ms = knownLengthMs(length) ?? monthsMs(length)
  if (ms !== undefined) return ms
  const known = `there are ${CANDLE_INTERVAL_NAMES.join(', ')}, 1w, 1M, and multiples up to 366d, such as 10m or 2h`
  throw new InputError(
    'interval',
    `no candles of '${length}'; ${known}${nearestNameHint(length, CANDLE_INTERVAL_NAMES)}`,
  )
}

/** Milliseconds; undefined for months, for an invalid length, or one too long. */
export function knownLengthMs(length: string): number | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,7})([smhdw])$/.exec(length) ?? []
  const ms = unit === '' ? 0 : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined
}

function monthsMs(length: string): number | undefined {
  const [, digits] = /^([1-9]|1[0-2])M$/.exec(length) ?? []
  return digits === undefined ? undefined : Number(digits) * MONTH_MS
}

/** Shortest name: 60000 is `'1m'`. Undefined unless it is a whole number of seconds. */
export function lengthNameOf(ms: number): CandleLength | undefined {
  const months = monthsOf(ms)
  if (months !== undefined) return `${months}M`
  const units = Object.entries(UNIT_MS).reverse() as readonly (readonly [keyof typeof UNIT_MS, number])[]
  const [unit, unitMs] = units.find(([, each]) => ms % each === 0) ?? []
  return unit === undefined || unitMs === undefined ? undefined : `${ms / unitMs}${unit}`
}

/** Its shortest name, or milliseconds: `1m`, `1500 ms`. */
export const lengthText = (ms: number): string => lengthNameOf(ms) ?? `${ms} ms`

/** Opening time of the candle of that length that holds `time`. */
export function openTimeOf(time: number, lengthMs: number): number {
  const months = monthsOf(lengthMs)
  if (months !== undefined) return monthStart(Math.floor(monthIndex(time) / months) * months)
  const shift = lengthMs % UNIT_MS.w === 0 ? FIRST_MONDAY : 0
  return candleOpenTime(time - shift, lengthMs) + shift
}

/** End of a candle of that length, which is the opening time of the one after it. */
export function closeTimeOf(openTime: number, lengthMs: number): number {
  const months = monthsOf(lengthMs)
  return months === undefined ? openTime + lengthMs : monthsLater(openTime, months)
}
