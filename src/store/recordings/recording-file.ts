/**
 * Recording of one market as a CSV file that grows, with a file of its gaps next to it.
 *
 * Invariants: after `append` returns the operating system has the row, so the death of this process does not lose it;
 * the file always ends with a complete row, except for a line cut off by a crash, which the next start removes. Times
 * never decrease. Known limit: a power failure loses the rows appended since the last `sync`.
 */
import { closeSync, fdatasync, fdatasyncSync, ftruncateSync, openSync, writeFileSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { promisify } from 'node:util'
import { makeDirectory } from '../make-directory.ts'
import { RecordedGaps } from './recorded-gaps.ts'
import { RecordedOrder } from './recorded-order.ts'
import { RECORDING_HEADER, rowText, type RecordedSymbol, type TradeToRecord } from './recorded-row.ts'
import type { LastStored, Recording, RecordingCounts } from './recording.ts'
import { lockRecording, type RecordingLock } from './recording-lock.ts'
import { readTail, type RecordingTail } from './recording-tail.ts'
import { asWriteFault } from '../../domain/write-fault.ts'

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
