/** A file of a run while it is written. */
import { createHash } from 'node:crypto'
import { closeSync, fsyncSync, openSync, writeFileSync } from 'node:fs'
import type { InputError } from '../../domain/errors.ts'
import { writeFault } from '../../domain/write-fault.ts'

const BUFFER_BYTES = 65_536
/** A short text is encoded soon: the many pieces of a long one would be copied by the garbage collector. */
const ENCODE_AT = 4_096
const MAX_BYTES_PER_UNIT = 3

/**
 * A file that is written in chunks in a private directory, and hashed while it is written.
 *
 * A write error is reported when it is closed, because appending happens in the middle of a run.
 */
export class PendingFile {
  readonly #where: string
  readonly #descriptor: number
  readonly #hash = createHash('sha256')
  readonly #buffer = Buffer.allocUnsafeSlow(BUFFER_BYTES)
  #bytes = 0
  #text = ''
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
    this.#text += text
    if (this.#text.length >= ENCODE_AT) this.#encode()
  }

  /**
   * Makes the file durable.
   *
   * @returns lower-case hex SHA-256 of the content
   * @throws {InputError} if a chunk could not be written
   */
  close(): string {
    this.#encode()
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

  #encode(): void {
    const most = this.#text.length * MAX_BYTES_PER_UNIT
    if (this.#bytes + most > BUFFER_BYTES) this.#flush()
    if (most > BUFFER_BYTES) this.#write(Buffer.from(this.#text))
    else this.#bytes += this.#buffer.write(this.#text, this.#bytes)
    this.#text = ''
  }

  #flush(): void {
    this.#write(this.#buffer.subarray(0, this.#bytes))
    this.#bytes = 0
  }

  #write(bytes: Buffer): void {
    this.#hash.update(bytes)
    this.#try(() => {
      // Unlike writeSync, it writes all bytes or throws.
      writeFileSync(this.#descriptor, bytes)
    })
  }

  #try(action: () => void): void {
    try {
      if (this.#failure === undefined) action()
    } catch (error) {
      this.#failure = writeFault(this.#where, 'cannot be written', error)
    }
  }
}
