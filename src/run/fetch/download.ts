/**
 * Downloads files over HTTP, one request at a time, each into a file that gets its name when it is complete.
 *
 * Invariants: a file with that name is whole; an interrupted download is resumed with a Range request, but only if a
 * checksum would reveal that the file has changed meanwhile. Redirects are not followed.
 */
import { createReadStream, renameSync } from 'node:fs'
import { createHash } from 'node:crypto'
import { open, readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import type { Dispatcher } from 'undici'
import { dispatcherFor } from '../../adapter/live/network/dispatchers.ts'
import { proxyFor } from '../../adapter/live/network/proxy.ts'
import { failureReason } from '../../adapter/live/rest/network-failure.ts'
import { readRateHeaders } from '../../adapter/live/rest/rate-headers.ts'
import { ExchangeError, InputError } from '../../domain/errors.ts'
import { asWriteFault, isFileFault } from '../../domain/write-fault.ts'
import { fileStatus } from '../../store/file-status.ts'
import { removePartial } from '../../store/remove-partial.ts'
import { type Failure, type FetchWorld } from './fetch-world.ts'

/** Longest wait for a connection, for headers, and between two parts of a body. */
const TIMEOUT_MS = 30_000
const MAX_CHECKSUM_BYTES = 4096
/** Downloads of a file whose checksum is wrong. */
const MAX_DOWNLOADS = 3
const RETRIED = new Set([408, 425, 429])

export interface DownloadRequest {
  readonly url: string
  /** Address of its SHA-256. */
  readonly checksumUrl?: string | undefined
  readonly path: string
  /** A longer file is refused. */
  readonly maxBytes: number
  /** Whether a file with that SHA-256 is not needed. */
  readonly isKnown?: (sha256: string) => boolean
  /** Checks the complete file. @throws {InputError} for a damaged one, which is downloaded again */
  readonly check: (path: string) => Promise<boolean>
  readonly onBytes?: (bytes: number) => void
}

/** `missing`: the server has no such file. `empty`: a file without rows. */
export type Downloaded = 'done' | 'known' | 'empty' | 'missing'

/** An answer that is not the file. */
class StatusError extends Error {
  readonly status: number
  readonly retryAfterMs: number | undefined

  constructor(status: number, retryAfterMs: number | undefined) {
    super(`HTTP ${status}`)
    this.status = status
    this.retryAfterMs = retryAfterMs
  }
}

export class Downloader {
  readonly #world: FetchWorld
  readonly #pauseMs: number
  readonly #pools = new Map<string, Dispatcher>()

  /** @param pauseMs  wait before each request */
  constructor(world: FetchWorld, pauseMs: number) {
    this.#world = world
    this.#pauseMs = pauseMs
  }

  /**
   * Downloads a file, unless it is there whole.
   *
   * @throws {ExchangeError} if the server cannot be used
   * @throws {InputError} if the file is damaged after every attempt, or cannot be written
   */
  async download(request: DownloadRequest): Promise<Downloaded> {
    const { url, path, checksumUrl, isKnown } = request
    const sha256 = checksumUrl === undefined ? undefined : await this.#checksum(checksumUrl, path)
    if (sha256 !== undefined && isKnown?.(sha256) === true) return 'known'
    for (let number = 1; ; number += 1) {
      if (fileStatus(path) === undefined && !(await this.#fetch(request, sha256 !== undefined))) return 'missing'
      const fault = await faultOf(request, sha256)
      if (fault === true) return 'done'
      removePartial(path)
      // It may have rows the next time.
      if (fault === false) return 'empty'
      if (number >= MAX_DOWNLOADS) throw new InputError(url, `${fault}; it was downloaded ${number} times`)
      this.#world.warn(`${url}: ${fault}; downloading it again`)
    }
  }

  async close(): Promise<void> {
    await Promise.all([...this.#pools.values()].map((pool) => pool.destroy()))
  }

  /** Undefined if the server has none. */
  async #checksum(url: string, path: string): Promise<string | undefined> {
    const file = `${path}.CHECKSUM`
    const check = (): Promise<boolean> => Promise.resolve(true)
    if (!(await this.#fetch({ url, path: file, maxBytes: MAX_CHECKSUM_BYTES, check }, false))) return undefined
    const text = await readFile(file, 'utf8')
    removePartial(file)
    const [, sha256] = /^([0-9a-f]{64})(?:\s|$)/i.exec(text.trim()) ?? []
    if (sha256 !== undefined) return sha256.toLowerCase()
    throw new InputError(url, 'expected a SHA-256 of 64 hexadecimal digits and a file name')
  }

  /** @returns false if the server has no such file */
  async #fetch(request: DownloadRequest, isResumable: boolean): Promise<boolean> {
    const { path } = request
    const partial = `${path}.partial`
    if (!isResumable) removePartial(partial)
    let before = 0
    let isContinued = false
    await this.#world.pause(this.#pauseMs)
    const attempt = async (): Promise<boolean> => {
      before = isResumable ? sizeOf(partial) : 0
      isContinued = false
      return await this.#attempt(request, partial, before, () => (isContinued = true))
    }
    const isFound = await this.#world.retried(attempt, (error) => {
      // A server that begins again each time makes none, however much it sends.
      return failureOf(request, error, isContinued && sizeOf(partial) > before)
    })
    if (isFound) renameSync(partial, path)
    return isFound
  }

  async #attempt(
    { url, maxBytes, onBytes }: DownloadRequest,
    partial: string,
    from: number,
    onContinued: () => void,
  ): Promise<boolean> {
    const { origin, pathname, search } = new URL(url)
    const {
      statusCode: status,
      headers,
      body,
    } = await this.#poolOf(origin).request({
      origin,
      path: pathname + search,
      method: 'GET',
      headers: { 'user-agent': 'papertape', ...(from > 0 && { range: `bytes=${from}-` }) },
      headersTimeout: TIMEOUT_MS,
      bodyTimeout: TIMEOUT_MS,
      signal: this.#world.signal ?? null,
    })
    const isRest = status === 206 && String(headers['content-range']).startsWith(`bytes ${from}-`)
    if (!isRest && status !== 200) {
      await body.dump()
      if (status === 404) return false
      // The part that is there is not the beginning of the file that the server has now.
      if (status === 416 || status === 206) removePartial(partial)
      const { retryAfterMs } = readRateHeaders(textHeaders(headers), this.#world.time.now())
      throw new StatusError(status, retryAfterMs)
    }
    if (isRest) onContinued()
    let bytes = isRest ? from : 0
    // Without a stream of its own, which would drop what has arrived before a failure.
    const file = await open(partial, isRest ? 'a' : 'w')
    try {
      for await (const chunk of body as AsyncIterable<Buffer>) {
        bytes += chunk.length
        if (bytes > maxBytes) break
        await file.writeFile(chunk)
        onBytes?.(bytes)
      }
    } finally {
      await file.close()
    }
    if (bytes <= maxBytes) return true
    removePartial(partial)
    throw new InputError(url, `expected a file of at most ${maxBytes} bytes, got more`)
  }

  #poolOf(origin: string): Dispatcher {
    const existing = this.#pools.get(origin)
    if (existing !== undefined) return existing
    const pool = dispatcherFor(origin, proxyFor(origin), { connections: 1, timeoutMs: TIMEOUT_MS })
    this.#pools.set(origin, pool)
    return pool
  }
}

const sizeOf = (path: string): number => fileStatus(path)?.size ?? 0

const textHeaders = (headers: Readonly<Record<string, string | string[] | undefined>>): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]))

/** @throws {DiskError} for a file that cannot be written */
function failureOf({ url, path }: DownloadRequest, error: unknown, hasProgress: boolean): Failure {
  if (isFileFault(error)) throw asWriteFault(path, error)
  if (!(error instanceof StatusError))
    return {
      error: new ExchangeError('SERVICE_UNAVAILABLE', `${url}: ${failureReason(error)}`, { isRetryable: true }),
      hasProgress,
    }
  const { status, retryAfterMs } = error
  const isRetryable = status >= 500 || status === 416 || status === 206 || RETRIED.has(status)
  const why = status >= 300 && status < 400 ? ', a redirect, which is not followed' : ''
  return {
    error: new ExchangeError('SERVICE_UNAVAILABLE', `${url}: the server answered ${status}${why}`, { isRetryable }),
    retryAfterMs,
  }
}

/** A reason to download a file again, or whether it has rows. */
async function faultOf({ path, check }: DownloadRequest, expected: string | undefined): Promise<string | boolean> {
  if (expected !== undefined) {
    const hash = createHash('sha256')
    await pipeline(createReadStream(path), hash)
    const sha256 = hash.digest('hex')
    if (sha256 !== expected) return `expected a file with the SHA-256 ${expected}, got ${sha256}`
  }
  try {
    return await check(path)
  } catch (error) {
    if (error instanceof InputError) return error.message
    throw error
  }
}
