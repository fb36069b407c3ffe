/**
 * A zip archive as a list of the files in it, each of which can be read as often as needed.
 *
 * Known limit: of the data only what is asked for is read, so an entry that nobody reads is not checked.
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
  /** As the archive has it, folders included: `2024/BTCUSDT-trades.csv`. */
  readonly name: string
  /** Bytes when unpacked. */
  readonly size: number
  /**
   * The bytes of the file; size and checksum are known to be right when the last chunk has been given.
   *
   * @returns  chunks of at most 256 kB, each good until the next one is asked for
   * @throws {InputError} naming `archive!name`, when the data are damaged, cut off, or others than the archive says
   */
  readonly bytes: () => AsyncGenerator<Buffer, void, undefined>
}

/** Whether a file that begins so is a zip archive. */
export const isZip = (beginning: Buffer): boolean => beginning.subarray(0, ZIP_START.length).equals(ZIP_START)

export class ZipArchive {
  /** In the order of the archive; without directories, `__MACOSX/` and `.DS_Store`. At least one. */
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
   * Shows the archive itself, byte by byte as it lies on the disk, in one pass of its own.
   *
   * @throws {InputError} when it cannot be read to its end
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

  /** After this nothing can be read any more. */
  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/**
 * Opens an archive and reads its directory; whoever opens it closes it.
 *
 * @throws {InputError} naming the file, or `file!entry`, when it is no archive, or a damaged one, or one that cannot be
 * read here:
 *                      encrypted, of several disks, another compression than deflate, a zip bomb
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
