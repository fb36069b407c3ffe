/**
 * One reading of a tape's file from its first byte to its last, in constant memory.
 *
 * Invariant: the SHA-256 is that of the bytes that the rows came from.
 */
import { createHash } from 'node:crypto'
import { fileBytes } from '../csv/file-bytes.ts'
import { readRows } from '../csv/read-rows.ts'
import { RowIntake } from '../csv/row-intake.ts'
import type { RowSink } from '../csv/row-sink.ts'
import { wholeLines } from '../csv/whole-lines.ts'
import type { TapeSource } from '../tape-source.ts'

export class TapePass {
  /** The columns, the symbol and the rows that were found so far. */
  readonly intake: RowIntake
  readonly #file: string
  readonly #hash = createHash('sha256')

  constructor(source: TapeSource) {
    this.intake = new RowIntake(source)
    this.#file = source.file
  }

  /**
   * Yields the sink whenever its block is full, and at the end; it must be emptied before going on. To be called once.
   *
   * @throws {InputError} at the first row that is wrong, or naming the file
   */
  rows(): AsyncGenerator<RowSink, void, undefined> {
    return readRows(this.#file, wholeLines(this.#file, fileBytes(this.#file, this.#hash)), this.intake)
  }

  /** SHA-256 of the file's bytes as they lie on disk, lower-case hex. To be called once, after the last row. */
  sha256(): string {
    return this.#hash.digest('hex')
  }
}
