/**
 * Compiled code on disk, for this user alone: a compiler takes longer to load than most runs take.
 *
 * Invariant: nothing is read that another user could have written, and nothing whose content is not what was put there. Where no such
 * folder can be had there is no cache. Whoever may write as this user may change it: `verify` does without.
 */
import { createHash } from 'node:crypto'
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

/** More entries than this, and the older half of them goes. */
const MOST_ENTRIES = 256

const hash = (text: string): string => createHash('sha256').update(text).digest('hex')

/** Windows keeps no such modes; what lies under a user's own profile is the user's there. */
function isOwn({ uid, mode }: Stats, forbidden: number): boolean {
  if (process.geteuid === undefined) return true
  return uid === process.geteuid() && (mode & forbidden) === 0
}

/** What a piece of code stands for, as a key: text that differs whenever the code may. */
export type CacheKey = string

export class PrivateCache {
  readonly #folder: string

  private constructor(folder: string) {
    this.#folder = folder
  }

  /** Undefined when there is no folder that is this user's alone. */
  static open(folder: string = userCacheFolder('compiled')): PrivateCache | undefined {
    try {
      mkdirSync(folder, { recursive: true, mode: 0o700 })
      const found = lstatSync(folder)
      return found.isDirectory() && isOwn(found, 0o077) ? new PrivateCache(folder) : undefined
    } catch {
      return undefined
    }
  }

  /** Undefined when it is not there, or is not as it was put there. */
  get(key: CacheKey): string | undefined {
    let file: number | undefined
    try {
      // Windows knows no such flag.
      file = openSync(this.#path(key), constants.O_RDONLY | ((constants.O_NOFOLLOW as number | undefined) ?? 0))
      const found = fstatSync(file)
      if (!found.isFile() || found.nlink !== 1 || !isOwn(found, 0o022)) return undefined
      const text = readFileSync(file, 'utf8')
      const code = text.slice(65)
      return text === written(key, code) ? code : undefined
    } catch {
      return undefined
    } finally {
      if (file !== undefined) closeSync(file)
    }
  }

  /** Does nothing where it cannot. */
  put(key: CacheKey, code: string): void {
    const draft = `${this.#path(key)}.${process.pid}-${threadId}`
    try {
      writeFileSync(draft, written(key, code), { flag: 'wx', mode: 0o600 })
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
    if (names.length <= MOST_ENTRIES) return
    const aged = names.map((name) => ({ name, since: statSync(join(this.#folder, name)).mtimeMs }))
    aged.sort((left, right) => left.since - right.since)
    for (const { name } of aged.slice(0, MOST_ENTRIES / 2)) rmSync(join(this.#folder, name), { force: true })
  }
}

const written = (key: CacheKey, code: string): string => `${hash(`${key}\n${code}`)}\n${code}`
