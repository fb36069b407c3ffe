/**
 * The bytes of a file, decompressed when it is gzip, while the hash of what lies on disk is kept.
 */
import type { Hash } from 'node:crypto'
import { open, type FileHandle } from 'node:fs/promises'
import { pipeline, Readable } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { InputError } from '../../domain/errors.ts'

const CHUNK_BYTES = 256 * 1024
const GZIP_MAGIC = Buffer.from([0x1f, 0x8b])

/**
 * Reads a file once, from beginning to end, a few chunks at a time.
 *
 * Known limit: gzip is the only compression, recognised by its first bytes and not by the name.
 *
 * @param hash  is updated with the bytes as they lie on disk; complete when the last chunk has been handed out
 * @throws {InputError} naming the file, when it cannot be read or its compression is damaged
 */
export async function* fileBytes(file: string, hash: Hash): AsyncGenerator<Buffer, void, undefined> {
  try {
    const handle = await open(file)
    try {
      const stats = await handle.stat()
      if (stats.isDirectory()) throw new InputError(file, 'expected a file, got a directory')
      if (!stats.isFile()) throw new InputError(file, 'expected a file that can be read twice, got a pipe or a device')
      const raw = hashed(readChunks(handle), hash)
      if (await isGzip(handle)) yield* decompressed(raw)
      else yield* raw
    } finally {
      await handle.close()
    }
  } catch (error) {
    throw asInputError(file, error)
  }
}

async function isGzip(handle: FileHandle): Promise<boolean> {
  const { buffer, bytesRead } = await handle.read(Buffer.alloc(GZIP_MAGIC.length), 0, GZIP_MAGIC.length, 0)
  return bytesRead === GZIP_MAGIC.length && buffer.equals(GZIP_MAGIC)
}

async function* readChunks(handle: FileHandle): AsyncGenerator<Buffer, void, undefined> {
  for (let position = 0; ;) {
    const { buffer, bytesRead } = await handle.read(Buffer.allocUnsafe(CHUNK_BYTES), 0, CHUNK_BYTES, position)
    if (bytesRead === 0) return
    position += bytesRead
    yield buffer.subarray(0, bytesRead)
  }
}

async function* hashed(chunks: AsyncIterable<Buffer>, hash: Hash): AsyncGenerator<Buffer, void, undefined> {
  for await (const chunk of chunks) {
    hash.update(chunk)
    yield chunk
  }
}

async function* decompressed(chunks: AsyncGenerator<Buffer, void, undefined>): AsyncGenerator<Buffer, void, undefined> {
  const gunzip = createGunzip({ chunkSize: CHUNK_BYTES })
  // Has no `return`, which `gunzip` would call once it has all that it wants.
  const source = { [Symbol.asyncIterator]: () => ({ next: () => chunks.next() }) }
  // Whatever fails destroys `gunzip` with its error, which the loop below then throws.
  pipeline(Readable.from(source), gunzip, () => undefined)
  for await (const chunk of gunzip as AsyncIterable<Buffer>) yield chunk
  // Zeros may follow, which are no data and yet part of the file.
  for (let rest = await chunks.next(); rest.done !== true;) rest = await chunks.next()
}

function asInputError(file: string, error: unknown): unknown {
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
