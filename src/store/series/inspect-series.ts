/**
 * First pass over the file of a series, CSV or JSON: every row is checked, and spooled.
 *
 * Invariant: the SHA-256 is that of the bytes that were read.
 */
import { createHash } from 'node:crypto'
import { InputError, throwIfAborted } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { setting } from '../../domain/setting-name.ts'
import { readRows } from '../../import/csv/read-rows.ts'
import { PLAIN_READING } from '../../import/csv/reading.ts'
import type { ByteWatch } from '../../import/file-bytes.ts'
import { wholeLines } from '../../import/csv/whole-lines.ts'
import { beginningOf } from '../../import/formats/beginning.ts'
import { csvSample } from '../../import/formats/csv-sample.ts'
import { recordingBytes } from '../../import/formats/recording-bytes.ts'
import { BlockSpool, MAX_SPOOL_BYTES, type SpoolRoom } from '../tapes/block-spool.ts'
import { isJsonText, wholeText } from '../tapes/tape-pass.ts'
import type { InspectedSeries, SeriesEntry, SpooledSeriesRow } from './inspected-series.ts'
import { CheckedRows, SeriesIntake, SeriesObjects, type OnWrong } from './series-rows.ts'
import type { SeriesInfo, SeriesSource } from '../../tape/series-info.ts'

const BLOCK_ROWS = 1_024
const BLOCK_CHARACTERS = 1024 * 1024

export interface SeriesOptions {
  readonly room: SpoolRoom
  readonly signal?: AbortSignal | undefined
  /** IANA zone of dates without one; default: UTC. */
  readonly zone?: string | undefined
  readonly onBytesRead?: ((bytesRead: number, bytesTotal: number) => void) | undefined
}

/** Stores rows in blocks. */
class RowSpool {
  readonly #spool: BlockSpool<SeriesEntry>
  #rows = 0
  #block: SpooledSeriesRow[] = []
  #characters = 0

  constructor(room: SpoolRoom) {
    this.#spool = new BlockSpool(room)
  }

  readonly add = (row: SpooledSeriesRow): void => {
    this.#rows += 1
    this.#block.push(row)
    for (const cell of row) if (typeof cell === 'string') this.#characters += cell.length
    if (this.#block.length === BLOCK_ROWS || this.#characters >= BLOCK_CHARACTERS) this.#flush()
  }

  /** @throws {InputError} if there is no row, or no room for the rows */
  finish(file: string): InspectedSeries['spooled'] {
    if (this.#rows === 0) throw new InputError(file, 'expected at least one row, got none')
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

/**
 * @throws {InputError} at the first wrong row, or naming the file
 * @throws {AbortError} when `signal` is aborted
 */
export async function inspectSeries(source: SeriesSource, options: SeriesOptions): Promise<InspectedSeries> {
  const { file } = source
  const { room, signal, zone, onBytesRead } = options
  const hash = createHash('sha256')
  const spool = new RowSpool(room)
  const rows = new CheckedRows(spool.add, false, zone)
  const columns = await readSeries(file, rows, {
    onBytes: (chunk, position, size) => {
      throwIfAborted(signal)
      hash.update(chunk)
      onBytesRead?.(position, size)
    },
  })
  const spooled = spool.finish(file)
  const { from, to } = rows
  const info = { ...source, sha256: hash.digest('hex'), rows: rows.rows, from, to, columns }
  return { info, spooled }
}

/**
 * Reads all rows of a file.
 *
 * @param onWrong  receives wrong rows; default: the first one is thrown
 * @returns        the names of its columns, without that of the time
 * @throws {InputError} naming the file
 */
export async function readSeries(
  file: string,
  rows: CheckedRows,
  watch: ByteWatch,
  onWrong?: OnWrong,
): Promise<readonly string[]> {
  const { chunks } = await recordingBytes(file, watch)
  const { beginning, isWhole, all } = await beginningOf(chunks)
  try {
    if (isJsonText(beginning)) {
      const { jsonElements } = await import('../../import/json/json-elements.ts')
      const objects = new SeriesObjects(file, rows, onWrong)
      for await (const element of jsonElements(file, all)) objects.add(element)
      return objects.columns
    }
    const { delimiter, skippedLines, hasBlanks } = csvSample(wholeText(beginning, isWhole))
    const reading = { ...PLAIN_READING, delimiter: delimiter.charCodeAt(0), skippedLines, hasBlanks }
    const intake = new SeriesIntake(file, reading, rows, onWrong)
    const records = readRows(file, wholeLines(file, all), intake)
    // The intake has no sink, so that one call reads everything.
    await records.next()
    return intake.columns
  } finally {
    await all.return()
    await chunks.return()
  }
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
  const spool = new RowSpool({ bytes: MAX_SPOOL_BYTES })
  const rows = new CheckedRows(spool.add, true)
  for (const [index, { timestamp }] of times.entries())
    rows.add(`${info.file}.${index}`, String(timestamp), cells[index] ?? [])
  const spooled = spool.finish(info.file)
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
