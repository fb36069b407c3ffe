/**
 * First pass over the file of a series, CSV or JSON: every row is checked, and spooled.
 *
 * Invariant: times rise from row to row, so that a row never arrives before an older one. The SHA-256 is that of the
 * bytes that were read.
 */
import { createHash } from 'node:crypto'
import { InputError, throwIfAborted } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting } from '../../domain/setting-name.ts'
import { isoTime } from '../../domain/time.ts'
import { HEADER_NAMES } from '../../import/csv/field.ts'
import { readRows } from '../../import/csv/read-rows.ts'
import { PLAIN_READING, type Reading } from '../../import/csv/reading.ts'
import type { RecordIntake } from '../../import/csv/row-intake.ts'
import { TimeColumn } from '../../import/csv/time-column.ts'
import { wholeLines } from '../../import/csv/whole-lines.ts'
import { beginningOf } from '../../import/formats/beginning.ts'
import { csvSample } from '../../import/formats/csv-sample.ts'
import { recordingBytes } from '../../import/formats/recording-bytes.ts'
import { isJsonObject, jsonKind, textOf, type JsonElement, type JsonValue } from '../../import/json/json-value.ts'
import { BlockSpool, MAX_SPOOL_BYTES, type SpoolRoom } from '../tapes/block-spool.ts'
import { isJsonText, wholeText } from '../tapes/tape-pass.ts'
import type { InspectedSeries, SeriesEntry, SpooledSeriesRow } from './inspected-series.ts'
import type { SeriesInfo, SeriesSource } from '../../tape/series-info.ts'

const BLOCK_ROWS = 1_024
const BLOCK_CHARACTERS = 1024 * 1024
const TIME_NAMES = HEADER_NAMES.time

export interface SeriesOptions {
  readonly room: SpoolRoom
  readonly signal?: AbortSignal | undefined
  /** IANA zone of dates without one; default: UTC. */
  readonly zone?: string | undefined
  readonly onBytesRead?: ((bytesRead: number, bytesTotal: number) => void) | undefined
}

/**
 * The name of the time among the names of columns: `timestamp` first, then those that tapes may have.
 *
 * @throws {InputError} for several of the latter: a date without its time of day would arrive hours too early
 */
function timeNameIn(place: string, names: readonly string[]): string | undefined {
  const exact = names.find((name) => name.toLowerCase() === 'timestamp')
  if (exact !== undefined) return exact
  const [name, other] = names.filter((each) => TIME_NAMES.includes(each.toLowerCase()))
  if (name === undefined || other === undefined) return name
  throw new InputError(
    place,
    `expected one column of times, got '${name}' and '${other}': name the one to use 'timestamp', with the date and the time of day in it`,
  )
}

/** Checks rows, and spools them in blocks. */
class SeriesRows {
  rows = 0
  from = 0
  to = -1
  readonly #time: TimeColumn
  readonly #spool: BlockSpool<SeriesEntry>
  #block: SpooledSeriesRow[] = []
  #characters = 0

  /** @param isMs  times are milliseconds, whatever their size @param zone  of dates without one; default: UTC */
  constructor(room: SpoolRoom, isMs = false, zone?: string) {
    this.#time = new TimeColumn(isMs, undefined, zone)
    this.#spool = new BlockSpool(room)
  }

  /** @param place  of the time @param cells  an empty text for an empty cell */
  add(place: string, time: string, cells: readonly string[]): void {
    const timestamp = this.#time.parse(time)
    if (typeof timestamp !== 'number')
      throw new InputError(place, `expected ${timestamp.expected}, got '${escapedExcerpt(time)}'`)
    if (timestamp <= this.to) {
      const found = timestamp === this.to ? 'the same' : isoTime(timestamp)
      throw new InputError(place, `expected a time after that of the row before, ${isoTime(this.to)}, got ${found}`)
    }
    if (this.rows === 0) this.from = timestamp
    this.to = timestamp
    this.rows += 1
    this.#block.push([timestamp, ...cells.map((cell) => (cell === '' ? null : cell))])
    this.#characters += cells.reduce((sum, cell) => sum + cell.length, 0)
    if (this.#block.length === BLOCK_ROWS || this.#characters >= BLOCK_CHARACTERS) this.#flush()
  }

  /** @throws {InputError} if there is no row, or no room for the rows */
  finish(file: string): InspectedSeries['spooled'] {
    if (this.rows === 0) throw new InputError(file, 'expected at least one row, got none')
    if (this.#block.length > 0) this.#flush()
    const spooled = this.#spool.finish()
    if (spooled === undefined) throw new InputError(file, 'has more rows than there is room for in memory and on disk')
    return spooled
  }

  #flush(): void {
    const bytes = Buffer.from(JSON.stringify(this.#block))
    this.#spool.add({ bytes: bytes.length, from: this.#block[0]?.[0] ?? 0 }, bytes)
    this.#block = []
    this.#characters = 0
  }
}

/** Takes the records of a CSV file: the header, then rows of as many cells. */
class SeriesIntake implements RecordIntake {
  readonly reading: Reading
  /** Rows are spooled as they come. */
  readonly sink = undefined
  readonly isOver = false
  names: readonly string[] = []
  #timeAt = -1
  readonly #file: string
  readonly #rows: SeriesRows

  constructor(file: string, reading: Reading, rows: SeriesRows) {
    this.#file = file
    this.reading = reading
    this.#rows = rows
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
class SeriesObjects {
  readonly columns: string[] = []
  readonly #file: string
  readonly #rows: SeriesRows

  constructor(file: string, rows: SeriesRows) {
    this.#file = file
    this.#rows = rows
  }

  add({ value, line, column }: JsonElement): void {
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

/**
 * @throws {InputError} at the first wrong row, or naming the file
 * @throws {AbortError} when `signal` is aborted
 */
export async function inspectSeries(source: SeriesSource, options: SeriesOptions): Promise<InspectedSeries> {
  const { file } = source
  const { room, signal, zone, onBytesRead } = options
  const hash = createHash('sha256')
  const rows = new SeriesRows(room, false, zone)
  const { chunks } = await recordingBytes(file, {
    onBytes: (chunk, position, size) => {
      throwIfAborted(signal)
      hash.update(chunk)
      onBytesRead?.(position, size)
    },
  })
  const { beginning, isWhole, all } = await beginningOf(chunks)
  let columns: readonly string[]
  try {
    if (isJsonText(beginning)) {
      const { jsonElements } = await import('../../import/json/json-elements.ts')
      const objects = new SeriesObjects(file, rows)
      for await (const element of jsonElements(file, all)) objects.add(element)
      columns = objects.columns
    } else {
      const { delimiter, skippedLines, hasBlanks } = csvSample(wholeText(beginning, isWhole))
      const reading = { ...PLAIN_READING, delimiter: delimiter.charCodeAt(0), skippedLines, hasBlanks }
      const intake = new SeriesIntake(file, reading, rows)
      const records = readRows(file, wholeLines(file, all), intake)
      // The intake has no sink, so that one call reads everything.
      await records.next()
      columns = intake.columns
    }
  } finally {
    await all.return()
    await chunks.return()
  }
  const spooled = rows.finish(file)
  const { from, to } = rows
  const info = { ...source, sha256: hash.digest('hex'), rows: rows.rows, from, to, columns }
  return { info, spooled }
}

/**
 * A series of rows in memory.
 *
 * @param cells  of each row, an empty text for an empty cell
 * @throws {InputError} at the first wrong row
 */
export function inspectedSeriesOf(
  info: Omit<SeriesInfo, 'rows' | 'from' | 'to'>,
  times: readonly { readonly timestamp: number }[],
  cells: readonly (readonly string[])[],
): InspectedSeries {
  const rows = new SeriesRows({ bytes: MAX_SPOOL_BYTES }, true)
  for (const [index, { timestamp }] of times.entries())
    rows.add(`${info.file}.${index}`, String(timestamp), cells[index] ?? [])
  const spooled = rows.finish(info.file)
  return { info: { ...info, rows: rows.rows, from: rows.from, to: rows.to }, spooled }
}

const NAME = /^[\w.-]{1,64}$/

/** @throws {InputError} for a name that is no word, or comes twice */
export function checkSeriesNames(sources: readonly SeriesSource[]): void {
  const seen = new Set<string>()
  for (const { name, file } of sources) {
    if (!NAME.test(name)) {
      const what = name === '' ? 'no name' : `'${escapedExcerpt(name)}'`
      throw new InputError(
        setting('series'),
        `expected NAME=FILE with a name of letters, digits, '-', '_' and '.', got ${what}`,
      )
    }
    if (seen.has(name)) throw new InputError(setting('series'), `'${name}' is given twice, again as '${file}'`)
    seen.add(name)
  }
}
