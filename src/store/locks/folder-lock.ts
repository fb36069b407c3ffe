/**
 * A lock on a folder, held by one thread of one process at a time. It needs nothing but directories and atomic renames.
 *
 * `lock` in the folder is a directory with the mark of its holder. It is filled under another name and then renamed,
 * which fails if one exists. The lock of a dead holder is not removed, because a third process may already have done so
 * and hold the lock now. Instead the lock passes to `after-TOKEN`, named after the token of the dead holder and taken
 * by the same rename, and so on up to the first live holder.
 *
 * Invariants: tokens are unique, so `after-TOKEN` always belongs to one dead holder; only the holder of the lock
 * removes `lock`; a directory is renamed before it is emptied. Known limits: a dead holder in another container or on
 * another machine looks like a live one, and keeps the lock; so does a thread that was terminated from
 * outside, until its process ends.
 */
import { createHash } from 'node:crypto'
import {
  closeSync,
  existsSync,
  fsyncSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmdirSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { basename, join } from 'node:path'
import { markIn, ownMark, presenceOf, type ProcessMark } from './process-mark.ts'

const ROOT = 'lock'
const [MARK, NEW, AFTER, GONE] = ['holder', 'new-', 'after-', 'gone-']
/** Its previous holder may remove a folder while it is being entered. */
const ATTEMPTS = 1000
const PAUSE_MS = 10

/** The lock is held by another thread or process. */
export interface HeldLock {
  /** Undefined if it cannot be read. */
  readonly holder: ProcessMark | undefined
  /** False if its liveness cannot be checked from here. */
  readonly isSeen: boolean
}

export interface LockRequest {
  /** Creates the folder if missing; its parent exists. */
  readonly make: () => void
  /** Time to wait for a holder that releases it soon. */
  readonly waitMs: number
  /** Number of a terminated thread of this process that may have held it. */
  readonly endedThread?: number | undefined
}

interface Taken {
  readonly token: string
  readonly chain: readonly string[]
}

export class FolderLock {
  readonly #folder: string
  readonly #token: string
  /** Names in the folder through which the lock was inherited, our own last. */
  readonly #chain: readonly string[]

  private constructor(folder: string, token: string, chain: readonly string[]) {
    this.#folder = folder
    this.#token = token
    this.#chain = chain
  }

  /** @throws an error of the file system */
  static take(folder: string, request: LockRequest): FolderLock | HeldLock {
    let waitedMs = 0
    for (let attempt = 0; attempt < ATTEMPTS; attempt += 1) {
      const entry = entered(folder, request)
      if (entry === 'again') continue
      if ('chain' in entry) {
        const lock = new FolderLock(folder, entry.token, entry.chain)
        lock.#sweep()
        return lock
      }
      dropEmpty(folder)
      if (waitedMs >= request.waitMs || !entry.isSeen) return entry
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, PAUSE_MS)
      waitedMs += PAUSE_MS
    }
    throw Object.assign(new Error(`'${folder}' cannot be created`), { code: 'ENOENT', syscall: 'mkdir' })
  }

  /** Releases the lock, and removes the folder if it is empty. */
  release(): void {
    this.#sweep()
    // Once the first name is gone, others may have the lock.
    for (const name of this.#chain) putAside(this.#folder, name, name === ROOT ? this.#token : name)
    dropEmpty(this.#folder)
  }

  /** Removes the remains of killed processes. A process that is just entering starts over. */
  #sweep(): void {
    for (const name of readdirSync(this.#folder)) {
      if (this.#chain.includes(name)) continue
      if (name.startsWith(NEW) || name.startsWith(AFTER)) putAside(this.#folder, name, name)
      else if (name.startsWith(GONE)) remove(join(this.#folder, name))
    }
  }
}

/** One attempt, which leaves nothing behind if it fails. */
function entered(folder: string, { make, endedThread }: LockRequest): Taken | HeldLock | 'again' {
  let path: string | undefined
  try {
    make()
    path = mkdtempSync(join(folder, NEW))
    const token = newToken(path)
    writeMark(join(path, MARK), token)
    const entry = follow(folder, path, endedThread)
    if (Array.isArray(entry)) return { token, chain: entry }
    remove(path)
    return entry
  } catch (error) {
    if (path !== undefined) remove(path)
    if (isCode(error, ['ENOENT'])) return 'again'
    throw error
  }
}

let tokens = 0

/**
 * Unique token: process, its start and a counter; where the system has no start time, the random name of the directory.
 */
function newToken(path: string): string {
  tokens += 1
  return createHash('sha256')
    .update(JSON.stringify([ownMark(), tokens, basename(path)]))
    .digest('hex')
}

/** Follows the chain of dead holders to the first live one, or to its end, which becomes ours. */
function follow(folder: string, path: string, endedThread: number | undefined): string[] | HeldLock | 'again' {
  const chain: string[] = [ROOT]
  let root: string | undefined
  for (let place = ROOT; ; chain.push(place)) {
    if (isMoved(path, join(folder, place))) return confirmed(folder, place, root, chain)
    const found = readMark(join(folder, place))
    if (found === undefined) return 'again'
    const presence = found.mark === undefined ? 'unseen' : presenceOf(found.mark, endedThread)
    if (presence !== 'gone') return { holder: found.mark, isSeen: presence === 'there' }
    root ??= found.token
    place = AFTER + found.token
  }
}

/** If the root still has the same token, the lock was not released meanwhile, and the end of the chain is valid. */
function confirmed(folder: string, place: string, root: string | undefined, chain: string[]): string[] | 'again' {
  if (root === undefined || readMark(join(folder, ROOT))?.token === root) return chain
  remove(join(folder, place))
  return 'again'
}

/** Synced before it is visible: an unreadable mark would block everyone until somebody removes it. */
function writeMark(file: string, token: string): void {
  const descriptor = openSync(file, 'wx', 0o600)
  try {
    writeFileSync(descriptor, `${token}\n${JSON.stringify(ownMark())}\n`)
    fsyncSync(descriptor)
  } finally {
    closeSync(descriptor)
  }
}

/** Undefined if it no longer exists. */
function readMark(directory: string): { readonly token: string; readonly mark: ProcessMark | undefined } | undefined {
  try {
    const [token = '', text = ''] = readFileSync(join(directory, MARK), 'utf8').split('\n')
    return { token, mark: markIn(text) }
  } catch (error) {
    if (isCode(error, ['ENOENT'])) return undefined
    return { token: '', mark: undefined }
  }
}

/** False if the target exists. */
function isMoved(from: string, to: string): boolean {
  try {
    renameSync(from, to)
    return true
  } catch (error) {
    if (isCode(error, ['ENOTEMPTY', 'EEXIST'])) return false
    // Windows reports it this way, and other errors too.
    if (isCode(error, ['EPERM', 'EACCES']) && existsSync(to)) return false
    throw error
  }
}

/** Renames a directory before it is emptied. Windows cannot rename a directory while somebody reads in it. */
function putAside(folder: string, name: string, as: string): void {
  const aside = join(folder, GONE + as)
  for (let attempt = 1; ; attempt += 1) {
    try {
      renameSync(join(folder, name), aside)
      break
    } catch (error) {
      if (isCode(error, ['ENOENT'])) break
      if (attempt === ATTEMPTS || !isCode(error, ['EPERM', 'EACCES', 'EBUSY', 'ENOTEMPTY', 'EEXIST'])) throw error
      remove(aside)
    }
  }
  remove(aside)
}

/** Best effort: the next holder removes the rest. */
function remove(directory: string): void {
  try {
    rmSync(directory, { recursive: true, force: true })
  } catch {
    // Another process is removing it.
  }
}

function dropEmpty(folder: string): void {
  try {
    rmdirSync(folder)
  } catch {
    // It is not empty.
  }
}

const isCode = (error: unknown, codes: readonly string[]): boolean =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' && codes.includes(error.code)
