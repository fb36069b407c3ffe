/**
 * The rows of a series as they are read from a file, CSV or JSON: each is checked, and passed on.
 *
 * Invariant: times rise from row to row, so that a row never arrives before an older one.
 */
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { isoTime } from '../../domain/time.ts'
import { HEADER_NAMES } from '../../import/csv/field.ts'
import type { Reading } from '../../import/csv/reading.ts'
import type { RecordIntake } from '../../import/csv/row-intake.ts'
import { TimeColumn } from '../../import/csv/time-column.ts'
import { withoutFraction } from '../../import/formats/csv-headers.ts'
import { isJsonObject, jsonKind, textOf, type JsonElement, type JsonValue } from '../../import/json/json-value.ts'
import type { SpooledSeriesRow } from './inspected-series.ts'

const TIME_NAMES = HEADER_NAMES.time

/**
 * The name of the time among the names of columns: `timestamp` first, then those that tapes may have.
 *
 * @throws {InputError} for several of the latter: a date without its time of day would arrive hours too early
 */
export function timeNameIn(place: string, names: readonly string[]): string | undefined {
  const exact = names.find((name) => name.toLowerCase() === 'timestamp')
  if (exact !== undefined) return exact
  const [name, other] = names.filter((each) => TIME_NAMES.includes(each.toLowerCase()))
  if (name === undefined || other === undefined) return name
  throw new InputError(
    place,
    `expected one column of times, got '${name}' and '${other}': name the one to use 'timestamp', with the date and the time of day in it`,
  )
}

/** Checks the rows of a file, and passes each on. */
export class CheckedRows {
  rows = 0
  from = 0
  to = -1
  readonly #time: TimeColumn
  readonly #take: (row: SpooledSeriesRow) => void

  /** @param isMs  times are milliseconds, whatever their size @param zone  of dates without one; default: UTC */
  constructor(take: (row: SpooledSeriesRow) => void, isMs = false, zone?: string) {
    this.#time = new TimeColumn(isMs, undefined, zone)
    this.#take = take
  }

  /** @param place  of the time @param cells  an empty text for an empty cell */
  add(place: string, time: string, cells: readonly string[]): void {
    const timestamp = this.#time.parse(withoutFraction(time))
    if (typeof timestamp !== 'number')
      throw new InputError(place, `expected ${timestamp.expected}, got '${escapedExcerpt(time)}'`)
    if (timestamp <= this.to) {
      const found = timestamp === this.to ? 'the same' : isoTime(timestamp)
      throw new InputError(place, `expected a time after that of the row before, ${isoTime(this.to)}, got ${found}`)
    }
    if (this.rows === 0) this.from = timestamp
    this.to = timestamp
    this.rows += 1
    this.#take([timestamp, ...cells.map((cell) => (cell === '' ? null : cell))])
  }
}

/** Receives the error of a wrong row, which is then left out. */
export type OnWrong = (error: InputError) => void

/** @throws {InputError} of a wrong row, unless there is a listener */
function addRow(add: () => void, onWrong: OnWrong | undefined): void {
  try {
    add()
  } catch (error) {
    if (onWrong === undefined || !(error instanceof InputError)) throw error
    onWrong(error)
  }
}

/** Takes the records of a CSV file: the header, then rows of as many cells. */
export class SeriesIntake implements RecordIntake {
  readonly reading: Reading
  /** Rows are spooled as they come. */
  readonly sink = undefined
  readonly isOver = false
  names: readonly string[] = []
  #timeAt = -1
  readonly #file: string
  readonly #rows: CheckedRows
  readonly #onWrong: OnWrong | undefined

  constructor(file: string, reading: Reading, rows: CheckedRows, onWrong?: OnWrong) {
    this.#file = file
    this.reading = reading
    this.#rows = rows
    this.#onWrong = onWrong
  }

  scanner(): undefined {
    return undefined
  }

  add(record: readonly string[], line: number): void {
    if (line <= this.reading.skippedLines || (record.length === 1 && record[0] === '')) return
    const place = `${this.#file}:${line}`
    if (this.#timeAt < 0) {
      this.#begin(place, record)
      return
    }
    addRow(() => {
      this.#row(place, record)
    }, this.#onWrong)
  }

  #row(place: string, record: readonly string[]): void {
    if (record.length !== this.names.length) {
      const at = Math.min(record.length, this.names.length) + 1
      throw new InputError(`${place}:${at}`, `expected ${this.names.length} columns, got ${record.length}`)
    }
    this.#rows.add(`${place}:${this.#timeAt + 1}`, record[this.#timeAt] ?? '', record.toSpliced(this.#timeAt, 1))
  }

  end(): void {
    if (this.#timeAt < 0) throw new InputError(this.#file, 'expected CSV, got only blank lines')
  }

  #begin(place: string, header: readonly string[]): void {
    const time = timeNameIn(place, header)
    const shown = escapedExcerpt(header.join(', '))
    if (time === undefined) throw new InputError(place, `expected a header with a column 'timestamp', got ${shown}`)
    const twice = header.find((name, index) => name === '' || header.indexOf(name) !== index)
    if (twice !== undefined)
      throw new InputError(
        place,
        `expected a different name for each column, got '${escapedExcerpt(twice)}' in ${shown}`,
      )
    this.names = header
    this.#timeAt = header.indexOf(time)
  }

  get columns(): readonly string[] {
    return this.names.toSpliced(this.#timeAt, 1)
  }
}

/** The keys of the objects, in the order in which they appear; a key may be missing in some. */
export class SeriesObjects {
  readonly columns: string[] = []
  readonly #file: string
  readonly #rows: CheckedRows
  readonly #onWrong: OnWrong | undefined

  constructor(file: string, rows: CheckedRows, onWrong?: OnWrong) {
    this.#file = file
    this.#rows = rows
    this.#onWrong = onWrong
  }

  add(element: JsonElement): void {
    addRow(() => {
      this.#row(element)
    }, this.#onWrong)
  }

  #row({ value, line, column }: JsonElement): void {
    const place = `${this.#file}:${line}:${column}`
    if (!isJsonObject(value)) throw new InputError(place, `expected an object, got ${jsonKind(value)}`)
    const keys = [...value.keys()]
    const time = timeNameIn(place, keys)
    if (time === undefined)
      throw new InputError(place, `expected a key 'timestamp', got ${escapedExcerpt(keys.join(', '))}`)
    for (const key of keys) if (key !== time && !this.columns.includes(key)) this.columns.push(key)
    const cells = this.columns.map((key) => cellOf(place, key, value.get(key)))
    this.#rows.add(place, cellOf(place, time, value.get(time)), cells)
  }
}

function cellOf(place: string, key: string, value: JsonValue | undefined): string {
  if (value === undefined || value === null) return ''
  if (typeof value === 'boolean') return String(value)
  const text = textOf(value)
  if (text !== undefined) return text
  throw new InputError(place, `expected a text or a number under '${escapedExcerpt(key)}', got ${jsonKind(value)}`)
}
