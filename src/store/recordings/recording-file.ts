/**
 * The recording of one market: a tape that grows, with the file of its gaps beside it.
 *
 * Invariants: what `append` has returned from is with the system, so that the end of this process loses none of it; whatever happens, the
 * file ends with a whole row, but for a line that was cut while it was written, which the next start cuts off. Times never decrease.
 * Known limit: what was appended since the last `sync` is lost when the machine loses its power.
 */
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { InputError } from '../../domain/errors.ts'
import { escapedExcerpt } from '../../domain/escape-controls.ts'
import { makeDirectory } from '../make-directory.ts'
import { IdColumn } from '../csv/id-column.ts'
import { RecordedGaps } from './recorded-gaps.ts'
import { ID_PREFIX, RECORDING_HEADER, rowText, type RecordedSymbol, type TradeToRecord } from './recorded-row.ts'
import { lockRecording, type RecordingLock } from './recording-lock.ts'
import { readTail, type RecordingTail } from './recording-tail.ts'

const syncData = promisify(fdatasync)

/** The last trade that is stored. */
export interface LastStored {
  /** As the exchange told it. */
  readonly id: string
  /** Unix milliseconds, as stored. */
  readonly createdAt: number
}

export interface RecordingCounts {
  /** Appended by this process. */
  readonly trades: number
  /** Marked in the file. */
  readonly gaps: number
  /** Trades whose time was before that of the trade before them, and is stored as that. */
  readonly moved: number
}

export class RecordingFile {
  /** Bytes of half a row that were cut off at the start. */
  readonly cutBytes: number
  readonly #file: string
  readonly #symbol: string
  readonly #descriptor: number
  readonly #lock: RecordingLock
  readonly #gaps: RecordedGaps
  readonly #ids = new IdColumn()
  #idPrefix: string
  #size: number
  #last: LastStored | undefined
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
    this.#idPrefix = tail.firstId?.startsWith(ID_PREFIX) === true ? ID_PREFIX : ''
    // The form of all ids is that of the first, which may be long gone.
    const [first] = tail.rows
    if (tail.firstId !== undefined && tail.firstId !== first?.id) this.#ids.take(tail.firstId, 0)
    for (const { id, createdAt } of tail.rows) this.#ids.take(id, createdAt)
    const last = tail.rows.at(-1)
    if (last !== undefined) this.#last = { id: last.id.slice(this.#idPrefix.length), createdAt: last.createdAt }
    this.#gaps = new RecordedGaps(file, this.#last?.createdAt)
    this.#cut()
    if (this.#size === 0) this.#write(`${RECORDING_HEADER}\n`)
    fdatasyncSync(descriptor)
  }

  /**
   * Begins a recording, or goes on with it.
   *
   * @throws {InputError} when it is of something else, is damaged, is being recorded by somebody else, or cannot be written
   */
  static open(file: string, market: RecordedSymbol): RecordingFile {
    makeFolder(file)
    const lock = lockRecording(file)
    let descriptor: number | undefined
    try {
      // Not for appending, because what is cut off is written over.
      descriptor = openSync(file, 'a+')
      return new RecordingFile(file, market, descriptor, lock, readTail(file, descriptor, market))
    } catch (error) {
      if (descriptor !== undefined) closeSync(descriptor)
      lock.release()
      throw asInputError(file, error)
    }
  }

  get file(): string {
    return this.#file
  }

  /** Undefined for a recording without rows. */
  get last(): LastStored | undefined {
    return this.#last
  }

  get counts(): RecordingCounts {
    return { trades: this.#trades, gaps: this.#gaps.count, moved: this.#moved }
  }

  /** Says how the exchange names its trades, oldest first, where the recording has no rows that do. */
  learnIds(ids: readonly string[]): void {
    if (this.#last !== undefined) return
    const column = new IdColumn()
    this.#idPrefix = ids.every((id, index) => column.take(id, index) === undefined) ? '' : ID_PREFIX
  }

  /**
   * Stores the next trade. One that cannot follow the last is left out, and a gap says so.
   *
   * @returns false when it was left out
   * @throws {InputError} when it cannot be written, or its id is of another form: the file is as it was before
   */
  append(trade: TradeToRecord): boolean {
    const before = this.#last?.createdAt ?? 0
    const createdAt = Math.max(trade.createdAt, before)
    const id = `${this.#idPrefix}${trade.id}`
    const text = rowText(this.#file, { ...trade, id, createdAt }, this.#symbol)
    const fault = this.#ids.take(id, createdAt)
    if (fault === 'repeated' || (fault === 'not-increasing' && trade.createdAt <= before)) {
      if (trade.id !== this.#last?.id)
        this.gap(Math.min(trade.createdAt, before), before, 'a trade came out of its order')
      return false
    }
    if (fault !== undefined) throw this.#idFault(trade.id)
    this.#write(text)
    if (createdAt > trade.createdAt) this.#moved += 1
    this.#trades += 1
    this.#last = { id: trade.id, createdAt }
    return true
  }

  /**
   * Marks that trades may be missing between two times, before the trade behind them is stored or later. On the disk when it returns.
   *
   * @throws {InputError} when it cannot be written
   */
  gap(from: number, to: number, why: string): void {
    try {
      this.#gaps.add({ from, to, why })
    } catch (error) {
      throw asInputError(this.#file, error)
    }
  }

  /** Puts on the disk what was appended; a machine that loses its power from then on loses none of it. @throws {InputError} */
  async sync(): Promise<void> {
    if (!this.#isDirty || this.#isClosed) return
    this.#isDirty = false
    try {
      await syncData(this.#descriptor)
    } catch (error) {
      // It was closed meanwhile, which has synced it.
      if (!this.#hasClosed()) throw asInputError(this.#file, error)
    }
  }

  /** A second call changes nothing. */
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

  // Apart, because the compiler takes a field for what it was before an await.
  #hasClosed(): boolean {
    return this.#isClosed
  }

  /** The text goes in whole, or the file is as it was before. */
  #write(text: string): void {
    try {
      writeFileSync(this.#descriptor, text)
      this.#size += Buffer.byteLength(text)
      this.#isDirty = true
    } catch (error) {
      this.#cut()
      throw asInputError(this.#file, error)
    }
  }

  #cut(): void {
    ftruncateSync(this.#descriptor, this.#size)
  }

  #idFault(id: string): InputError {
    const [now, before] = [escapedExcerpt(id), escapedExcerpt(this.#last?.id ?? '')]
    const why = `the ids of the trades are not what they were: '${now}' came after '${before}'`
    return new InputError(this.#file, `${why}; record into another directory`)
  }
}

function makeFolder(file: string): void {
  try {
    makeDirectory(resolve(dirname(file)))
  } catch (error) {
    throw asInputError(dirname(file), error)
  }
}

function asInputError(file: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) return error
  return new InputError(file, `cannot be written (${error.message})`, { cause: error })
}
