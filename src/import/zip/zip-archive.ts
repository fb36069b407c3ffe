/**
 * A zip archive as a list of entries, each readable any number of times.
 *
 * Known limit: data is read on demand, so an entry that is not read is not verified.
 */
import { type FileHandle, open } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'
import { type ByteWatch, WITHOUT_WAITING } from '../file-bytes.ts'
import { asZipFault, DEFLATED, entryPlace, type PlacedEntry, zipDirectory } from './zip-directory.ts'

/** The most bytes that are given at a time. */
const CHUNK_BYTES = 256 * 1024

type Bytes = AsyncGenerator<Buffer, void, undefined>

/**
 * Reads an entry once; size and checksum are known to be right when the last chunk has been given.
 *
 * @param place  of the entry, for errors
 * @returns      chunks of at most CHUNK_BYTES, each good until the next one is asked for
 * @throws {InputError} when the data are damaged, cut off, or others than the archive says
 */
async function* zipEntryBytes(place: string, handle: FileHandle, entry: PlacedEntry): Bytes {
  let length = 0
  let checksum = 0
  try {
    for await (const chunk of entry.method === DEFLATED
      ? inflated(place, handle, entry)
      : packed(place, handle, entry)) {
      length += chunk.length
      if (length > entry.size) throw new InputError(place, `expected ${entry.size} bytes as its archive says, got more`)
      checksum = crc32(chunk, checksum)
      yield chunk
    }
  } catch (error) {
    throw asZipFault(place, error)
  }
  if (length < entry.size)
    throw new InputError(place, `expected ${entry.size} bytes as its archive says, got ${length}`)
  if (checksum === entry.crc32) return
  throw new InputError(
    place,
    `expected data of the checksum ${hex(entry.crc32)}, got ${hex(checksum)}: the archive is damaged`,
  )
}

const hex = (checksum: number): string => checksum.toString(16).padStart(8, '0')

/** The data as they lie in the file. */
async function* packed(place: string, handle: FileHandle, { method, dataStart, dataEnd }: PlacedEntry): Bytes {
  const room = (): Buffer => Buffer.allocUnsafeSlow(Math.min(CHUNK_BYTES, dataEnd - dataStart))
  // What is unpacked reads ahead, and so holds several chunks.
  const chunk = method === DEFLATED ? undefined : room()
  for (let at = dataStart; at < dataEnd;) {
    const buffer = chunk ?? room()
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, dataEnd - at), at)
    if (bytesRead === 0) throw new InputError(place, 'expected the rest of its data, got the end of the file')
    at += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* inflated(place: string, handle: FileHandle, entry: PlacedEntry): Bytes {
  const inflate = createInflateRaw({ chunkSize: CHUNK_BYTES })
  // Whatever fails destroys `inflate` with its error, which the loop below then throws.
  pipeline(Readable.from(packed(place, handle, entry)), inflate, () => undefined)
  for await (const chunk of inflate as AsyncIterable<Buffer>) yield chunk
  const unused = entry.dataEnd - entry.dataStart - inflate.bytesWritten
  if (unused !== 0)
    throw new InputError(place, `expected compressed data up to their end, got ${unused} bytes behind them`)
}

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
