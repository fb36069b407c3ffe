/**
 * One file that is written in pieces, in a directory of its writer alone, and hashed as it is written.
 *
 * A piece that cannot be written is told at the end, since appending is in the middle of a run.
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
   * @param path   where nothing is yet: a link that stands there is not followed
   * @param where  the file as its reader will know it, for errors
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
   * Brings it on the disk.
   *
   * @returns lower-case hex SHA-256 of what was written
   * @throws {InputError} when a piece could not be written
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

  /** What is not yet written never is: the disk may be full. */
  abandon(): void {
    if (this.#isOpen) closeSync(this.#descriptor)
    this.#isOpen = false
  }

  #flush(): void {
    const bytes = Buffer.from(this.#buffered.join(''))
    this.#hash.update(bytes)
    this.#try(() => {
      // Unlike writeSync, it goes on until every byte is written or the disk says why not.
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
