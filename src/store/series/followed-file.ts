/**
 * The file of a series while another program writes it: lines that were appended, or a new file in its place.
 *
 * Known limit: a change more than 64 KB before the end of a file that also grew is not found.
 */
import { createHash } from 'node:crypto'
import { open, stat, type FileHandle } from 'node:fs/promises'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { checkPlainFile, fileFault, WITHOUT_WAITING } from '../../import/file-bytes.ts'
import { pathInArchive } from '../../import/formats/recording-bytes.ts'
import { isJsonText } from '../tapes/tape-pass.ts'
import { readSeries } from './inspect-series.ts'
import type { SpooledSeriesRow } from './inspected-series.ts'
import { SeriesLines } from './series-lines.ts'
import { CheckedRows, timeNameIn } from './series-rows.ts'

/** A look at a file that had changed. */
export interface FollowedRead {
  /** True if these are all rows of the file, false if they were appended. */
  readonly isWhole: boolean
  readonly rows: readonly SpooledSeriesRow[]
  /** Names of the columns, without that of the time. */
  readonly columns: readonly string[]
  /** Lower-case hex SHA-256 of the part of the file that was read so far. */
  readonly sha256: string
  /** Wrong rows, which are left out. */
  readonly wrong: readonly InputError[]
  /** Whether the file ends within a line, which is not read yet. */
  readonly hasOpenLine: boolean
}

/** Compressed files, and tables of other formats: they are replaced, and never appended to. */
const REPLACED_FORMATS = ['\u001f\u008b', 'PK\u0003\u0004', 'PAR1', 'ARROW1']
const BEGINNING_BYTES = 128 * 1024

export class FollowedFile {
  readonly #file: string
  readonly #path: string
  #rows: SpooledSeriesRow[] = []
  #wrong: InputError[] = []
  /** Undefined for a file that is read as a whole. */
  #lines: SeriesLines | undefined
  /** File that was read last, as long as its lines can continue. */
  #inode: number | undefined
  /** State of the file when it was read last. */
  #state = ''

  constructor(file: string) {
    this.#file = file
    this.#path = pathInArchive(file)[0]
  }

  /** Undefined if the file has not changed. @throws {InputError} if it cannot be read */
  async read(): Promise<FollowedRead | undefined> {
    this.#rows = []
    this.#wrong = []
    try {
      const stats = await stat(this.#path)
      checkPlainFile(this.#file, stats)
      const { ino, size, mtimeMs } = stats
      const state = `${ino} ${size} ${mtimeMs}`
      if (state === this.#state) return undefined
      const read = await this.#readNow()
      this.#state = state
      return read
    } catch (error) {
      throw fileFault(this.#file, error)
    }
  }

  async #readNow(): Promise<FollowedRead> {
    const handle = await open(this.#path, WITHOUT_WAITING)
    try {
      const { ino } = await handle.stat()
      const isAppended = ino === this.#inode && (await this.#lines?.isContinuedBy(handle)) === true
      // Not continued if an error follows.
      this.#inode = undefined
      if (!isAppended) this.#lines = await this.#linesOf(handle)
      const { columns, sha256 } =
        this.#lines === undefined ? await this.#whole() : await this.#readOn(this.#lines, handle)
      this.#inode = ino
      return {
        isWhole: !isAppended,
        rows: this.#rows,
        columns,
        sha256,
        wrong: this.#wrong,
        hasOpenLine: this.#lines?.hasOpenLine === true,
      }
    } finally {
      await handle.close()
    }
  }

  async #readOn(lines: SeriesLines, handle: FileHandle): Promise<Pick<FollowedRead, 'columns' | 'sha256'>> {
    await lines.read(handle)
    if (!lines.hasBegun) throw new InputError(this.#file, 'expected a complete line with the names of the columns')
    return lines
  }

  async #whole(): Promise<Pick<FollowedRead, 'columns' | 'sha256'>> {
    const hash = createHash('sha256')
    const columns = await readSeries(
      this.#file,
      this.#checked(),
      { onBytes: (chunk) => hash.update(chunk) },
      this.#onWrong,
    )
    return { columns, sha256: hash.digest('hex') }
  }

  /** Undefined for a file of another form than lines. */
  async #linesOf(handle: FileHandle): Promise<SeriesLines | undefined> {
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(BEGINNING_BYTES), 0, BEGINNING_BYTES, 0)
    const beginning = buffer.subarray(0, bytesRead)
    if (REPLACED_FORMATS.some((start) => beginning.toString('latin1').startsWith(start))) return undefined
    const isJson = isJsonText(beginning)
    if (isJson && !isJsonLine(beginning.subarray(0, beginning.indexOf(LINE_FEED) + 1).toString())) return undefined
    return new SeriesLines({ file: this.#file, isJson, rows: this.#checked(), onWrong: this.#onWrong })
  }

  #checked(): CheckedRows {
    return new CheckedRows((row) => this.#rows.push(row))
  }

  readonly #onWrong = (error: InputError): void => void this.#wrong.push(error)
}

/** Whether the first line of a JSON file is a row, and not a document with all of them. */
function isJsonLine(line: string): boolean {
  try {
    const value: unknown = JSON.parse(line)
    return typeof value === 'object' && value !== null && timeNameIn('', Object.keys(value)) !== undefined
  } catch {
    return false
  }
}
