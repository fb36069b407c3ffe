/**
 * Lengths of candles beyond the listed intervals: any whole number of seconds up to a year, as a strategy writes it, such as `'3m'` or `'2h'`.
 *
 * They begin on multiples of their length since 1970-01-01 UTC, whole weeks on Mondays.
 */
import { CANDLE_INTERVAL_NAMES, candleOpenTime, type CandleInterval } from './candle.ts'
import { InputError } from './errors.ts'
import { nearestNameHint } from './nearest-name.ts'

/** A whole number of seconds, minutes, hours, days or weeks, such as `'10m'`, `'2h'` or `'1w'`. */
export type CandleLength = CandleInterval | `${number}${'s' | 'm' | 'h' | 'd' | 'w'}`

const UNIT_MS = { s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000, w: 604_800_000 } as const
/** Of a length of time that a strategy asks for; milliseconds. */
export const LONGEST_MS = 366 * UNIT_MS.d
/** Monday, 1970-01-05. */
const FIRST_MONDAY = 4 * UNIT_MS.d

/** Milliseconds. @throws {InputError} for what is no length, or too long */
export function lengthMsOf(length: string): number {
  const ms = knownLengthMs(length)
  if (ms !== undefined) return ms
  const known = `there are ${CANDLE_INTERVAL_NAMES.join(', ')}, 1w, and multiples up to 366d, such as 10m or 2h`
  throw new InputError(
    'interval',
    `no candles of '${length}'; ${known}${nearestNameHint(length, CANDLE_INTERVAL_NAMES)}`,
  )
}

/** Milliseconds; undefined for what is no length, or too long. */
export function knownLengthMs(length: string): number | undefined {
  const [, digits = '', unit = ''] = /^([1-9]\d{0,7})([smhdw])$/.exec(length) ?? []
  const ms = unit === '' ? 0 : Number(digits) * UNIT_MS[unit as keyof typeof UNIT_MS]
  return ms > 0 && ms <= LONGEST_MS ? ms : undefined
}

/** Its shortest name: 60000 is `'1m'`. Undefined for what is no whole number of seconds. */
export function lengthNameOf(ms: number): CandleLength | undefined {
  const units = Object.entries(UNIT_MS).reverse() as readonly (readonly [keyof typeof UNIT_MS, number])[]
  const [unit, unitMs] = units.find(([, each]) => ms % each === 0) ?? []
  return unit === undefined || unitMs === undefined ? undefined : `${ms / unitMs}${unit}`
}

/** Opening time of the candle of that length that holds `time`. */
export function openTimeOf(time: number, lengthMs: number): number {
  const shift = lengthMs % UNIT_MS.w === 0 ? FIRST_MONDAY : 0
  return candleOpenTime(time - shift, lengthMs) + shift
}
