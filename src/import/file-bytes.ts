/** The bytes of a file, decompressed if it is gzip, with a listener for the raw bytes. */
import { constants, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from '../domain/errors.ts'

const CHUNK_BYTES = 256 * 1024
/**
 * Opens a pipe without waiting for a writer, so that it can be rejected; no effect on files. Not available on Windows.
 */
export const WITHOUT_WAITING = constants.O_RDONLY | ((constants.O_NONBLOCK as number | undefined) ?? 0)

const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/** Observer of a file being read. */
export interface ByteWatch {
  /**
   * The next bytes as they lie on disk; complete when the last chunk has been handed out.
   *
   * @param position  bytes up to and with these
   * @param size      bytes of the file when it was opened, at least `position` unless it grows
   */
  onBytes(chunk: Buffer, position: number, size: number): void
}

/**
 * Reads a file once, from beginning to end, a few chunks at a time.
 *
 * A chunk is valid until the next one is requested: fresh memory for each costs more than the reading. Known limit:
 * gzip is the only compression, recognised by its first bytes and not by the name.
 *
 * @throws {InputError} naming the file, if it is no file, cannot be read or its compression is damaged
 */
export async function* fileBytes(file: string, watch: ByteWatch): AsyncGenerator<Buffer, void, undefined> {
  try {
    const handle = await open(file, WITHOUT_WAITING)
    try {
      const stats = await handle.stat()
      checkPlainFile(file, stats)
      const isPacked = await isGzip(handle)
      // Decompression reads ahead, and so holds several chunks.
      const chunk = isPacked ? undefined : Buffer.allocUnsafeSlow(CHUNK_BYTES)
      const raw = watched(handle, watch, stats.size, () => chunk ?? Buffer.allocUnsafeSlow(CHUNK_BYTES))
      yield* isPacked ? decompressed(raw) : raw
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw fileFault(file, error)
  }
}

/** @throws {InputError} for a directory, a pipe and a device */
export function checkPlainFile(file: string, stats: Stats): void {
  if (stats.isDirectory()) throw new InputError(file, 'expected a file, got a directory')
  if (!stats.isFile()) throw new InputError(file, 'expected a file that can be read twice, got a pipe or a device')
}

async function isGzip(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0)
  return bytesRead === GZIP_MAGIC.length && buffer.equals(GZIP_MAGIC)
}

async function* watched(
  handle: FileHandle,
  watch: ByteWatch,
  size: number,
  memory: () => Buffer,
): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read(memory(), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    const chunk = buffer.subarray(0, bytesRead)
    watch.onBytes(chunk, position, size)
    yield chunk
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // Has no `return`, which `gunzip` would call once it has all that it wants.
  const source = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
  // Any failure destroys `gunzip` with its error, which the loop below then throws.
  pipeline(Readable.from(source), gunzip, () => undefined)
  for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk
  // Zeros may follow, which are no data and yet part of the file.
  for (let rest = await chunks.next(); rest.done !== true;) rest = await chunks.next()
}

/** The error of a file as one of the user's input; any other error as it is. */
export function fileFault(file: string, error: unknown): unknown {
  if (error instanceof InputError || !(error instanceof Error) || !('code' in error)) return error
  switch (error.code) {
    case 'ENOENT':
      return new InputError(file, 'no such file', { cause: error })
    case 'Z_BUF_ERROR':
      return new InputError(file, 'expected complete gzip data, got a file that was cut off', { cause: error })
    case 'Z_DATA_ERROR':
      return new InputError(file, `expected sound gzip data, got damaged ones (${error.message})`, { cause: error })
    default:
      return new InputError(file, `cannot be read (${error.message})`, { cause: error })
  }
}
