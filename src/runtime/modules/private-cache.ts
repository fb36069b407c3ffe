/**
 * Disk cache of compiled code for this user only: loading a compiler takes longer than most runs.
 *
 * Invariant: an entry that another user could have written, or whose content has changed, is never read. Without a
 * private folder there is no cache. Programs of the same user may change it, so `verify` does not use it.
 */
import {
  closeSync,
  constants,
  fstatSync,
  lstatSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  statSync,
  writeFileSync,
  type Stats,
} from 'node:fs'
import { join } from 'node:path'
import { threadId } from 'node:worker_threads'
import { userCacheFolder } from './user-cache.ts'

const MAX_ENTRIES = 256

/** Hash and line feed before the content. */
const HEAD_BYTES = 65

/** Lower-case hex SHA-256. */
function hash(...parts: readonly (string | Uint8Array)[]): string {
  // Loaded here, because it takes several milliseconds, and not every start uses the cache.
  const sha256 = process.getBuiltinModule('node:crypto').createHash('sha256')
  for (const part of parts) sha256.update(part)
  return sha256.digest('hex')
}

/** Windows has no such modes; files in a user's profile belong to the user there. */
function isOwn({ uid, mode }: Stats, forbidden: number): boolean {
  if (process.geteuid === undefined) return true
  return uid === process.geteuid() && (mode & forbidden) === 0
}

/** Key of a piece of code: text that differs whenever the code may differ. */
export type CacheKey = string

export class PrivateCache {
  readonly #folder: string
  readonly #maxEntries: number

  private constructor(folder: string, maxEntries: number) {
    this.#folder = folder
    this.#maxEntries = maxEntries
  }

  /**
   * Undefined if there is no folder that belongs to this user only.
   * @param maxEntries  above it, the older half is deleted
   */
  static open(folder = userCacheFolder('compiled'), maxEntries = MAX_ENTRIES): PrivateCache | undefined {
    if (folder === undefined) return undefined
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const found = lstatSync(folder)
      return found.isDirectory() && isOwn(found, 0o077) ? new PrivateCache(folder, maxEntries) : undefined
    } catch {
      return undefined
    }
  }

  /** Undefined if it is missing, or has changed. */
  get(key: CacheKey): Buffer | undefined {
    let file: number | undefined
    try {
      // Windows has no such flag.
      file = openSync(this.#path(key), constants.O_RDONLY | ((constants.O_NOFOLLOW as number | undefined) ?? 0))
      const found = fstatSync(file)
      if (!found.isFile() || found.nlink !== 1 || !isOwn(found, 0o022)) return undefined
      const bytes = readFileSync(file)
      const code = bytes.subarray(HEAD_BYTES)
      return bytes.toString('latin1', 0, HEAD_BYTES) === head(key, code) ? code : undefined
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  /** Does nothing if it cannot write. */
  put(key: CacheKey, code: string | Uint8Array): void {
    const draft = `${this.#path(key)}.${process.pid}-${threadId}`
    try {
      const bytes = Buffer.from(code)
      writeFileSync(draft, Buffer.concat([Buffer.from(head(key, bytes)), bytes]), { flag: 'wx', mode: 0o600 })
      renameSync(draft, this.#path(key))
      this.#forgetOldest()
    } catch {
      rmSync(draft, { force: true })
    }
  }

  #path(key: CacheKey): string {
    return join(this.#folder, hash(key))
  }

  #forgetOldest(): void {
    const names = readdirSync(this.#folder)
    if (names.length <= this.#maxEntries) return
    const aged = names.map((name) => ({ name, since: statSync(join(this.#folder, name)).mtimeMs }))
    aged.sort((left, right) => left.since - right.since)
    for (const { name } of aged.slice(0, this.#maxEntries / 2)) rmSync(join(this.#folder, name), { force: true })
  }
}

const head = (key: CacheKey, code: Uint8Array): string => `${hash(`${key}\n`, code)}\n`
