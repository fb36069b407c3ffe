/**
 * A file that is written in chunks in a private directory, and hashed while it is written.
 *
 * A write error is reported when it is closed, because appending happens in the middle of a run.
 */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import type { InputError } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'

const FLUSH_AT = 65_536

export class PendingFile {
  readonly #where: string
  readonly #descriptor: number
  readonly #hash = createHash('sha256')
  #buffered: string[] = []
  #size = 0
  #isOpen = true
  #failure: InputError | undefined

  /**
   * @param path   of a new file; a link there is not followed
   * @param where  name of the file for its reader, for errors
   */
  constructor(path: string, where: string) {
    this.#where = where
    this.#descriptor = openSync(path, 'wx')
  }

  append(text: string): void {
    this.#buffered.push(text)
    this.#size += text.length
    if (this.#size >= FLUSH_AT) this.#flush()
  }

  /**
   * Makes the file durable.
   *
   * @returns lower-case hex SHA-256 of the content
   * @throws {InputError} if a chunk could not be written
   */
  close(): string {
    this.#flush()
    this.#try(() => {
      fsyncSync(this.#descriptor)
    })
    this.abandon()
    if (this.#failure !== undefined) throw this.#failure
    return this.#hash.digest('hex')
  }

  /** Discards buffered text: the disk may be full. */
  abandon(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }

  #flush(): void {
    const bytes = Buffer.from(this.#buffered.join(''))
    this.#hash.update(bytes)
    this.#try(() => {
      // Unlike writeSync, it writes all bytes or throws.
      writeFileSync(this.#descriptor, bytes)
    })
    this.#buffered = []
    this.#size = 0
  }

  #try(action: () => void): void {
    try {
      if (this.#failure === undefined) action()
    } catch (error) {
      this.#failure = writeFault(this.#where, 'cannot be written', error)
    }
  }
}
