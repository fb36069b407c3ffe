/**
 * Numbers and times as people read them. A decimal stays the text that it came as: digits are grouped, none is rounded
 * away.
 */
import { DAY_MS } from '../../src/domain/time.ts'

/** `1234567.50` as `1,234,567.50`, as on the terminal. */
export function grouped(decimal: string): string {
  const [, sign = '', whole = '', rest = ''] = /^([+-]?)(\d+)(.*)$/.exec(decimal) ?? []
  return whole === '' ? decimal : `${sign}${whole.replaceAll(/\B(?=(\d{3})+$)/g, ',')}${rest}`
}

/** Money with at most so many digits behind the point, for looking at. */
export function shortly(decimal: string, digits: number): string {
  const [whole = '', rest = ''] = decimal.split('.')
  return grouped(digits === 0 || rest === '' ? whole : `${whole}.${rest.slice(0, digits)}`)
}

/** Without the zeros at the end, grouped. */
export const trimmed = (decimal: string): string =>
  grouped(decimal.includes('.') ? decimal.replace(/\.?0+$/, '') : decimal)

export const signed = (decimal: string): string =>
  /^[+-]/.test(decimal) || /^0(\.0*)?$/.test(decimal) ? decimal : `+${decimal}`

export const toneOf = (decimal: string | number): string => {
  const value = Number(decimal)
  return value > 0 ? 'up' : value < 0 ? 'down' : ''
}

/** `BTC_USD` as `BTC / USD`. */
export const marketWords = (symbol: string): string => symbol.replace('_', ' / ')

/** `BUY` as `Buy`. */
export const sideWords = (side: string): string => `${side.slice(0, 1)}${side.slice(1).toLowerCase()}`

/** Time of day in UTC. */
export const clockTime = (ms: number): string => new Date(ms).toISOString().slice(11, 19)

export const dateTime = (ms: number): string => new Date(ms).toISOString().slice(0, 19).replace('T', ' ')

/** Time of day with milliseconds in UTC; with its date if that is another day than `now`'s. */
export const exactTime = (ms: number, now: number): string =>
  Math.floor(ms / DAY_MS) === Math.floor(now / DAY_MS) ? new Date(ms).toISOString().slice(11, 23) : dateTime(ms)

/** Time of day in UTC; the date instead if that is another day than `now`'s. */
export const shortTime = (ms: number, now: number): string =>
  Math.floor(ms / DAY_MS) === Math.floor(now / DAY_MS) ? clockTime(ms) : dateTime(ms).slice(0, 10)

export const percent = (value: number): string => `${value > 0 ? '+' : ''}${value.toFixed(2)} %`

const UNITS = [
  [86_400_000, 'd'],
  [3_600_000, 'h'],
  [60_000, 'min'],
  [1_000, 's'],
] as const

/** `300000` as `5 min`: in the largest unit that divides it. */
export function lengthWords(ms: number): string {
  const [unit, name] = UNITS.find(([each]) => ms % each === 0) ?? [1, 'ms']
  return `${ms / unit} ${name}`
}
