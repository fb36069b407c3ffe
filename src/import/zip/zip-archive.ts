/**
 * A zip archive as a list of entries, each readable any number of times.
 *
 * Known limit: data is read on demand, so an entry that is not read is not verified.
 */
import { open, type FileHandle } from 'node:fs/promises'
import { InputError } from '../../domain/errors.ts'
import { WITHOUT_WAITING, type ByteWatch } from '../file-bytes.ts'
import { zipDirectory, type PlacedEntry } from './zip-directory.ts'
import { CHUNK_BYTES, zipEntryBytes } from './zip-entry-bytes.ts'
import { asZipFault, entryPlace } from './zip-fault.ts'

const ZIP_START = Buffer.from('PK\u0003\u0004')

/** A file in an archive. */
export interface ZipEntry {
  /** Name in the archive, with folders: `2024/BTCUSDT-trades.csv`. */
  readonly name: string
  /** Uncompressed size in bytes. */
  readonly size: number
  /**
   * The bytes of the file; size and checksum are verified when the last chunk was returned.
   *
   * @returns  chunks of at most 256 kB, each valid until the next one is requested
   * @throws {InputError} naming `archive!name`, if the data is damaged, truncated, or does not match the directory
   */
  readonly bytes: () => AsyncGenerator<Buffer, void, undefined>
}

/** True if a file with these first bytes is a zip archive. */
export const isZip = (beginning: Buffer): boolean => beginning.subarray(0, ZIP_START.length).equals(ZIP_START)

export class ZipArchive {
  /** Entries in archive order, without directories, `__MACOSX/` and `.DS_Store`. At least one. */
  readonly entries: readonly ZipEntry[]
  readonly #file: string
  readonly #handle: FileHandle

  /** @param handle  closed with the archive */
  constructor(file: string, handle: FileHandle, entries: readonly PlacedEntry[]) {
    this.#file = file
    this.#handle = handle
    this.entries = entries.map((entry) => ({
      name: entry.name,
      size: entry.size,
      bytes: () => zipEntryBytes(entryPlace(file, entry.name), handle, entry),
    }))
  }

  /**
   * Passes the bytes of the archive itself to a listener, in a separate pass.
   *
   * @throws {InputError} if it cannot be read to its end
   */
  async showTo(watch: ByteWatch): Promise<void> {
    try {
      const { size } = await this.#handle.stat()
      const chunk = Buffer.allocUnsafeSlow(CHUNK_BYTES)
      for (let position = 0; ;) {
        const { bytesRead } = await this.#handle.read(chunk, 0, CHUNK_BYTES, position)
        if (bytesRead === 0) return
        position += bytesRead
        watch.onBytes(chunk.subarray(0, bytesRead), position, size)
      }
    } catch (error) {
      throw asZipFault(this.#file, error)
    }
  }

  /** Entries cannot be read afterwards. */
  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/**
 * Opens an archive and reads its directory; the caller closes it.
 *
 * @throws {InputError} naming the file, or `file!entry`, if it is not an archive, is damaged, or is not supported:
 * encrypted, multi-disk, another compression than deflate, a zip bomb
 */
export async function openZip(file: string): Promise<ZipArchive> {
  let handle: FileHandle | undefined
  try {
    handle = await open(file, WITHOUT_WAITING)
    const stats = await handle.stat()
    if (stats.isDirectory()) throw new InputError(file, 'expected a file, got a directory')
    if (!stats.isFile()) throw new InputError(file, 'expected a file that can be read twice, got a pipe or a device')
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(ZIP_START.length), 0, ZIP_START.length, 0)
    if (!isZip(buffer.subarray(0, bytesRead))) throw new InputError(file, 'expected a zip archive, got another file')
    return new ZipArchive(file, handle, await zipDirectory(file, handle, stats.size))
  } catch (error) {
    await handle?.close()
    throw asZipFault(file, error)
  }
}
