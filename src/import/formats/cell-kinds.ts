/** Kinds of cells, which identify the columns of a sample. */
import { parseIsoTime } from '../../domain/iso-time.ts'
import { dateForm } from './date-forms.ts'

/** Seconds of 1990 and of 2100: in no two units do these times overlap. */
const EARLIEST = 631_152_000
const LATEST = 4_102_444_800
const FINER_UNITS = [1e3, 1e6, 1e9]

const INTEGER = /^\d+$/
const DECIMAL = /^\d+(?:\.\d+)?(?:[eE][+-]?\d+)?$/

export const isInteger = (text: string): boolean => INTEGER.test(text)
const isDecimal = (text: string): boolean => DECIMAL.test(text)
export const isPositive = (text: string): boolean => isDecimal(text) && Number(text) > 0
export const isBoolean = (text: string): boolean => /^(?:true|false)$/i.test(text)
export const isSide = (text: string): boolean => /^(?:buy|sell|b|s)$/i.test(text)

/** All of them integers of one unit, seconds with a fraction, or dates; they need not be in order. */
export function areTimes(texts: readonly string[]): boolean {
  return areUnixTimes(texts) || texts.every((text) => parseIsoTime(text) !== undefined) || isDateForm(texts)
}

const isDateForm = (texts: readonly string[]): boolean => {
  const form = dateForm(texts)
  return form !== undefined
}

/** Seconds; or milliseconds, microseconds or nanoseconds, which may change within a file. */
export const areUnixTimes = (texts: readonly string[]): boolean =>
  texts.every((text) => /^\d+(?:\.\d+)?$/.test(text) && isOfUnit(text, 1)) ||
  texts.every((text) => isInteger(text) && FINER_UNITS.some((unit) => isOfUnit(text, unit)))

const isOfUnit = (text: string, unit: number): boolean =>
  Number(text) >= EARLIEST * unit && Number(text) <= LATEST * unit

export const isRising = (texts: readonly string[]): boolean =>
  texts.every((text, index) => index === 0 || Number(text) >= Number(texts[index - 1]))

/** Open, high, low and close of every row are what these are. */
export const areCandles = (rows: readonly (readonly (string | undefined)[])[]): boolean =>
  rows.every((row) => {
    if (!row.every((text) => text !== undefined && isPositive(text))) return false
    const [open = 0, high = 0, low = 0, close = 0] = row.map(Number)
    return low <= Math.min(open, close) && high >= Math.max(open, close)
  })
