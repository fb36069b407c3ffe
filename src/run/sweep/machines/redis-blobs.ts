/**
 * Content-addressed storage in Redis: tapes, code files and bundles by SHA-256.
 *
 * Invariant: fetched bytes have the requested digest. A blob exists once all its pieces are stored.
 */
import { createHash, randomUUID } from 'node:crypto'
import { closeSync, createReadStream, openSync, renameSync, rmSync, writeSync } from 'node:fs'
import type { Redis } from 'ioredis'
import { InputError } from '../../../domain/errors.ts'
import { setting } from '../../../domain/setting-name.ts'
import { EXPIRY_SECONDS, PREFIX } from './point-queue.ts'

/**
 * Size of a piece: small enough not to block Redis for other clients, and to arrive over a slow connection before the
 * timeout for silence.
 */
const PIECE_BYTES = 2 ** 20

/** Bytes in memory, or in a temporary file. */
export type BlobSource = Uint8Array | { readonly file: string }

export class RedisBlobs {
  readonly #redis: Redis

  constructor(redis: Redis) {
    this.#redis = redis
  }

  /** Stores a missing blob; for an existing one, renews its expiry. */
  async put(sha256: string, source: BlobSource): Promise<void> {
    if (await this.#refresh(sha256)) return
    let pieces = 0
    for await (const piece of piecesOf(source)) {
      await this.#redis.set(pieceKey(sha256, pieces), piece, 'EX', EXPIRY_SECONDS)
      pieces += 1
    }
    await this.#redis.set(countKey(sha256), pieces, 'EX', EXPIRY_SECONDS)
  }

  /** @throws {InputError} if it does not exist, or if its digest is wrong */
  async fetch(sha256: string): Promise<Buffer> {
    const pieces: Buffer[] = []
    await this.#each(sha256, (piece) => void pieces.push(piece))
    return Buffer.concat(pieces)
  }

  /** Writes to a file, which gets its name when it is complete. @throws {InputError} as `fetch` does */
  async fetchInto(sha256: string, file: string): Promise<void> {
    const partial = partialOf(file)
    const descriptor = openSync(partial, 'w', 0o600)
    try {
      try {
        await this.#each(sha256, (piece) => {
          for (let written = 0; written < piece.length;) written += writeSync(descriptor, piece, written)
        })
      } finally {
        closeSync(descriptor)
      }
      renameSync(partial, file)
    } catch (error) {
      rmSync(partial, { force: true })
      throw error
    }
  }

  async #each(sha256: string, take: (piece: Buffer) => void): Promise<void> {
    const hash = createHash('sha256')
    const pieces = Number((await this.#redis.get(countKey(sha256))) ?? Number.NaN)
    for (let index = 0; index < pieces; index += 1) {
      const piece = await this.#redis.getBuffer(pieceKey(sha256, index))
      if (piece === null) break
      hash.update(piece)
      take(piece)
    }
    if (!Number.isInteger(pieces))
      throw new InputError(setting('redis'), `has nothing under ${sha256.slice(0, 12)} any more`)
    if (hash.digest('hex') === sha256) return
    // Deleted, so that the sender uploads it again.
    await this.#redis.del(countKey(sha256))
    throw new InputError(setting('redis'), `what it has under ${sha256.slice(0, 12)} has another SHA-256`)
  }

  /** @returns false if a piece is missing */
  async #refresh(sha256: string): Promise<boolean> {
    const pieces = Number((await this.#redis.get(countKey(sha256))) ?? Number.NaN)
    if (!Number.isInteger(pieces)) return false
    const keys = [...Array.from({ length: pieces }, (_, index) => pieceKey(sha256, index)), countKey(sha256)]
    const answers = await Promise.all(keys.map((key) => this.#redis.expire(key, EXPIRY_SECONDS)))
    return answers.every((answer) => answer === 1)
  }
}

/**
 * Unique temporary name next to the file. A process id is not enough, because containers that share a folder may use
 * the same ids.
 */
export const partialOf = (path: string): string => `${path}.${randomUUID()}.partial`

const countKey = (sha256: string): string => `${PREFIX}:blob:${sha256}`
const pieceKey = (sha256: string, index: number): string => `${countKey(sha256)}:${index}`

async function* piecesOf(source: BlobSource): AsyncGenerator<Buffer, void, undefined> {
  if (source instanceof Uint8Array) {
    for (let from = 0; from < source.length; from += PIECE_BYTES) {
      yield Buffer.from(source.subarray(from, from + PIECE_BYTES))
    }
    return
  }
  for await (const piece of createReadStream(source.file, { highWaterMark: PIECE_BYTES })) yield piece as Buffer
}
