/**
 * Reads plain rows directly from bytes: no quotes, no control characters, integers, decimals and dates of common size.
 *
 * Invariant: `addRow` of its sink would accept an accepted row with the same values; any other row, invalid or merely
 * unusual, is left unchanged for `addRow` to judge. So it never reports an error.
 */
import { CARRIAGE_RETURN, COLON, DIGIT_0, LINE_FEED, MINUS, POINT, QUOTE, SPACE } from '../../domain/ascii.ts'
import { parseIsoTime } from '../../domain/iso-time.ts'
import { HOUR_MS, MINUTE_MS, SECOND_MS } from '../../domain/time.ts'
import type { DecimalColumn } from './decimal-column.ts'
import type { Field } from './field.ts'
import { PlainNumbers, UNUSUAL } from './plain-numbers.ts'
import type { RowSink } from './row-sink.ts'
import type { IntegerTimes, TimeColumn, TimeForm } from './time-column.ts'

const LETTER_T = 0x54
const LETTER_Z = 0x5a

/** Bytes of `2024-08-09`. */
const DATE_BYTES = 10

/**
 * Date reader that also stores details of the last date.
 *
 * Invariant: a date that it takes, `parseIsoTime` would take with the same time. Every reader assumes that the bytes
 * end with something that is no digit, such as a line feed. Known limit: UTC only; a zone is left to be read another
 * way.
 */
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

/** Rows that have taken one, so that the forms of their columns are known. */
export interface ScannedRows extends RowSink {
  readonly time: TimeColumn
}

/** A field that only rows of one kind have. */
export type OwnField = Exclude<Field, 'time' | 'symbol'>

export abstract class RowScanner {
  protected readonly numbers = new PlainNumbers()
  /** End of the cell that was read last. */
  protected end = 0
  /** Unix milliseconds of the row that is being read. */
  protected time = 0
  readonly #rows: ScannedRows
  readonly #fields: readonly (Field | undefined)[]
  readonly #form: TimeForm
  readonly #symbol: Uint8Array
  readonly #dates = new PlainDates()
  readonly #delimiter: number
  #isTimeCut = false

  /**
   * @param rows       receives the rows
   * @param fields     the field of each column
   * @param form       the form of its times
   * @param symbol     the content of its symbol column, if there is one
   * @param delimiter  the byte between two cells
   */
  constructor(
    rows: ScannedRows,
    fields: readonly (Field | undefined)[],
    form: TimeForm,
    symbol: string,
    delimiter: number,
  ) {
    this.#rows = rows
    this.#fields = fields
    this.#form = form
    this.#symbol = Buffer.from(symbol)
    this.#delimiter = delimiter
  }

  /**
   * Scans rows until the block is full or a row is not plain.
   *
   * @param bytes  whole lines in UTF-8: the last byte is a line feed
   * @param start  where the first row begins
   * @returns      start of the first row that was not scanned
   */
  scan(bytes: Uint8Array, start: number): number {
    let at = start
    while (at < bytes.length && !this.#rows.isFull) {
      const next = this.#row(bytes, at)
      if (next === UNUSUAL) return at
      at = next
    }
    return at
  }

  /** Reads a cell and sets `end`; false when it is not plain, or wrong for its field. */
  protected abstract readCell(field: OwnField, bytes: Uint8Array, start: number): boolean

  /** Takes the row that was read, when it may follow the one before. */
  protected abstract take(): boolean

  /** The value in units; below 0 when it is not to be had without a look at the rows before. */
  protected units(column: DecimalColumn, mantissa: number, decimals: number): number {
    return decimals > column.precision ? UNUSUAL : column.units(mantissa, decimals)
  }

  /** True if `word` is at that position; `caseBit` is set in each byte before the comparison. */
  protected is(word: Uint8Array, bytes: Uint8Array, start: number, caseBit: number): boolean {
    for (let index = 0; index < word.length; index += 1) {
      if (((bytes[start + index] ?? 0) | caseBit) !== word[index]) return false
    }
    this.end = start + word.length
    return true
  }

  /** Scans one row and returns the start of the next one. */
  #row(bytes: Uint8Array, start: number): number {
    const fields = this.#fields
    let at = start
    for (let column = 0; column < fields.length; column += 1) {
      if (column > 0) {
        if (bytes[at] !== this.#delimiter) return UNUSUAL
        at += 1
      }
      if (!this.#cell(bytes, at, fields[column])) return UNUSUAL
      at = this.end
    }
    if (bytes[at] === CARRIAGE_RETURN) at += 1
    if (bytes[at] !== LINE_FEED || !this.take()) return UNUSUAL
    if (this.#isTimeCut) this.#rows.time.noteInexact()
    return at + 1
  }

  #cell(bytes: Uint8Array, start: number, field: Field | undefined): boolean {
    if (field === undefined) return this.skip(bytes, start)
    if (field === 'symbol') return this.is(this.#symbol, bytes, start, 0)
    if (field !== 'time') return this.readCell(field, bytes, start)
    if (this.#form === 'serial-days') return false
    return this.#form === 'iso' ? this.#readDate(bytes, start) : this.#readInteger(bytes, start, this.#form)
  }

  #readInteger(bytes: Uint8Array, start: number, form: IntegerTimes): boolean {
    const time = this.numbers.integer(bytes, start, form.cutDigits)
    this.time = time * form.factor
    this.#isTimeCut = this.numbers.hasCut
    this.end = this.numbers.end
    return time >= form.min && time < form.max
  }

  #readDate(bytes: Uint8Array, start: number): boolean {
    this.time = this.#dates.time(bytes, start)
    this.#isTimeCut = this.#dates.hasCut
    this.end = this.#dates.end
    return this.time !== UNUSUAL
  }

  /** Skips a cell, unless it contains a quote. */
  protected skip(bytes: Uint8Array, start: number): boolean {
    const delimiter = this.#delimiter
    let at = start
    let byte = bytes[at] ?? 0
    while (byte >= SPACE && byte !== delimiter && byte !== QUOTE) {
      at += 1
      byte = bytes[at] ?? 0
    }
    this.end = at
    return true
  }
}
