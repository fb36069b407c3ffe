/**
 * One reading of a tape's file from its first byte to its last, in constant memory.
 *
 * Invariant: the SHA-256 is that of the bytes that the rows came from.
 */
import { createHash } from 'node:crypto'
import { fileBytes, type ByteWatch } from '../csv/file-bytes.ts'
import { readRows } from '../csv/read-rows.ts'
import { RowIntake } from '../csv/row-intake.ts'
import type { RowSink } from '../csv/row-sink.ts'
import { wholeLines } from '../csv/whole-lines.ts'
import type { TapeSource } from '../tape-source.ts'

/** Told again and again while a file is read: bytes so far, and of the whole file as it was when it was opened. */
export type OnBytesRead = (bytesRead: number, bytesTotal: number) => void

export class TapePass implements ByteWatch {
  /** The columns, the symbol and the rows that were found so far. */
  readonly intake: RowIntake
  readonly #file: string
  readonly #hash = createHash('sha256')
  readonly #onBytesRead: OnBytesRead | undefined

  constructor(source: TapeSource, onBytesRead?: OnBytesRead) {
    this.intake = new RowIntake(source)
    this.#file = source.file
    this.#onBytesRead = onBytesRead
  }

  /**
   * Yields the sink whenever its block is full, and at the end; it must be emptied before going on. To be called once.
   *
   * @throws {InputError} at the first row that is wrong, or naming the file
   */
  rows(): AsyncGenerator<RowSink, void, undefined> {
    return readRows(this.#file, wholeLines(this.#file, fileBytes(this.#file, this)), this.intake)
  }

  onBytes(chunk: Buffer, position: number, size: number): void {
    this.#hash.update(chunk)
    this.#onBytesRead?.(position, size)
  }

  /** SHA-256 of the file's bytes as they lie on disk, lower-case hex. To be called once, after the last row. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
