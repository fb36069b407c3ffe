/**
 * Reads a series from a file of lines, CSV or JSON lines, that a program still writes.
 *
 * Invariant: a line without its line feed is not read yet. A wrong line is left out, and reported with its number.
 * Known limit: a row is one line, so a cell with a line break makes a wrong one.
 */
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { PLAIN_READING } from '../../import/csv/reading.ts'
import { splitLine } from '../../import/csv/split-line.ts'
import { lineFault, MAX_LINE_BYTES, soundLength } from '../../import/csv/whole-lines.ts'
import { csvSample } from '../../import/formats/csv-sample.ts'
import { wholeText } from '../tapes/tape-pass.ts'
import { SeriesIntake, SeriesObjects, type CheckedRows, type OnWrong } from './series-rows.ts'

const CHUNK_BYTES = 256 * 1024
/** Bytes before the present position that are compared before it reads on. */
const MAX_COMPARED = 64 * 1024

export interface LinesOptions {
  readonly file: string
  readonly isJson: boolean
  readonly rows: CheckedRows
  readonly onWrong: OnWrong
}

export class SeriesLines {
  readonly #options: LinesOptions
  readonly #hash = createHash('sha256')
  #intake: SeriesIntake | SeriesObjects | undefined
  #position = 0
  #number = 0
  #tail: Buffer = Buffer.alloc(0)
  /** The line at the position is too long, and its beginning was passed. */
  #isCut = false
  #hasOpenLine = false

  constructor(options: LinesOptions) {
    this.#options = options
    if (options.isJson) this.#intake = new SeriesObjects(options.file, options.rows, options.onWrong)
  }

  /** Whether the names of the columns are known. */
  get hasBegun(): boolean {
    return this.#intake instanceof SeriesIntake ? this.#intake.names.length > 0 : this.#number > 0
  }

  /** Whether the file ends within a line, which is not read yet. */
  get hasOpenLine(): boolean {
    return this.#hasOpenLine
  }

  get columns(): readonly string[] {
    return this.hasBegun ? (this.#intake?.columns ?? []) : []
  }

  /** Hex SHA-256 of the lines that were read. */
  get sha256(): string {
    return this.#hash.copy().digest('hex')
  }

  /** Whether the file still has what was read last, so that only the rest has to be read. */
  async isContinuedBy(handle: FileHandle): Promise<boolean> {
    const { length } = this.#tail
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(length), 0, length, this.#position - length)
    return bytesRead === length && buffer.equals(this.#tail)
  }

  /** Reads the lines that are complete. @throws {InputError} for a wrong header */
  async read(handle: FileHandle): Promise<void> {
    let rest: Buffer = Buffer.alloc(0)
    for (;;) {
      const at = this.#position + rest.length
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(CHUNK_BYTES), 0, CHUNK_BYTES, at)
      this.#hasOpenLine = rest.length > 0 || this.#isCut
      if (bytesRead === 0) return
      rest = Buffer.concat([rest, buffer.subarray(0, bytesRead)])
      const end = rest.lastIndexOf(LINE_FEED) + 1
      if (end > 0) await this.#take(rest.subarray(0, end))
      rest = rest.subarray(end)
      if (rest.length <= MAX_LINE_BYTES) continue
      if (!this.#isCut) this.#refuse(this.#number + 1, `expected lines of at most ${MAX_LINE_BYTES} bytes`)
      this.#isCut = true
      this.#pass(rest)
      rest = Buffer.alloc(0)
    }
  }

  #pass(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.#position += bytes.length
    this.#tail = Buffer.from(Buffer.concat([this.#tail, bytes]).subarray(-MAX_COMPARED))
  }

  /** @param lines  whole ones */
  async #take(lines: Buffer): Promise<void> {
    this.#intake ??= this.#csvIntake(lines)
    const sound = soundLength(lines)
    for (let start = 0; start < lines.length;) {
      const end = lines.indexOf(LINE_FEED, start) + 1
      this.#number += 1
      const isSound = end <= sound
      const reading = this.#isCut ? undefined : this.#line(lines.subarray(start, end), isSound)
      if (reading !== undefined) await reading
      this.#isCut = false
      start = end
    }
    this.#pass(lines)
  }

  #csvIntake(lines: Buffer): SeriesIntake {
    const { file, rows, onWrong } = this.#options
    const { delimiter, skippedLines } = csvSample(wholeText(lines, false))
    const reading = { ...PLAIN_READING, delimiter: delimiter.charCodeAt(0), skippedLines, hasBlanks: true }
    return new SeriesIntake(file, reading, rows, onWrong)
  }

  /** @param isSound  whether it is known to be text @returns a promise only if it takes a slower reader */
  #line(line: Buffer, isSound: boolean): Promise<void> | undefined {
    const fault = isSound ? undefined : lineFault(line, 0)
    if (fault !== undefined) {
      this.#refuse(this.#number, fault)
      return undefined
    }
    const text = line.toString().replace(/^\ufeff/, '').replace(/\r?\n$/, '') // prettier-ignore
    const intake = this.#intake
    if (intake instanceof SeriesIntake) return this.#record(text, intake)
    return intake === undefined || text.trim() === '' ? undefined : this.#object(text, intake)
  }

  #record(text: string, intake: SeriesIntake): Promise<void> | undefined {
    const cells = splitLine(text, String.fromCharCode(intake.reading.delimiter), true)
    if (cells === undefined) return this.#quoted(text, intake)
    intake.add(cells, this.#number)
    return undefined
  }

  async #quoted(text: string, intake: SeriesIntake): Promise<void> {
    const { CsvRecords } = await import('../../import/csv/csv-records.ts')
    const records = new CsvRecords(this.#options.file, this.#number, intake.reading)
    await this.#orWrong(async () => {
      await records.read(Buffer.from(`${text}\n`), intake).next()
      await records.end(intake, true).next()
    })
  }

  async #object(text: string, objects: SeriesObjects): Promise<void> {
    const { jsonElements } = await import('../../import/json/json-elements.ts')
    await this.#orWrong(async () => {
      const elements = jsonElements(this.#options.file, piecesOf(Buffer.from(text)))
      for await (const element of elements) objects.add({ ...element, line: this.#number })
    })
  }

  /** A fault of the line, not of a header. */
  async #orWrong(read: () => Promise<void>): Promise<void> {
    try {
      await read()
    } catch (error) {
      if (!(error instanceof InputError) || !this.hasBegun) throw error
      const { file } = this.#options
      const [, column = ''] = error.where.startsWith(file) ? (/:\d+(:\d+)?$/.exec(error.where) ?? []) : []
      this.#refuse(this.#number, error.message.slice(error.where.length + 2), column)
    }
  }

  #refuse(number: number, why: string, column = ''): void {
    this.#options.onWrong(new InputError(`${this.#options.file}:${number}${column}`, why))
  }
}

// eslint-disable-next-line @typescript-eslint/require-await -- its reader expects chunks that come one after the other
async function* piecesOf(bytes: Buffer): AsyncGenerator<Buffer, void, undefined> {
  yield bytes
}
