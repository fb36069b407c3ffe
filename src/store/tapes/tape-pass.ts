/**
 * One pass over a recording from its first byte to its last, in constant memory; its format is recognised from its
 * beginning.
 *
 * Invariant: the SHA-256 is that of the bytes from which the rows were read.
 */
import { createHash } from 'node:crypto'
import { LINE_FEED } from '../../domain/ascii.ts'
import { invariant } from '../../domain/errors.ts'
import type { BadRows } from '../../import/csv/bad-rows.ts'
import type { ByteWatch } from '../../import/file-bytes.ts'
import { readRows } from '../../import/csv/read-rows.ts'
import { PLAIN_READING, type Reading } from '../../import/csv/reading.ts'
import { RowIntake, type OnRow } from '../../import/csv/row-intake.ts'
import type { RowSink } from '../../import/csv/row-sink.ts'
import { wholeLines } from '../../import/csv/whole-lines.ts'
import { beginningOf } from '../../import/formats/beginning.ts'
import { recogniseCsv } from '../../import/formats/recognise-csv.ts'
import { recordingBytes } from '../../import/formats/recording-bytes.ts'
import type { TapeSource } from '../../import/tape-source.ts'

/** Progress callback: bytes read so far, and size of the file when it was opened. */
export type OnBytesRead = (bytesRead: number, bytesTotal: number) => void

export interface PassOptions {
  readonly onBytesRead?: OnBytesRead | undefined
  /** Takes the rows that are wrong, instead of an end at the first. */
  readonly bad?: BadRows | undefined
  /** Called for each valid candle. */
  readonly onRow?: OnRow | undefined
}

export class TapePass implements ByteWatch {
  readonly #source: TapeSource
  readonly #hash = createHash('sha256')
  readonly #onBytesRead: OnBytesRead | undefined
  readonly #bad: BadRows | undefined
  readonly #onRow: OnRow | undefined
  #intake: RowIntake | undefined
  /** Bytes of the file. */
  bytes = 0

  constructor(source: TapeSource, { onBytesRead, bad, onRow }: PassOptions = {}) {
    this.#source = source
    this.#onBytesRead = onBytesRead
    this.#bad = bad
    this.#onRow = onRow
  }

  /** The columns, the symbol and the rows that were found so far; there from the first row on. */
  get intake(): RowIntake {
    invariant(this.#intake !== undefined, 'the beginning of a recording says what it is')
    return this.#intake
  }

  /** The format that was recognised. */
  get reading(): Reading {
    return this.intake.reading
  }

  /**
   * Yields the sink whenever its block is full, and at the end; it must be emptied before going on. To be called once.
   *
   * @throws {InputError} at the first row that is wrong, or naming the file
   */
  async *rows(): AsyncGenerator<RowSink, void, undefined> {
    const { file } = this.#source
    const { name, chunks } = await recordingBytes(file, this)
    const { beginning, isWhole, all } = await beginningOf(chunks)
    try {
      yield* isJsonText(beginning) ? this.#jsonRows(name, all) : this.#csvRows(name, wholeText(beginning, isWhole), all)
    } finally {
      await all.return()
      await chunks.return()
    }
  }

  async *#csvRows(
    name: string,
    beginning: string,
    all: AsyncGenerator<Buffer, void, undefined>,
  ): AsyncGenerator<RowSink, void, undefined> {
    const { file } = this.#source
    const text = beforeNul(beginning)
    const reading = text === '' ? PLAIN_READING : recogniseCsv(this.#source, text, name)
    const intake = new RowIntake(this.#source, reading, this.#bad, this.#onRow)
    this.#intake = intake
    yield* readRows(file, wholeLines(file, all), intake)
  }

  async *#jsonRows(
    name: string,
    all: AsyncGenerator<Buffer, void, undefined>,
  ): AsyncGenerator<RowSink, void, undefined> {
    const { readJsonRows } = await import('../../import/formats/read-json-rows.ts')
    const { intake, rows } = await readJsonRows(this.#source, name, all, this.#bad, this.#onRow)
    this.#intake = intake
    yield* rows
  }

  onBytes(chunk: Buffer, position: number, size: number): void {
    this.#hash.update(chunk)
    this.bytes = position
    this.#onBytesRead?.(position, size)
  }

  /** SHA-256 of the file's bytes as they lie on disk, lower-case hex. To be called once, after the last row. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}

/** JSON, optionally after the time of its receipt. */
const JSON_START = /^\ufeff?\s*(?:\d+ )?[[{]/
const MAX_BEFORE_JSON = 256

export const isJsonText = (beginning: Buffer): boolean =>
  JSON_START.test(beginning.subarray(0, MAX_BEFORE_JSON).toString())

/** The lines that are there as a whole, without a byte order mark. */
export function wholeText(beginning: Buffer, isWhole: boolean): string {
  const end = isWhole ? beginning.length : beginning.lastIndexOf(LINE_FEED) + 1
  return beginning
    .subarray(0, end)
    .toString()
    .replace(/^\ufeff/, '')
}

/** Lines before the first that is no text; the line reader reports that one. */
function beforeNul(text: string): string {
  const nul = text.indexOf('\0')
  return nul < 0 ? text : text.slice(0, text.lastIndexOf('\n', nul) + 1)
}
