/**
 * Recording of one market as a CSV file that grows, with a file of its gaps next to it.
 *
 * Invariants: after `append` returns the operating system has the row, so the death of this process does not lose it;
 * the file always ends with a complete row, except for a line cut off by a crash, which the next start removes. Times
 * never decrease. Known limit: a power failure loses the rows appended since the last `sync`.
 */
import {
  closeSync,
  existsSync,
  fdatasync,
  fdatasyncSync,
  fstatSync,
  ftruncateSync,
  mkdirSync,
  openSync,
  readFileSync,
  readSync,
  renameSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { LINE_FEED } from '../../domain/ascii.ts'
import { InputError } from '../../domain/errors.ts'
import { asWriteFault, writeFault } from '../../domain/write-fault.ts'
import type { MarkedGap } from '../../tape/gap-marks.ts'
import { FolderLock, type HeldLock } from '../locks/folder-lock.ts'
import { makeDirectory } from '../make-directory.ts'
import { GAP_HEADER, gapFileOf, gapLine, parseGaps } from '../tapes/gap-file.ts'
import { gapsApart } from '../tapes/gaps-apart.ts'
import { RecordedOrder } from './recorded-order.ts'
import {
  decimalsOf,
  type LastStored,
  readRow,
  type RecordedSymbol,
  type Recording,
  RECORDING_HEADER,
  type RecordingCounts,
  rowText,
  type TradeToRecord,
} from './recording.ts'

/**
 * A lock on a recording, held by one process at a time, until that process ends in any way: a folder next to the
 * recording.
 */
export interface RecordingLock {
  release(): void
}

/**
 * @param file  for errors: the recording
 * @param path  of the folder
 * @throws {InputError} when the recording is under way already
 */
export function lockRecording(file: string, path = `${file}.lock`): RecordingLock {
  const taken = takeLock(file, path)
  if (taken instanceof FolderLock) return taken
  const message = taken.isSeen
    ? 'is being recorded by another process'
    : `is locked by a recording in another container or on another machine: if it has ended, delete '${join(path, 'lock')}'`
  throw new InputError(file, message)
}

function takeLock(file: string, path: string): FolderLock | HeldLock {
  try {
    return FolderLock.take(path, { make: () => mkdirSync(path, { recursive: true }), waitMs: 0 })
  } catch (error) {
    throw writeFault(file, `cannot be locked with ${path}`, error)
  }
}

/** The valid end of an interrupted recording. */
interface RecordingTail {
  /** Bytes up to the end of the last complete row; 0 for a file without a complete header. */
  readonly soundBytes: number
  /** Bytes after them. */
  readonly tornBytes: number
  /** Id of the first row of the file; undefined without rows. */
  readonly firstId: string | undefined
  /** Last rows, oldest first, including all of the last millisecond. */
  readonly rows: readonly TradeToRecord[]
}

const HEADER_LINE = `${RECORDING_HEADER}\n`
const TAIL_BYTES = 1024 * 1024
const HEAD_BYTES = 4096

/** @throws {InputError} for a file that is not a recording of this market in these precisions */
function readTail(file: string, descriptor: number, market: RecordedSymbol): RecordingTail {
  const { size } = fstatSync(descriptor)
  const head = bytesAt(descriptor, 0, Math.min(size, HEAD_BYTES)).toString('utf8')
  if (!head.startsWith(HEADER_LINE)) {
    // The process ended while writing the header.
    if (HEADER_LINE.startsWith(head)) return { soundBytes: 0, tornBytes: size, firstId: undefined, rows: [] }
    throw new InputError(
      `${file}:1`,
      `not a recording (expected the header '${RECORDING_HEADER}'); it was left unchanged`,
    )
  }
  const firstId = readRow(head.slice(HEADER_LINE.length).split('\n', 1)[0] ?? '')?.id
  const { soundBytes, rows } = soundRows(file, descriptor, size)
  for (const row of rows) checkRow(file, row, market)
  return { soundBytes, tornBytes: size - soundBytes, firstId: rows.length === 0 ? undefined : firstId, rows }
}

function soundRows(
  file: string,
  descriptor: number,
  size: number,
): Pick<RecordingTail, 'soundBytes'> & { readonly rows: readonly (TradeToRecord & { readonly symbol: string })[] } {
  const start = Math.max(HEADER_LINE.length, size - TAIL_BYTES)
  const bytes = bytesAt(descriptor, start, size - start)
  const isWhole = start === HEADER_LINE.length
  // A chunk from within the file starts in the middle of a line.
  let from = isWhole ? 0 : bytes.indexOf(LINE_FEED) + 1
  let sound = from
  const rows: (TradeToRecord & { readonly symbol: string })[] = []
  for (let end = bytes.indexOf(LINE_FEED, from); end >= 0; end = bytes.indexOf(LINE_FEED, from)) {
    const row = readRow(bytes.subarray(from, end).toString('utf8'))
    // After a damaged row nothing is trusted.
    if (row === undefined) break
    rows.push(row)
    from = end + 1
    sound = from
  }
  if (rows.length === 0 && !isWhole) throw new InputError(file, 'is damaged at its end: it has no complete row there')
  return { soundBytes: start + sound, rows }
}

function checkRow(
  file: string,
  { symbol, price, qty }: TradeToRecord & { readonly symbol: string },
  market: RecordedSymbol,
): void {
  if (symbol !== market.symbol)
    throw new InputError(file, `expected a recording of ${market.symbol}, got one of ${symbol}`)
  const [pricePrecision, qtyPrecision] = [decimalsOf(price), decimalsOf(qty)]
  if (pricePrecision === market.pricePrecision && qtyPrecision === market.qtyPrecision) return
  const recorded = `its prices have ${pricePrecision} decimals and its quantities ${qtyPrecision}`
  const now = `the market now has ${market.pricePrecision} and ${market.qtyPrecision}`
  throw new InputError(file, `${recorded}, ${now}: record into another directory`)
}

function bytesAt(descriptor: number, position: number, length: number): Buffer {
  const bytes = Buffer.alloc(length)
  let read = 0
  while (read < length) {
    const count = readSync(descriptor, bytes, read, length - read, position + read)
    if (count === 0) break
    read += count
  }
  return bytes.subarray(0, read)
}

/**
 * The file of gaps next to a recording, written while that grows.
 *
 * Invariants: a gap is durable when `add` returns; the file is complete except for a last line cut off by a crash,
 * which the next start ignores.
 */
class RecordedGaps {
  readonly #file: string
  #gaps: MarkedGap[]
  /** A line of it may be cut. */
  #isTorn = false

  /**
   * Makes the file if it is not there, and leaves out of it what a process that was killed had marked and not recorded.
   *
   * @param tape     file of the recording
   * @param endsAt   time of its last row; undefined without rows
   * @throws {InputError} at a line that is wrong
   */
  constructor(tape: string, endsAt: number | undefined) {
    this.#file = gapFileOf(tape)
    const found = existsSync(this.#file) ? readFileSync(this.#file, 'utf8') : undefined
    const whole = found === undefined ? '' : found.slice(0, found.lastIndexOf('\n') + 1)
    const known = whole === '' ? [] : parseGaps(this.#file, whole)
    this.#gaps = known.filter(({ to }) => endsAt !== undefined && to <= endsAt)
    if (found !== this.#text()) this.#rewrite()
  }

  get count(): number {
    return this.#gaps.length
  }

  /** @throws {Error} when it cannot be written; it is written with the next one then */
  add(gap: MarkedGap): void {
    const last = this.#gaps.at(-1)
    const isBehind = last === undefined || (gap.from >= last.to && gap.to > last.to)
    this.#gaps.push(gap)
    if (!isBehind) this.#gaps = gapsApart(this.#gaps)
    if (isBehind && !this.#isTorn) this.#append(gapLine(gap))
    else this.#rewrite()
  }

  #append(line: string): void {
    this.#isTorn = true
    this.#write(this.#file, 'a', line)
    this.#isTorn = false
  }

  #text(): string {
    return `${GAP_HEADER}\n${this.#gaps.map(gapLine).join('')}`
  }

  #rewrite(): void {
    const temporary = `${this.#file}.tmp`
    this.#write(temporary, 'w', this.#text())
    renameSync(temporary, this.#file)
    this.#isTorn = false
  }

  #write(file: string, flags: 'a' | 'w', text: string): void {
    const descriptor = openSync(file, flags)
    try {
      writeFileSync(descriptor, text)
      fdatasyncSync(descriptor)
    } finally {
      closeSync(descriptor)
    }
  }
}

const syncData = promisify(fdatasync)

export class RecordingFile implements Recording {
  /** Bytes of an incomplete row that were removed at the start. */
  readonly cutBytes: number
  readonly #file: string
  readonly #symbol: string
  readonly #descriptor: number
  readonly #lock: RecordingLock
  readonly #gaps: RecordedGaps
  readonly #order: RecordedOrder
  #size: number
  #trades = 0
  #moved = 0
  #isDirty = false
  #isClosed = false

  private constructor(
    file: string,
    { symbol }: RecordedSymbol,
    descriptor: number,
    lock: RecordingLock,
    tail: RecordingTail,
  ) {
    this.#file = file
    this.#symbol = symbol
    this.#descriptor = descriptor
    this.#lock = lock
    this.cutBytes = tail.tornBytes
    this.#size = tail.soundBytes
    this.#order = new RecordedOrder(tail.firstId, tail.rows)
    this.#gaps = new RecordedGaps(file, this.last?.createdAt)
    this.#cut()
    if (this.#size === 0) this.#write(`${RECORDING_HEADER}\n`)
    fdatasyncSync(descriptor)
  }

  /**
   * Starts or continues a recording.
   *
   * @throws {InputError} if the file is something else, is damaged, is being recorded by another process, or cannot be
   * written
   */
  static open(file: string, market: RecordedSymbol): RecordingFile {
    makeFolder(file)
    const lock = lockRecording(file)
    let descriptor: number | undefined
    try {
      // Not append-only, because the removed end is overwritten.
      descriptor = openSync(file, 'a+')
      return new RecordingFile(file, market, descriptor, lock, readTail(file, descriptor, market))
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor)
      lock.release()
      throw asWriteFault(file, error)
    }
  }

  get file(): string {
    return this.#file
  }

  get last(): LastStored | undefined {
    return this.#order.last
  }

  get counts(): RecordingCounts {
    return { trades: this.#trades, gaps: this.#gaps.count, moved: this.#moved }
  }

  learnIds(ids: readonly string[]): void {
    this.#order.learnIds(ids)
  }

  /** See `Recording`; the operating system has the row when this returns. */
  append(trade: TradeToRecord): boolean {
    const before = this.last?.createdAt ?? 0
    const row = this.#order.rowOf(trade)
    const text = rowText(this.#file, row, this.#symbol)
    const verdict = this.#order.judge(this.#file, trade, row)
    if (verdict === 'late') this.gap(Math.min(trade.createdAt, before), before, 'a trade arrived out of order')
    if (verdict !== 'next') return false
    this.#write(text)
    if (row.createdAt > trade.createdAt) this.#moved += 1
    this.#trades += 1
    this.#order.stored(trade, row)
    return true
  }

  /**
   * Marks that trades may be missing between two times, before or after the next trade is stored. Durable when it
   * returns.
   *
   * @throws {InputError} if it cannot be written
   */
  gap(from: number, to: number, why: string): void {
    try {
      this.#gaps.add({ from, to, why })
    } catch (error) {
      throw asWriteFault(this.#file, error)
    }
  }

  /**
   * Makes the appended rows durable, even against a power failure.
   *
   * @throws {InputError}
   */
  async sync(): Promise<void> {
    if (!this.#isDirty || this.#isClosed) return
    this.#isDirty = false
    try {
      await syncData(this.#descriptor)
    } catch (error) {
      // `close` has synced it meanwhile.
      if (!this.#hasClosed()) throw asWriteFault(this.#file, error)
    }
  }

  /** Idempotent. */
  close(): void {
    if (this.#isClosed) return
    this.#isClosed = true
    try {
      fdatasyncSync(this.#descriptor)
    } finally {
      closeSync(this.#descriptor)
      this.#lock.release()
    }
  }

  // A method, because the compiler assumes that a field does not change during an await.
  #hasClosed(): boolean {
    return this.#isClosed
  }

  /** Writes the whole text, or restores the file. */
  #write(text: string): void {
    try {
      writeFileSync(this.#descriptor, text)
      this.#size += Buffer.byteLength(text)
      this.#isDirty = true
    } catch (error) {
      this.#cut()
      throw asWriteFault(this.#file, error)
    }
  }

  #cut(): void {
    ftruncateSync(this.#descriptor, this.#size)
  }
}

function makeFolder(file: string): void {
  try {
    makeDirectory(resolve(dirname(file)))
  } catch (error) {
    throw asWriteFault(dirname(file), error)
  }
}
