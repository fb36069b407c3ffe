/**
 * The bytes of an entry of a zip archive, unpacked, their number and checksum as the archive says.
 */
import type { FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { crc32, createInflateRaw } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'
import { DEFLATED, type PlacedEntry } from './zip-directory.ts'
import { asZipFault } from './zip-fault.ts'

/** The most bytes that are given at a time. */
export const CHUNK_BYTES = 256 * 1024

type Bytes = AsyncGenerator<Buffer, void, undefined>

/**
 * Reads an entry once; size and checksum are known to be right when the last chunk has been given.
 *
 * @param place  of the entry, for errors
 * @returns      chunks of at most CHUNK_BYTES, each good until the next one is asked for
 * @throws {InputError} when the data are damaged, cut off, or others than the archive says
 */
export async function* zipEntryBytes(place: string, handle: FileHandle, entry: PlacedEntry): Bytes {
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
