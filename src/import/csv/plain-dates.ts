/**
 * Dates and date-times read straight from bytes, when they are plain: `2024-08-09`, `2024-08-09 12:30`,
 * `2024-08-09T12:30:00.5Z`.
 *
 * Invariant: a date that it takes, `parseIsoTime` would take with the same time. Every reader assumes that the bytes
 * end with something that is no digit, such as a line feed. Known limit: UTC only; a zone is left to be read another
 * way.
 */
import { COLON, DIGIT_0, MINUS, POINT, SPACE } from '../../domain/ascii.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { SECOND_MS, MINUTE_MS, HOUR_MS } from '../../domain/time.ts'
import { UNUSUAL } from './plain-numbers.ts'

const LETTER_T = 0x54
const LETTER_Z = 0x5a

/** Bytes of `2024-08-09`. */
const DATE_BYTES = 10

/** Date reader that also stores details of the last date. */
export class PlainDates {
  /** End of the last date: the index after its last byte. */
  end = 0
  /** True when it was finer than a millisecond. */
  hasCut = false
  /**
   * The digits of the last day, as one number, and its beginning in Unix milliseconds; UNUSUAL for a day that is not
   * one.
   */
  #day = 0
  #dayTime = UNUSUAL

  /** Unix milliseconds from 1970 on; UNUSUAL when it is not plain. */
  time(bytes: Uint8Array, start: number): number {
    this.hasCut = false
    this.end = start + DATE_BYTES
    const dayTime = this.#readDay(bytes, start)
    const after = bytes[this.end]
    if (dayTime === UNUSUAL || (after !== SPACE && after !== LETTER_T)) return dayTime
    const timeOfDay = this.#readTimeOfDay(bytes, this.end + 1)
    if (timeOfDay === UNUSUAL) return UNUSUAL
    if (bytes[this.end] === LETTER_Z) this.end += 1
    return dayTime + timeOfDay
  }

  #readDay(bytes: Uint8Array, start: number): number {
    const century = twoDigits(bytes, start)
    const year = twoDigits(bytes, start + 2)
    const month = twoDigits(bytes, start + 5)
    const day = twoDigits(bytes, start + 8)
    if (century < 0 || year < 0 || month < 0 || day < 0) return UNUSUAL
    if (bytes[start + 4] !== MINUS || bytes[start + 7] !== MINUS) return UNUSUAL
    const digits = century * 1_000_000 + year * 10_000 + month * 100 + day
    if (digits !== this.#day) {
      this.#day = digits
      this.#dayTime = dayTime(bytes, start)
    }
    return this.#dayTime
  }

  #readTimeOfDay(bytes: Uint8Array, start: number): number {
    const hour = twoDigits(bytes, start)
    const minute = twoDigits(bytes, start + 3)
    if (hour < 0 || minute < 0 || hour > 23 || minute > 59 || bytes[start + 2] !== COLON) return UNUSUAL
    this.end = start + 5
    const time = hour * HOUR_MS + minute * MINUTE_MS
    if (bytes[this.end] !== COLON) return time
    const second = twoDigits(bytes, start + 6)
    if (second < 0 || second > 59) return UNUSUAL
    this.end = start + 8
    const whole = time + second * SECOND_MS
    return bytes[this.end] === POINT ? this.#withFraction(bytes, whole) : whole
  }

  #withFraction(bytes: Uint8Array, whole: number): number {
    let at = this.end + 1
    let scale = 100
    let time = whole
    for (let digit = digitAt(bytes, at); digit >= 0; digit = digitAt(bytes, at)) {
      if (scale >= 1) time += digit * scale
      else if (digit > 0) this.hasCut = true
      scale /= 10
      at += 1
    }
    if (at === this.end + 1) return UNUSUAL
    this.end = at
    return time
  }
}

/** Time of a new day, parsed slowly because it is rare. */
function dayTime(bytes: Uint8Array, start: number): number {
  const text = String.fromCharCode(...bytes.subarray(start, start + DATE_BYTES))
  const time = parseIsoTime(text)?.time ?? UNUSUAL
  return time < 0 ? UNUSUAL : time
}

/** 0 to 9; below 0 or above 9 for another byte, which is below 0 here. */
function digitAt(bytes: Uint8Array, at: number): number {
  const digit = (bytes[at] ?? 0) - DIGIT_0
  return digit > 9 ? UNUSUAL : digit
}

/** Two digits as a number; below 0 when one of them is none. */
function twoDigits(bytes: Uint8Array, at: number): number {
  const tens = digitAt(bytes, at)
  const ones = digitAt(bytes, at + 1)
  return tens < 0 || ones < 0 ? UNUSUAL : tens * 10 + ones
}
