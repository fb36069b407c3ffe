/**
 * The SHA-256 of the files of a recording, while they are read.
 */
import { createHash, type Hash } from 'node:crypto'
import type { ByteWatch } from '../../csv/file-bytes.ts'
import type { OnBytesRead } from '../../tapes/tape-pass.ts'

export class FileHashes {
  readonly #hashes: Hash[] = []
  readonly #onBytesRead: OnBytesRead | undefined
  /** Of all files. */
  bytes = 0

  /** @param onBytesRead  told of the first file */
  constructor(onBytesRead?: OnBytesRead) {
    this.#onBytesRead = onBytesRead
  }

  /** Of the next file, which is to be read to its end. */
  watch(): ByteWatch {
    const hash = createHash('sha256')
    const isFirst = this.#hashes.length === 0
    this.#hashes.push(hash)
    return {
      onBytes: (chunk, position, size) => {
        hash.update(chunk)
        this.bytes += chunk.length
        if (isFirst) this.#onBytesRead?.(position, size)
      },
    }
  }

  /**
   * Lower-case hex: of the bytes of one file; of several, of their hashes in hex, one behind the other. To be called
   * once, at the end.
   */
  sha256(): string {
    const [first = '', ...others] = this.#hashes.map((hash) => hash.digest('hex'))
    return others.length === 0
      ? first
      : createHash('sha256')
          .update([first, ...others].join(''))
          .digest('hex')
  }
}
